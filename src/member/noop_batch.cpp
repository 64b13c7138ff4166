#include "rodeo/member/noop_batch.hpp"

namespace rodeo {

namespace {

std::vector<double> seconds_of(std::span<const MemberJob> jobs) {
  std::vector<double> seconds;
  for (const MemberJob& job : jobs) seconds.push_back(job.spec.noop_seconds);
  return seconds;
}

}  // namespace

NoopBatch::NoopBatch(std::span<const MemberJob> jobs) : WaitingBatch(seconds_of(jobs)) {}

void NoopBatch::finish(std::size_t, MemberOutcome& outcome) const { outcome.status = MemberStatus::done; }

}  // namespace rodeo
