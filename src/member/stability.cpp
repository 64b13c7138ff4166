#include "rodeo/member/stability.hpp"

#include <algorithm>

#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

double slowest_rate(const MemberSpec& spec) {
  double slowest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    const double line_mass = rod.density * M_PI * rod.radius * rod.radius;
    slowest = std::min(slowest, std::pow(M_PI / rod.length, 4) * rod.weaker_bend_stiffness() / line_mass);
  }
  return slowest;
}

}  // namespace rodeo
