#include "rodeo/member/waits.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace rodeo {

namespace {

/// Longest wait of one slice: what a signal or a message may have to wait for, s.
constexpr double longest_wait = 0.02;

}  // namespace

std::size_t Waits::advance() {
  const auto start = std::chrono::steady_clock::now();
  double left = longest_wait;
  while (next_ < seconds_.size() && left > 0.0) {
    const double wait = std::min(left, seconds_[next_] - waited_);
    left -= wait;
    if (wait > 0.0) {
      // Towards one absolute instant a slice, so that the clock's overshoot does not add up.
      std::this_thread::sleep_until(start + std::chrono::duration<double>(longest_wait - left));
      waited_ += wait;
    }
    if (waited_ < seconds_[next_]) break;
    waited_ = 0.0;
    ++next_;
  }
  return next_;
}

}  // namespace rodeo
