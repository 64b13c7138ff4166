#include "rodeo/observe/drift.hpp"

#include <algorithm>

#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/forces/damping.hpp"
#include "rodeo/forces/end_load.hpp"
#include "rodeo/forces/forces.hpp"

namespace rodeo::observe {

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
  const auto is_damped = [](const RodSetup& setup) { return forces::damping_law(setup.rod).acts(); };
  return !std::ranges::any_of(spec.connections, takes) && !is_damped(spec) &&
         !std::ranges::any_of(spec.further_rods, is_damped) && has_no_source(spec);
}

}  // namespace rodeo::observe
