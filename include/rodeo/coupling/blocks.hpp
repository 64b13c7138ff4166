#pragma once

#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/coupling/coupled_matrix.hpp"
#include "rodeo/coupling/links.hpp"
#include "rodeo/math/matrix3.hpp"

namespace rodeo::coupling {

template <std::size_t size>
Matrix3 block_at(const double (&matrix)[size][size], std::size_t row, std::size_t column) {
  const auto entries = [&](std::size_t i) {
    const double* const entry = &matrix[row + i][column];
    return Vec3{entry[0], entry[1], entry[2]};
  };
  return {entries(0), entries(1), entries(2)};
}

/// Calls add(row, column, block) with the blocks of each link, by first unknowns. Velocities change by `rate`
/// times the displacements, 1/s.
template <class Add>
void for_each_block(const Links& links, double rate, const Add& add) {
  links.for_each_matrix(rate, [&](std::size_t link, const SpanMatrix& block) {
    const SpanPair& spans = links.spans()[link];
    for (std::size_t a = 0; a < 2; ++a) {
      for (std::size_t b = 0; b < 2; ++b) {
        for (int i = 0; i < spans[a].size; i += 3) {
          for (int j = 0; j < spans[b].size; j += 3) {
            add(spans[a].first + i, spans[b].first + j,
                block_at(block, span_size * a + static_cast<std::size_t>(i),
                         span_size * b + static_cast<std::size_t>(j)));
          }
        }
      }
    }
  });
}

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
