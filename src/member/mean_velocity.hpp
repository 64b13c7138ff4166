#pragma once

#include "rodeo/member/period_steps.hpp"

#include "last_period.hpp"
#include "observer.hpp"

namespace rodeo {

inline Vec3 centre_of_mass(const Sample& s) { return (1.0 / s.mass) * s.first_moment; }

/// Mean velocity of the centre of mass over a muscle.period, m/s.
inline Vec3 mean_velocity(const MemberSpec& spec, const Vec3& period_start, const Vec3& period_end) {
  return (1.0 / (static_cast<double>(period_steps(spec)) * spec.time.step)) * (period_end - period_start);
}

/// The mean velocity of a member over the last muscle.period.
class MeanVelocity {
 public:
  void start(const MemberJob& job, MemberOutcome&) {
    if (period_steps(job.spec) > 0) period_ = LastPeriod(job.spec);
  }
  MemberStatus slice(const Look& look) {
    if (period_.begins_at(look.steps)) start_.turn(centre_of_mass(look.sample));
    return MemberStatus::pending;
  }
  void finish(const Look& look, Observation& observation) const {
    const bool ended = look.status == MemberStatus::done || look.status == MemberStatus::settled;
    if (!period_.exists() || !ended) return;
    const Vec3 start = start_.last(period_, look.steps, [](Vec3&, const Vec3&) {});
    observation.mean_velocity = mean_velocity(look.spec, start, centre_of_mass(look.sample));
  }
  void visit(StateArchive& archive) { archive.visit(start_); }
  std::int64_t next_look(std::int64_t steps) const { return period_.next(steps); }

 private:
  LastPeriod period_;
  OfPeriod<Vec3> start_ = {};  ///< centre of mass where it begins, and its quarters, m
};

}  // namespace rodeo
