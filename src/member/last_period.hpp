#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "rodeo/member/period_steps.hpp"

namespace rodeo {

/// Where the period may begin that is a member's last: so long before time.end, or, where members may settle,
/// at any whole number of its quarters before it, since a member may end with each.
class LastPeriod {
 public:
  LastPeriod() = default;
  explicit LastPeriod(const MemberSpec& spec)
      : period_(spec.settle.acts() ? spec.settle.period_steps : period_steps(spec)),
        end_(spec.time.steps),
        slides_(spec.settle.acts()) {}

  bool exists() const { return period_ > 0; }

  /// Whether it may begin at each quarter.
  bool slides() const { return slides_; }

  bool begins_at(std::int64_t step) const {
    if (!exists()) return false;
    if (!slides_) return step == end_ - period_;
    return length((4 * (end_ - step) + period_ - 1) / period_) == end_ - step;
  }

  /// The first step after `step` at which one may begin.
  std::int64_t next(std::int64_t step) const {
    if (!exists() || step >= end_) return std::numeric_limits<std::int64_t>::max();
    if (slides_) return end_ - length((4 * (end_ - step) - 1) / period_);
    return step < end_ - period_ ? end_ - period_ : std::numeric_limits<std::int64_t>::max();
  }

  /// The first step at which one may begin.
  std::int64_t first() const { return next(-1); }

  /// Those that are left at a step where one begins.
  std::int64_t quarters_left(std::int64_t step) const { return (4 * (end_ - step) + period_ - 1) / period_; }

  std::int64_t steps() const { return period_; }

 private:
  /// Steps of so many quarters: of any four in a row exactly a period.
  std::int64_t length(std::int64_t quarters) const { return quarters * period_ / 4; }

  std::int64_t period_ = 0;  ///< steps; 0: there is none
  std::int64_t end_ = 0;
  bool slides_ = false;
};

/// What an observer has found since the last period may have begun for the last time, and in the quarters
/// before, where that slides.
template <class Found>
struct OfPeriod {
  Found now;
  std::array<Found, 4> quarters;  ///< that have ended, from the first to the last

  /// The period may begin here.
  void turn(const Found& fresh) {
    for (std::size_t k = 0; k + 1 < quarters.size(); ++k) quarters[k] = quarters[k + 1];
    quarters.back() = now;
    now = fresh;
  }

  /// Of the last period of a member that ends at this step. `join(all, next)` takes a later part into `all`.
  /// Between quarters it is what there is of the last four.
  template <class Join>
  Found last(const LastPeriod& period, std::int64_t step, const Join& join) const {
    if (!period.slides()) return now;
    const bool whole = period.begins_at(step);
    Found all = whole ? quarters[0] : quarters[1];
    for (std::size_t k = whole ? 1 : 2; k < quarters.size(); ++k) join(all, quarters[k]);
    if (!whole) join(all, now);
    return all;
  }
};

}  // namespace rodeo
