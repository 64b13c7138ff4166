#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rodeo/spec/place.hpp"

namespace rodeo {

/// How the values along rods become one.
enum class AlongKind { max, min, mean, integral };

/// What a variable of an expression stands for.
struct OperandSpec {
  enum class Kind {
    time,        ///< s
    observable,  ///< as it stands
    signal,
    along  ///< of an expression that is evaluated all along the rods
  };
  Kind kind = Kind::time;
  std::size_t place = 0;  ///< in `observables`, or in `signals`
  Place at = {};          ///< of a signal; of `along` the rod
  AlongKind along = AlongKind::max;
  std::string expression = {};             ///< that goes along, of variables v0, v1, ...
  std::vector<OperandSpec> operands = {};  ///< its variables
};

/// What becomes of an expression over time.
enum class ReductionKind { last, at, max, min, mean, rms, integral, first_time };

struct ReductionSpec {
  ReductionKind kind = ReductionKind::last;
  std::string expression;             ///< of variables v0, v1, ...
  std::vector<OperandSpec> operands;  ///< its variables
  std::int64_t first_step = 0;        ///< of the window; of `at` the step
  std::int64_t last_step = 0;
  bool over_period = false;  ///< the window is the member's last muscle.period
};

/// An observable that the deck defines: arithmetic with reductions of signals.
struct MeasureSpec {
  std::string expression;  ///< of variables v0, v1, ...: the measures before this one, then its reductions
  std::vector<ReductionSpec> reductions;
};

}  // namespace rodeo
