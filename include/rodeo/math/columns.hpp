#pragma once

#include <cstddef>
#include <cstdint>

#include "rodeo/math/lanes.hpp"
#include "rodeo/math/vec3.hpp"

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define RODEO_TURNS_VECTORS
#endif

namespace rodeo {

/// Numbers in a row that is fetched as a whole: a cache line of doubles.
inline constexpr int row_size = 8;

#if defined(RODEO_TURNS_VECTORS)
namespace detail {

using RowVector [[gnu::vector_size(64)]] = double;
using RowInMemory [[gnu::vector_size(64), gnu::aligned(alignof(double)), gnu::may_alias]] = double;

/// Turns rows into columns: pairs of numbers first, then pairs of pairs, which are the moves that vector
/// units do best.
[[gnu::always_inline]] inline void transpose(RowVector (&rows)[row_size]) {
  RowVector pairs[row_size];
  for (int k = 0; k < row_size; k += 2) {
    pairs[k] = __builtin_shufflevector(rows[k], rows[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    pairs[k + 1] = __builtin_shufflevector(rows[k], rows[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int odd = 0; odd < 2; ++odd) {
    const RowVector low_even = __builtin_shufflevector(pairs[odd], pairs[2 + odd], 0, 1, 4, 5, 8, 9, 12, 13);
    const RowVector low_odd = __builtin_shufflevector(pairs[odd], pairs[2 + odd], 2, 3, 6, 7, 10, 11, 14, 15);
    const RowVector high_even =
        __builtin_shufflevector(pairs[4 + odd], pairs[6 + odd], 0, 1, 4, 5, 8, 9, 12, 13);
    const RowVector high_odd =
        __builtin_shufflevector(pairs[4 + odd], pairs[6 + odd], 2, 3, 6, 7, 10, 11, 14, 15);
    rows[odd] = __builtin_shufflevector(low_even, high_even, 0, 1, 4, 5, 8, 9, 12, 13);
    rows[2 + odd] = __builtin_shufflevector(low_odd, high_odd, 0, 1, 4, 5, 8, 9, 12, 13);
    rows[4 + odd] = __builtin_shufflevector(low_even, high_even, 2, 3, 6, 7, 10, 11, 14, 15);
    rows[6 + odd] = __builtin_shufflevector(low_odd, high_odd, 2, 3, 6, 7, 10, 11, 14, 15);
  }
}

}  // namespace detail
#endif

/// Prefetches a row that will be read soon. Rows in no order would otherwise be waited for one by one.
KOKKOS_FORCEINLINE_FUNCTION void ask_for([[maybe_unused]] const double* row) {
#if defined(RODEO_TURNS_VECTORS)
  __builtin_prefetch(row);
#endif
}

/// The rows of a block of entries, column by column, as loops over lanes read them. Each row is one cache
/// line, which can be asked for ahead of time; numbers of one entry in arrays of their own are as many lines.
struct BlockOfColumns {
  alignas(64) double column[row_size][block_size];

  /// Reads rows which[0] … which[block_size - 1] of `rows`, each a cache line.
  KOKKOS_FORCEINLINE_FUNCTION void fetch(const double* rows, const int* which) {
#if defined(RODEO_TURNS_VECTORS)
    static_assert(block_size == row_size);
    detail::RowVector turned[row_size];
    for (int lane = 0; lane < block_size; ++lane)
      turned[lane] = reinterpret_cast<const detail::RowInMemory*>(rows)[which[lane]];
    detail::transpose(turned);
    for (int c = 0; c < row_size; ++c) *reinterpret_cast<detail::RowInMemory*>(column[c]) = turned[c];
#else
    for (int lane = 0; lane < block_size; ++lane) {
      const double* const row = rows + std::ptrdiff_t{row_size} * which[lane];
      for (int c = 0; c < row_size; ++c) column[c][lane] = row[c];
    }
#endif
  }

  /// Writes or reads a vector in columns c to c + 2.
  KOKKOS_FORCEINLINE_FUNCTION void set(int c, std::int64_t lane, const Vec3& v) {
    column[c][lane] = v.x;
    column[c + 1][lane] = v.y;
    column[c + 2][lane] = v.z;
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3 vec3(int c, std::int64_t lane) const {
    return {column[c][lane], column[c + 1][lane], column[c + 2][lane]};
  }

  /// Writes to consecutive rows.
  KOKKOS_FORCEINLINE_FUNCTION void store(double* rows) const {
#if defined(RODEO_TURNS_VECTORS)
    detail::RowVector turned[row_size];
    for (int c = 0; c < row_size; ++c) turned[c] = *reinterpret_cast<const detail::RowInMemory*>(column[c]);
    detail::transpose(turned);
    for (int lane = 0; lane < block_size; ++lane)
      reinterpret_cast<detail::RowInMemory*>(rows)[lane] = turned[lane];
#else
    for (int lane = 0; lane < block_size; ++lane) {
      for (int c = 0; c < row_size; ++c) rows[row_size * lane + c] = column[c][lane];
    }
#endif
  }
};

}  // namespace rodeo
