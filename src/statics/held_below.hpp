#pragma once

#include <cmath>
#include <optional>

#include "rodeo/math/pack.hpp"
#include "rodeo/tangent/held_unknowns.hpp"

namespace rodeo::statics {

/// Counts the held unknowns of a rod that a share of the inertia makes negative: they count as eigenvalues of
/// the matrix, and are none. `diagonal`: of the matrix, which a node that slides has across its axis too
/// unless it is `across` there. In packs each lane is a rod.
template <class Number>
Number held_below(const tangent::HeldUnknowns& held, int unknowns, const Number& share, const Number* inertia,
                  const Number* diagonal, std::optional<double> across = {}) {
  Number below(0.0);
  for (int first = 0; first < unknowns; first += 3) {
    const Matrix3 freedom = held.freedom(first);
    for (int c = 0; c < 3; ++c) {
      const double part = 1.0 - freedom(c, c);  // of a node that moves along an axis those of two add up to 2
      if (part == 0.0) continue;
      const bool is_known = across && freedom(c, c) > 0.0;
      const Number entry = (is_known ? Number(*across) : diagonal[first + c]) + share * inertia[first + c];
      below += select(entry < Number(0.0), Number(part), Number(0.0));
    }
  }
  return below;
}

}  // namespace rodeo::statics
