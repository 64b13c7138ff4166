#pragma once

#include <cmath>
#include <cstdint>

#include "rodeo/observe/observable.hpp"

namespace rodeo {

/// What a member of a search may still reach, and what it must reach to matter (optimize.largest_gain): after
/// each whole muscle.period that begins when the member has settled, the objective at the end is taken to be
/// better than over this period by `gain` at most. Periods are counted back from the end.
struct Prospect {
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

/// Whether a period that tells something about the end begins at this step.
bool is_telling_period(const MemberSpec& spec, const Prospect& prospect, std::int64_t first_step);

}  // namespace rodeo
