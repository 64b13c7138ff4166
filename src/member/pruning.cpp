#include "pruning.hpp"

#include <limits>
#include <utility>

#include "mean_velocity.hpp"

namespace rodeo {

void Pruning::start(const MemberJob& job, MemberOutcome&) {
  rule_ = job.early_stopping;
  last_step_ = job.spec.time.steps;
  if (rule_.objective != nullptr) period_ = period_steps(job.spec);
}

/// Periods are counted back from the end.
std::int64_t Pruning::next_look(std::int64_t steps) const {
  if (period_ == 0) return std::numeric_limits<std::int64_t>::max();
  return last_step_ - (last_step_ - steps - 1) / period_ * period_;
}

MemberStatus Pruning::slice(const Look& look) {
  if (period_ == 0 || look.steps == last_step_ || (last_step_ - look.steps) % period_ != 0) {
    return MemberStatus::pending;
  }
  const Vec3 start = std::exchange(found_.period_start, centre_of_mass(look.sample));
  if (!bounds_objective(look.spec, rule_, look.steps - period_)) return MemberStatus::pending;
  Observation observation = look.observe();
  observation.mean_velocity = mean_velocity(look.spec, start, found_.period_start);
  const double objective = rule_.objective->value(observation);
  if (!(rule_.better_by(objective, found_.worst_objective) >= 0.0)) found_.worst_objective = objective;
  found_.bound = rule_.bound(objective);
  return rule_.better_by(rule_.limit, found_.bound) > 0.0 ? MemberStatus::pruned : MemberStatus::pending;
}

void Pruning::finish(const Look& look, Observation& observation) const {
  if (look.status == MemberStatus::pruned) observation.objective_bound = found_.bound;
  const bool ended = look.status == MemberStatus::done || look.status == MemberStatus::settled;
  if (ended && rule_.objective != nullptr) {
    observation.objective_gain = rule_.better_by(rule_.objective->value(observation), found_.worst_objective);
  }
}

}  // namespace rodeo
