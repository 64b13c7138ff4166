#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rodeo {

/// Pattern of a square sparse matrix: compressed columns, rows rising.
struct SparsePattern {
  std::vector<int> column_start;  ///< [size + 1]
  std::vector<int> row;           ///< [entries]

  int size() const { return static_cast<int>(column_start.size()) - 1; }

  /// Place of an entry among the values; it must exist.
  std::size_t place(int i, int j) const {
    const auto column = static_cast<std::size_t>(j);
    const auto begin = row.begin() + column_start[column];
    const auto end = row.begin() + column_start[column + 1];
    return static_cast<std::size_t>(std::lower_bound(begin, end, i) - row.begin());
  }
};

}  // namespace rodeo
