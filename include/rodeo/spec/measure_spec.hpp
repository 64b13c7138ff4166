#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rodeo/math/formula.hpp"
#include "rodeo/spec/place.hpp"

namespace rodeo {

/// Reduction of the values along rods to one.
enum class AlongKind { max, min, mean, integral };

/// Meaning of a variable of a formula.
struct OperandSpec {
  enum class Kind {
    time,        ///< s
    observable,  ///< as it stands
    signal,
    control,  ///< a number of the member's control
    along     ///< of a formula that is evaluated all along the rods
  };
  Kind kind = Kind::time;
  std::size_t place = 0;  ///< in `observables`, in `signals`, or among the numbers of the control
  Place at = {};          ///< of a signal; of `along` the rod
  AlongKind along = AlongKind::max;
  Formula formula = Formula::slot(0);      ///< that goes along, of its operands
  std::vector<OperandSpec> operands = {};  ///< what its slots stand for
};

/// Reduction of a formula over time.
enum class ReductionKind { last, at, max, min, mean, rms, integral, first_time };

struct ReductionSpec {
  ReductionKind kind = ReductionKind::last;
  Formula formula = Formula::slot(0);  ///< of its operands
  std::vector<OperandSpec> operands;   ///< what its slots stand for
  std::int64_t first_step = 0;         ///< of the window; of `at` the step
  std::int64_t last_step = 0;
  bool over_period = false;  ///< the window is the member's last muscle.period
};

/// An observable that the deck defines: arithmetic with reductions of signals.
struct MeasureSpec {
  Formula formula = Formula::slot(0);  ///< its slots: the measures before this one, then its reductions
  std::vector<ReductionSpec> reductions;
};

}  // namespace rodeo
