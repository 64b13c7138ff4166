#include "rodeo/member/waiting_batch.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "rodeo/observe/observables.hpp"

namespace rodeo {

namespace {

/// Longest wait of one slice: what a signal or a message may have to wait for, s.
constexpr double longest_wait = 0.02;

}  // namespace

WaitingBatch::WaitingBatch(std::vector<double> seconds, std::size_t measures)
    : seconds_(std::move(seconds)), outcomes_(seconds_.size()) {
  for (MemberOutcome& outcome : outcomes_) outcome.observables = unknown_observables(measures);
}

bool WaitingBatch::advance() {
  const auto start = std::chrono::steady_clock::now();
  double left = longest_wait;
  while (waiting_ < outcomes_.size() && left > 0.0) {
    MemberOutcome& outcome = outcomes_[waiting_];
    const double wait = std::min(left, seconds_[waiting_] - outcome.wall_seconds);
    left -= wait;
    if (wait > 0.0) {
      // Towards one absolute instant a slice, so that the clock's overshoot does not add up.
      std::this_thread::sleep_until(start + std::chrono::duration<double>(longest_wait - left));
      outcome.wall_seconds += wait;
    }
    if (outcome.wall_seconds < seconds_[waiting_]) break;
    outcome.wall_seconds = seconds_[waiting_];
    outcome.steps = 1;
    finish(waiting_, outcome);
    next();
  }
  return waiting_ < outcomes_.size();
}

void WaitingBatch::next() {
  while (waiting_ < outcomes_.size() && outcomes_[waiting_].status != MemberStatus::pending) ++waiting_;
}

void WaitingBatch::visit_state(std::size_t member, StateArchive& archive) {
  archive.visit(outcomes_[member].wall_seconds);
}

void WaitingBatch::time_out(std::size_t member) {
  outcomes_[member].status = MemberStatus::timed_out;
  next();
}

}  // namespace rodeo
