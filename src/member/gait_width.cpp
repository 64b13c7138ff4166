#include "gait_width.hpp"

#include <cmath>

#include "rodeo/member/early_stopping.hpp"
#include "rodeo/observe/speed.hpp"

namespace rodeo {

/// A body is a rod, or rods that are joined. Forward is where its last rod, the head, points.
void GaitWidth::start(const MemberJob& job, MemberOutcome&) {
  const std::int64_t period = period_steps(job.spec);
  if (period == 0) return;
  first_step_ = job.spec.time.steps - period;
  for (int k = 0; k < job.spec.rod_count(); ++k) {
    const MemberSpec rod = rod_alone(job.spec, k);
    if (rod.joint == JointKind::none) envelopes_.emplace_back();
    envelopes_.back().across = observe::lateral_direction(rod);
  }
}

MemberStatus GaitWidth::slice(const Look& look) {
  if (envelopes_.empty() || look.steps < first_step_) return MemberStatus::pending;
  std::size_t bodies = 0;
  for (std::size_t k = 0; k < look.places.size(); ++k) {
    if (look.places[k].joint == JointKind::none) ++bodies;
    envelopes_[bodies - 1].widen(look.rods.each()[k]);
  }
  return MemberStatus::pending;
}

void GaitWidth::finish(const Look& look, Observation& observation) const {
  if (look.status != MemberStatus::done) return;
  for (const observe::Envelope& envelope : envelopes_) {
    observation.gait_width = std::fmax(observation.gait_width, envelope.width());
  }
}

}  // namespace rodeo
