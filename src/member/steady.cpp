#include "steady.hpp"

#include <algorithm>

#include "rodeo/forces/end_load.hpp"
#include "rodeo/forces/forces.hpp"

namespace rodeo {

std::optional<double> steady_from(const MemberSpec& spec) {
  double time = Forces::of(spec, 0).steady_from();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const MemberSpec rod = rod_alone(spec, k);
    time = std::max({time, RodForces::of(rod).steady_from(), forces::EndLoad::of(rod).steady_from(),
                     rod.boundary.motion_time});
  }
  if (time < static_cast<double>(spec.time.steps) * spec.time.step) return time;
  return std::nullopt;
}

}  // namespace rodeo
