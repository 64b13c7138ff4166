#include "rodeo/member/noop_batch.hpp"

#include <algorithm>
#include <limits>
#include <thread>

#include "rodeo/observe/observables.hpp"

namespace rodeo {

namespace {

/// Longest wait of one slice: what a signal or a message may have to wait for, s.
constexpr double longest_wait = 0.02;

}  // namespace

NoopBatch::NoopBatch(std::span<const MemberJob> jobs) {
  for (const MemberJob& job : jobs) {
    seconds_.push_back(job.spec.noop_seconds);
    MemberOutcome outcome;
    outcome.observables.assign(observables.size(), std::numeric_limits<double>::quiet_NaN());
    outcomes_.push_back(std::move(outcome));
  }
}

bool NoopBatch::advance() {
  const auto start = std::chrono::steady_clock::now();
  double left = longest_wait;
  while (next_ < seconds_.size()) {
    MemberOutcome& outcome = outcomes_[next_];
    const double wait = std::min(left, seconds_[next_] - waited_);
    left -= wait;
    if (wait > 0.0) {
      // Towards one absolute instant a slice, so that the clock's overshoot does not add up.
      std::this_thread::sleep_until(start + std::chrono::duration<double>(longest_wait - left));
      waited_ += wait;
    }
    if (waited_ < seconds_[next_]) break;
    outcome.wall_seconds = waited_;
    outcome.steps = 1;
    outcome.status = MemberStatus::done;
    waited_ = 0.0;
    ++next_;
    if (left <= 0.0) break;
  }
  return next_ < seconds_.size();
}

}  // namespace rodeo
