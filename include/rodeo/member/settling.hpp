#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "rodeo/member/state_archive.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Whether observe.settle can end a member before time.end: the values over observe.settle_periods are
/// compared, the first of which is known after a whole period.
inline bool can_settle(const MemberSpec& member) {
  const SettleSpec& settle = member.settle;
  return settle.acts() && 4 * member.time.steps / settle.period_steps > 4 + settle.quarters();
}

/// Whether an observable that is looked at each quarter of a period has settled (deck key observe.settle).
class Settling {
 public:
  Settling() = default;
  explicit Settling(const SettleSpec& rule)
      : tolerance_(rule.tolerance),
        quarters_(static_cast<std::size_t>(rule.quarters())),
        values_(2 * quarters_ + 1, std::nan("")) {}

  /// Takes in the value at a look after which so many quarters are left; returns whether it has settled.
  ///
  /// It has when the values over so many quarters spread by no more than the tolerance, relative to the last
  /// one, and it would not change by more in all that is left either. What is left follows from the last two
  /// changes over so many quarters: changes that shrink go on as a geometric series, others of one sign go on
  /// as they are, and those that change their sign do not add up.
  bool add(double value, std::int64_t quarters_left) {
    std::rotate(values_.begin(), values_.begin() + 1, values_.end());
    values_.back() = value;
    const auto recent = std::span(values_).last(quarters_ + 1);
    if (std::ranges::any_of(recent, [](double v) { return std::isnan(v); })) return false;
    const auto [lowest, highest] = std::ranges::minmax(recent);
    const double allowed = tolerance_ * std::abs(value);
    const double former = recent.front() - values_.front();
    const double times = static_cast<double>(quarters_left) / static_cast<double>(quarters_);
    return highest - lowest <= allowed && left(value - recent.front(), former, times) <= allowed;
  }

  void visit(StateArchive& archive) { archive.visit(std::span(values_)); }

 private:
  /// Change expected in `times` further intervals as long as that of the last change.
  static double left(double change, double former, double times) {
    if (change == 0.0) return 0.0;
    const double ratio = change / former;
    if (ratio < 0.0) return std::abs(change);
    const bool shrinks = ratio < 1.0;  // not where the former is unknown
    return std::abs(change) * (shrinks ? std::fmin(ratio / (1.0 - ratio), times) : times);
  }

  double tolerance_ = 0.0;
  std::size_t quarters_ = 1;    ///< over which values are compared
  std::vector<double> values_;  ///< at the last looks, twice as far back and in order; NaN: not known
};

}  // namespace rodeo
