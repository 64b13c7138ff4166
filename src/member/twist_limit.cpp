#include "twist_limit.hpp"

#include <algorithm>
#include <limits>

#include "rodeo/member/region_turns.hpp"

namespace rodeo {

namespace {

/// Least energy that turns two neighbouring elements by most_turn, J; 0 where natural curvature and twist,
/// which cost nothing, may do part of that.
double least_energy(const MemberSpec& spec) {
  if (spec.sections_shrink > 0.0) return 0.0;  // the stiffness falls with them
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    const bool may_be_uneven = rod.shape != RodShape::straight || rod.end_radius_ratio != 1.0;
    const Vec3& natural = rod.intrinsic_curvature;
    if (may_be_uneven || dot(natural, natural) != 0.0 || !spec.actuation.empty()) return 0.0;
    const double stiffness = std::min(rod.weaker_bend_stiffness(), rod.twist_stiffness);
    least = std::min(least, 0.5 * stiffness * most_turn * most_turn * rod.elements / rod.length);
  }
  return least;
}

}  // namespace

void TwistLimit::start(const MemberJob& job, MemberOutcome&) {
  become(job.spec);
  bends_without_end_ = job.spec.model == ModelKind::der;
}

void TwistLimit::become(const MemberSpec& spec) { safe_energy_ = least_energy(spec); }

MemberStatus TwistLimit::slice(const Look& look) {
  if (look.sample.bend_energy + look.sample.twist_energy < safe_energy_) return MemberStatus::pending;
  for (const ConstRodView& rod : look.rods.each()) {
    for (int region = -1; region < rod.elements; ++region) {
      if (!minds_turns(rod, region)) continue;
      const Quaternion turn = turn_between(rod, region);
      if (bends_without_end_ ? is_twisted_over(turn) : is_turned_over(turn)) return MemberStatus::diverged;
    }
  }
  return MemberStatus::pending;
}

}  // namespace rodeo
