#pragma once

#include <limits>

#include "rodeo/member/early_stopping.hpp"

namespace rodeo {

/// Where the period may begin that is a member's last: so long before time.end, or, where members may settle,
/// at any whole period before it, since a member may end with each.
class LastPeriod {
 public:
  LastPeriod() = default;
  explicit LastPeriod(const MemberSpec& spec)
      : period_(spec.settle.acts() ? spec.settle.period_steps : period_steps(spec)),
        end_(spec.time.steps),
        repeats_(spec.settle.acts()) {}

  bool exists() const { return period_ > 0; }

  bool begins_at(std::int64_t step) const {
    if (!exists()) return false;
    return repeats_ ? (end_ - step) % period_ == 0 : step == end_ - period_;
  }

  /// The first step after `step` at which one may begin.
  std::int64_t next(std::int64_t step) const {
    if (!exists() || step >= end_) return std::numeric_limits<std::int64_t>::max();
    if (repeats_) return end_ - (end_ - step - 1) / period_ * period_;
    return step < end_ - period_ ? end_ - period_ : std::numeric_limits<std::int64_t>::max();
  }

  std::int64_t steps() const { return period_; }

 private:
  std::int64_t period_ = 0;  ///< steps; 0: there is none
  std::int64_t end_ = 0;
  bool repeats_ = false;
};

/// What an observer has found of the present period and, where one ends as the next begins, of that.
template <class Found>
struct OfPeriod {
  Found now;
  Found ended;

  /// The next period begins.
  void turn(const Found& fresh) {
    ended = now;
    now = fresh;
  }
};

}  // namespace rodeo
