#pragma once

#include <cmath>
#include <cstdint>

#include "rodeo/observe/observable.hpp"

namespace rodeo {

/// When a member of a search is pruned (optimize.largest_gain). Each whole muscle.period that begins after
/// `settled` bounds the objective: at the end it is taken to be better than over this period by `gain` at
/// most. A member whose bound is worse than `limit` ends. Periods are counted back from the end.
struct EarlyStopping {
  const Observable* objective = nullptr;  ///< a mean over a period; null: the member runs to its end
  bool largest = true;                    ///< is best; else the smallest
  double gain = 0.0;                      ///< unit of the objective
  double settled = 0.0;                   ///< s
  double limit = std::nan("");            ///< the member ends when it cannot reach this; NaN: none

  /// By how much objective `a` is better than `b`.
  double better_by(double a, double b) const { return largest ? a - b : b - a; }

  /// The best objective of a member with this objective over a period.
  double bound(double objective_so_far) const { return objective_so_far + (largest ? gain : -gain); }
};

/// The steps of one muscle.period, to the nearest; 0 if there is none or time.end is less than a period.
std::int64_t period_steps(const MemberSpec& spec);

/// Whether the period that begins at this step bounds the objective.
bool bounds_objective(const MemberSpec& spec, const EarlyStopping& early_stopping, std::int64_t first_step);

}  // namespace rodeo
