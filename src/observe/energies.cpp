#include "rodeo/observe/energies.hpp"

#include <cmath>

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

}  // namespace rodeo::observe
