#include "gait_width.hpp"

#include <cmath>

#include "rodeo/member/period_steps.hpp"
#include "rodeo/observe/gait.hpp"

namespace rodeo {

/// A body is a rod, or rods that are joined. Forward is where its last rod, the head, points.
void GaitWidth::start(const MemberJob& job, MemberOutcome&) {
  if (period_steps(job.spec) == 0) return;
  period_ = LastPeriod(job.spec);
  for (int k = 0; k < job.spec.rod_count(); ++k) {
    const MemberSpec rod = rod_alone(job.spec, k);
    if (rod.joint == JointKind::none) envelopes_.emplace_back();
    envelopes_.back().now.across = observe::lateral_direction(rod);
  }
}

MemberStatus GaitWidth::slice(const Look& look) {
  if (envelopes_.empty() || look.steps < period_.first()) return MemberStatus::pending;
  widen(look);
  if (!period_.begins_at(look.steps)) return MemberStatus::pending;
  for (OfPeriod<observe::Envelope>& envelope : envelopes_) envelope.turn({envelope.now.across});
  widen(look);
  return MemberStatus::pending;
}

void GaitWidth::widen(const Glance& look) {
  std::size_t bodies = 0;
  for (std::size_t k = 0; k < look.places.size(); ++k) {
    if (look.places[k].joint == JointKind::none) ++bodies;
    envelopes_[bodies - 1].now.widen(look.rods.each()[k]);
  }
}

void GaitWidth::finish(const Look& look, Observation& observation) const {
  if (look.status != MemberStatus::done && look.status != MemberStatus::settled) return;
  for (const OfPeriod<observe::Envelope>& envelope : envelopes_) {
    const observe::Envelope last = envelope.last(
        period_, look.steps, [](observe::Envelope& all, const observe::Envelope& next) { all.widen(next); });
    observation.gait_width = std::fmax(observation.gait_width, last.width());
  }
}

}  // namespace rodeo
