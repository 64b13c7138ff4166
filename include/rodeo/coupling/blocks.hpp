#pragma once

#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/coupling/coupled_matrix.hpp"
#include "rodeo/math/matrix3.hpp"

namespace rodeo::coupling {

/// Calls add(row, column, block) with the blocks of a pair of elements in contact, which has all turns of its
/// elements or none.
template <class Add>
void for_each_block(const PairNodes& nodes, const contact::PairMatrix& block, const Add& add) {
  const PairPlaces places{nodes, block.turns()};
  for (int a = 0; a < places.count(); ++a) {
    for (int b = 0; b < places.count(); ++b) {
      const auto entries = [&](int i) {
        const double* const entry = block[places.row(a) + i] + places.row(b);
        return Vec3{entry[0], entry[1], entry[2]};
      };
      add(places.first(a), places.first(b), Matrix3{entries(0), entries(1), entries(2)});
    }
  }
}

}  // namespace rodeo::coupling
