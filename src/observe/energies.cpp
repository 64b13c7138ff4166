#include "rodeo/observe/energies.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/forces/damping.hpp"
#include "rodeo/forces/end_load.hpp"
#include "rodeo/forces/forces.hpp"
#include "rodeo/law/shear_stretch.hpp"

namespace rodeo::observe {

StrainEnergies strain_energies(const Observation& o) {
  StrainEnergies sum;
  const auto add = [&](const ConstRodView& rod) {
    for (int i = 0; i < rod.elements; ++i) {
      const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
      const Vec3 body = o.spec.shears ? directors(rod.quaternion(i)).to_body(edge) : Vec3{0, 0, norm(edge)};
      const auto elastic = law::stored_in_element(rod, i, body, o.spec.sections_have_energy);
      sum.shear += elastic.energy_across();
      sum.stretch += elastic.energy_along();
    }
  };
  for (const ConstRodView& rod : o.others) add(rod);
  add(o.state);
  return sum;
}

namespace {

/// Excess energy per stiffness and rest length of an element that has another natural length than at rest.
double natural_excess(double e, double natural) {
  const double stretch = e - natural;
  return 0.5 * stretch * stretch / natural - (stretch - natural * std::log(e / natural));
}

}  // namespace

double stretch_energy_excess(const ConstRodView& rod) {
  double sum = 0.0;
  for (int i = 0; i < rod.elements; ++i) {
    const double inverse_rest = rod.array(field::inverse_rest_length)[i];
    const double e = inverse_rest * norm(rod.vec3(field::position, i + 1) - rod.vec3(field::position, i));
    const double stretch = e - 1.0;
    const double natural = rod.array(field::natural_stretch)[i];
    const double energy =
        natural == 1.0 ? 0.5 * stretch * stretch - (stretch - std::log(e)) : natural_excess(e, natural);
    sum += rod.array(field::stretch_stiffness)[i] / inverse_rest * energy;
  }
  return sum;
}

bool has_no_source(const MemberSpec& spec) {
  if (spec.branch.exists()) return false;  // what changes along it does work
  if (spec.muscle.kind != MuscleKind::none) return false;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const MemberSpec rod = rod_alone(spec, k);
    if (RodForces::of(rod).does_work() || forces::EndLoad::of(rod).does_work()) return false;
    if (std::ranges::any_of(rod.actuation, forces::does_work)) return false;
  }
  return !Forces::of(spec, 0).does_work();
}

bool only_steps_take_energy(const MemberSpec& spec) {
  if (spec.steps_explicitly() || spec.rests() || always_takes_energy(spec.scheme)) return false;
  if (!spec.motions.empty() || spec.has_impacts() || spec.fluid.viscosity > 0.0) return false;
  const auto takes = [](const ConnectionSpec& c) {
    return c.kind == ConnectionKind::bond || c.damping > 0.0 || c.rotational_damping > 0.0;
  };
  const auto is_damped = [](const RodSetup& setup) {
    return forces::damping_law(setup.rod).acts() || setup.rod.retardation_time > 0.0;
  };
  return !std::ranges::any_of(spec.connections, takes) && !is_damped(spec) &&
         !std::ranges::any_of(spec.further_rods, is_damped) && has_no_source(spec);
}

}  // namespace rodeo::observe
