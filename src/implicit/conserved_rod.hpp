#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/linear/banded_matrix.hpp"

#include "moving_rods.hpp"

namespace rodeo::implicit {

/// A rod in a step that conserves energy and momenta.
struct ConservedRod {
  explicit ConservedRod(const CosseratRod& r)
      : elements(r.rod.elements),
        matrix(r.unknowns(), tangent::half_bandwidth),
        position(static_cast<std::size_t>(elements + 1)),
        orientation(static_cast<std::size_t>(elements + 2)),
        start_stress(static_cast<std::size_t>(elements)),
        predicted(start_stress.size()),
        regions(static_cast<std::size_t>(elements + 1)) {}

  Quaternion& frame(int i) { return orientation[static_cast<std::size_t>(i + 1)]; }
  const Quaternion& frame(int i) const { return orientation[static_cast<std::size_t>(i + 1)]; }
  Vec3 edge(int i) const {
    const auto k = static_cast<std::size_t>(i);
    return position[k + 1] - position[k];
  }

  int elements;
  BandedMatrix matrix;
  std::vector<Vec3> position;                       ///< of nodes at the end
  std::vector<Quaternion> orientation;              ///< of elements at the end, -1 ... n
  std::vector<Vec3> start_stress;                   ///< p of elements at the start, body
  std::vector<Vec3> predicted;                      ///< the mean stress that the last iteration predicted
  std::vector<tangent::BendTwist<double>> regions;  ///< at the start, -1 ... n - 1

  // Matrix blocks of the couple across the seam of a closed rod: on element 0 and the last element by the
  // turn of element 0, and on element 0 by that of the last element.
  Matrix3 first_by_first;
  Matrix3 last_by_first;
  Matrix3 first_by_last;
};

}  // namespace rodeo::implicit
