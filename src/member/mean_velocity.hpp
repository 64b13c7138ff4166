#pragma once

#include "rodeo/member/early_stopping.hpp"

#include "observer.hpp"

namespace rodeo {

inline Vec3 centre_of_mass(const Sample& s) { return (1.0 / s.mass) * s.first_moment; }

/// Of the centre of mass over a muscle.period, m/s.
inline Vec3 mean_velocity(const MemberSpec& spec, const Vec3& period_start, const Vec3& period_end) {
  return (1.0 / (static_cast<double>(period_steps(spec)) * spec.time.step)) * (period_end - period_start);
}

/// The mean velocity of a member over the last muscle.period.
class MeanVelocity {
 public:
  void start(const MemberJob& job, MemberOutcome&) {
    const std::int64_t period = period_steps(job.spec);
    if (period > 0) first_step_ = job.spec.time.steps - period;
  }
  MemberStatus slice(const Look& look) {
    if (look.steps == first_step_) start_ = centre_of_mass(look.sample);
    return MemberStatus::pending;
  }
  void finish(const Look& look, Observation& observation) const {
    if (first_step_ < 0 || look.status != MemberStatus::done) return;
    observation.mean_velocity = mean_velocity(look.spec, start_, centre_of_mass(look.sample));
  }
  void visit(StateArchive& archive) { archive.visit(start_); }
  std::int64_t next_look(std::int64_t steps) const {
    return steps < first_step_ ? first_step_ : std::numeric_limits<std::int64_t>::max();
  }

 private:
  std::int64_t first_step_ = -1;  ///< of the last period; negative: there is none
  Vec3 start_;                    ///< centre of mass there, m
};

}  // namespace rodeo
