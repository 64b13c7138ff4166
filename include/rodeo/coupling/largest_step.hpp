#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "rodeo/math/pack.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo::coupling {

/// Largest of the turns or displacements of a step. In packs each lane has its own.
template <class Number>
class LargestStep {
 public:
  void add(const Number* step) { add_squared(square_of(step)); }

  /// Adds a turn or displacement in a unit given by its square.
  void add(const Number* step, const Number& squared_unit) { add_squared(square_of(step) / squared_unit); }

  /// Size of the largest; not finite if any of the step is not.
  double size() const requires std::is_same_v<Number, double> { return size(square_, sum_); }
  double size(int lane) const requires std::is_same_v<Number, DoublePack> {
    return size(square_[lane], sum_[lane]);
  }

  void add_squared(const Number& squared) {
    square_ = select(square_ < squared, squared, square_);
    sum_ += squared;
  }

 private:
  static double size(double square, double sum) { return std::isfinite(sum) ? std::sqrt(square) : sum; }

  static Number square_of(const Number* step) {
    const BasicVec3<Number> v = {step[0], step[1], step[2]};
    return dot(v, v);
  }

  Number square_ = Number(0.0);
  Number sum_ = Number(0.0);  ///< is finite if all of it is
};

/// Largest turn and displacement of a member's rods in a step; not finite if any of the step is not.
struct StepSize {
  double turn = 0.0;   ///< the largest of an element, rad
  double shift = 0.0;  ///< the largest of a node over its rod's length

  double largest() const { return std::isfinite(turn + shift) ? std::max(turn, shift) : turn + shift; }
};

}  // namespace rodeo::coupling
