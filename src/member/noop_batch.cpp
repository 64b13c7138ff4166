#include "rodeo/member/noop_batch.hpp"

#include "rodeo/observe/observables.hpp"

namespace rodeo {

namespace {

std::vector<double> seconds_of(std::span<const MemberJob> jobs) {
  std::vector<double> seconds;
  for (const MemberJob& job : jobs) seconds.push_back(job.spec.noop_seconds);
  return seconds;
}

}  // namespace

NoopBatch::NoopBatch(std::span<const MemberJob> jobs) : waits_(seconds_of(jobs)), outcomes_(jobs.size()) {
  for (MemberOutcome& outcome : outcomes_) outcome.observables = unknown_observables();
}

bool NoopBatch::advance() {
  for (const std::size_t ended = waits_.advance(); ended_ < ended; ++ended_) {
    MemberOutcome& outcome = outcomes_[ended_];
    outcome.wall_seconds = waits_.seconds(ended_);
    outcome.steps = 1;
    outcome.status = MemberStatus::done;
  }
  return ended_ < outcomes_.size();
}

}  // namespace rodeo
