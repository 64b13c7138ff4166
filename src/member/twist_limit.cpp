#include "twist_limit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/math/rotation.hpp"

namespace rodeo {

namespace {

constexpr double most_twist = 3.0;  ///< rad
const double most_tangent = std::tan(0.5 * most_twist);

/// Whether a rod is twisted that far between an element, or a held end, and the next one.
bool is_twisted(const ConstRodView& rod, int region) {
  if (!(rod.array(field::twist_stiffness)[region] > 0.0)) return false;
  const Quaternion turn = conjugate(rod.quaternion(region)) * rod.quaternion(region + 1);
  return std::abs(turn.z) > most_tangent * std::abs(turn.w) && turn.z * turn.z > 0.5;
}

/// What two elements next to each other take at least to be twisted that far, J; 0 where natural twist, which
/// costs nothing, may do a part of it.
double least_energy(const MemberSpec& spec) {
  if (spec.sections_shrink > 0.0) return 0.0;  // the stiffness falls with them
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    const bool may_be_uneven = rod.shape != RodShape::straight || rod.end_radius_ratio != 1.0;
    if (may_be_uneven || rod.intrinsic_curvature.z != 0.0 || !spec.actuation.empty()) return 0.0;
    least = std::min(least, 0.5 * rod.twist_stiffness * most_twist * most_twist * rod.elements / rod.length);
  }
  return least;
}

}  // namespace

void TwistLimit::become(const MemberSpec& spec) { safe_energy_ = least_energy(spec); }

MemberStatus TwistLimit::slice(const Look& look) {
  if (look.sample.twist_energy < safe_energy_) return MemberStatus::pending;
  for (const ConstRodView& rod : look.rods.each()) {
    for (int region = -1; region < rod.elements; ++region) {
      if (is_twisted(rod, region)) return MemberStatus::diverged;
    }
  }
  return MemberStatus::pending;
}

}  // namespace rodeo
