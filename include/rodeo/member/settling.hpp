#pragma once

#include <cmath>
#include <cstdint>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Whether observe.settle can end a member before time.end: of its whole periods the first two or more are
/// compared, and others have to be calm.
inline bool can_settle(const MemberSpec& member) {
  const SettleSpec& settle = member.settle;
  return settle.period_steps > 0 && member.time.steps / settle.period_steps > settle.periods + 1;
}

/// Whether an observable that is known once a period has settled (deck key observe.settle). Plain, for it is
/// saved and restored as it is.
class Settling {
 public:
  /// Takes in its value over a period, after which so many are left; whether it has settled now.
  ///
  /// It has when in so many periods in a row it changed by no more than the tolerance, relative to itself,
  /// and would not change by more in all that is left either. What is left follows from the last two changes:
  /// changes that shrink go on as a geometric series, others of one sign go on as they are, and those that
  /// change their sign do not add up.
  bool add(double value, const SettleSpec& spec, double periods_left) {
    const double change = value - value_;
    const double allowed = spec.tolerance * std::abs(value);
    const bool calm = std::abs(change) <= allowed && left(change, periods_left) <= allowed;
    in_row_ = calm ? in_row_ + 1 : 0;
    change_ = change;
    value_ = value;
    return in_row_ >= spec.periods;
  }

 private:
  double left(double change, double periods_left) const {
    if (std::isnan(change_)) return std::abs(change) * periods_left;
    if (change == 0.0) return 0.0;
    const double ratio = change / change_;
    if (ratio < 0.0) return std::abs(change);
    if (ratio >= 1.0) return std::abs(change) * periods_left;
    return std::abs(change) * std::fmin(ratio / (1.0 - ratio), periods_left);
  }

  double value_ = std::nan("");   ///< over the last period
  double change_ = std::nan("");  ///< from the one before
  std::int64_t in_row_ = 0;       ///< periods that were calm, up to the last
};

}  // namespace rodeo
