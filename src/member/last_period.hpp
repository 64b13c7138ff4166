#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "rodeo/member/period_steps.hpp"

namespace rodeo {

/// Steps at which the last period of a member may begin: one period before time.end or, where members may
/// settle, any whole number of quarters before it, since a member may end with each.
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

  /// Quarters left at a step where a period may begin.
  std::int64_t quarters_left(std::int64_t step) const { return (4 * (end_ - step) + period_ - 1) / period_; }

  std::int64_t steps() const { return period_; }

 private:
  /// Steps in a number of quarters; any four in a row make exactly a period.
  std::int64_t length(std::int64_t quarters) const { return quarters * period_ / 4; }

  std::int64_t period_ = 0;  ///< steps; 0: there is none
  std::int64_t end_ = 0;
  bool slides_ = false;
};

/// Findings of an observer since the last step at which its period could begin and, where periods slide, in
/// the four quarters before.
template <class Found>
struct OfPeriod {
  Found now;
  std::array<Found, 4> quarters;  ///< that have ended, from the first to the last

  /// Begins a quarter, at a step where the period may begin.
  void turn(const Found& fresh) {
    for (std::size_t k = 0; k + 1 < quarters.size(); ++k) quarters[k] = quarters[k + 1];
    quarters.back() = now;
    now = fresh;
  }

  /// Findings over the last period of a member that ends at this step; between quarters, over the last three
  /// and the one that has begun. `join(all, next)` adds a later part to `all`.
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
