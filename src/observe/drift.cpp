#include "rodeo/observe/drift.hpp"

#include <algorithm>

#include "rodeo/forces/actuation_table.hpp"
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
  if (spec.steps_explicitly() || spec.rests() || spec.scheme == TimeScheme::backward_euler) return false;
  if (!has_no_source(spec) || !spec.motions.empty()) return false;
  if (spec.has_impacts() || spec.fluid.viscosity > 0.0) return false;
  const bool damped = std::ranges::any_of(spec.connections, [](const ConnectionSpec& c) {
    return c.kind == ConnectionKind::bond || c.damping > 0.0 || c.rotational_damping > 0.0;
  });
  if (damped) return false;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    if (rod.damping > 0.0 || rod.damping_rate > 0.0 || rod.rotational_damping.value_or(0.0) > 0.0)
      return false;
  }
  return true;
}

}  // namespace rodeo::observe
