#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rodeo/math/formula.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo {

/// A place along a rod, as lines of a deck name it.
struct Place {
  enum class Kind {
    whole,    ///< the rod, or all of them
    every,    ///< one after the other, in what goes along a rod
    node,     ///< one of its nodes
    element,  ///< one of its elements
    arc,      ///< a point of the rod at rest
    range,    ///< all between two such points
    start,    ///< the first node, or element
    middle,   ///< half of the rest length
    end       ///< the last node, or element
  };
  Kind kind = Kind::whole;
  int rod = -1;      ///< negative: all
  int index = 0;     ///< node or element
  double arc = 0.0;  ///< rest length from the first node, over that of the rod
  double to = 1.0;   ///< where a range ends
};

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

/// A measured position that a member's rods are compared with.
struct DataPoint {
  double time = 0.0;      ///< s
  Place at = {};          ///< of a rod: a node from 0, or a place along it at rest
  Vec3 position;          ///< m; NaN where it is not known
  double weight = 1.0;    ///< >= 0
  std::int64_t step = 0;  ///< the last step that ends at that time or before
  double share = 0.0;     ///< of the step after it, until that time: in [0, 1)
};

using MeasuredData = std::vector<DataPoint>;

}  // namespace rodeo
