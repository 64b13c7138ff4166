#include "steady.hpp"

#include <algorithm>

namespace rodeo {

double steady_time(const MemberSpec& spec) {
  double end = spec.load.perturbation > 0.0 ? spec.load.perturbation_duration : 0.0;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const MemberSpec rod = rod_alone(spec, k);
    const bool pushed = norm(rod.load.middle_force) > 0.0;
    end = std::max(
        {end, pushed ? rod.load.perturbation_duration : 0.0, rod.load.ramp_time, rod.boundary.motion_time});
  }
  return end;
}

bool becomes_steady(const MemberSpec& spec) {
  return steady_time(spec) < static_cast<double>(spec.time.steps) * spec.time.step;
}

}  // namespace rodeo
