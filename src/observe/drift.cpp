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

}  // namespace rodeo::observe
