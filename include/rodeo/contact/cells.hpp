#pragma once

#include "rodeo/contact/records.hpp"
#include "rodeo/math/scalars.hpp"

namespace rodeo::contact {

/// Cubes that fill the box in which the elements' middles are. The number of a cell is a whole number within
/// a double, x fastest: the neighbours of a row of three cells along x are rows whose numbers differ by the
/// same amount everywhere. Elements farther from the origin than 2^16 cells are in the outermost ones, which
/// is right but slow.
struct Grid {
  static constexpr double along_axis = 131072.0;  // 2^17, of which three make 51 bits
  /// Rows of cells in which later ones near a cell are: its own, and four of the eight around it.
  static constexpr int rows = 5;

  double inverse_edge = 0.0;  ///< 1/m
  Vec3 lowest;                ///< of coordinates
  double row_cells = 1.0;     ///< along x, an empty one at each side
  double layer_cells = 1.0;   ///< along x and y
  double cells = 1.0;         ///< in all

  KOKKOS_FORCEINLINE_FUNCTION static double coordinate(double x, double inverse_edge) {
    const double cell = math::floor(x * inverse_edge) + 0.5 * along_axis;
    const double above = cell > 1.0 ? cell : 1.0;  // 1 for NaN too
    return above < along_axis - 2.0 ? above : along_axis - 2.0;
  }
  KOKKOS_FORCEINLINE_FUNCTION double cell(const Vec3& point) const {
    const double x = coordinate(point.x, inverse_edge) - lowest.x + 1.0;
    const double y = coordinate(point.y, inverse_edge) - lowest.y + 1.0;
    const double z = coordinate(point.z, inverse_edge) - lowest.z + 1.0;
    return x + row_cells * y + layer_cells * z;
  }
  /// Number greater than that of any cell or neighbour of one.
  KOKKOS_FORCEINLINE_FUNCTION double nowhere() const { return cells; }
  /// Difference of the cell in the middle of row r around a cell from that cell.
  KOKKOS_FORCEINLINE_FUNCTION double row(int r) const {
    return r < 2 ? r * row_cells : layer_cells + (r - 3) * row_cells;
  }

  /// Grid of cells around all elements with a radius, by the inverse of its cells' edge, 1/m.
  template <class Team>
  KOKKOS_INLINE_FUNCTION static Grid around(const Team& team, const ContactView& view,
                                            const ConstVec3Array& node, double inverse_edge) {
    const double* const radius = view.lanes(lane_array::radius);
    // Coordinates lie between 1 and along_axis - 2, and none of these numbers is negative.
    const auto largest = [&](const double* x, double sign) {
      return largest_lane(team, view.elements, [=](int i) {
        const double at = coordinate(0.5 * (x[i] + x[i + 1]), inverse_edge);
        const double from = sign > 0.0 ? at : along_axis - at;
        return radius[i] > 0.0 ? from : 0.0;
      });
    };
    const auto extent = [&](const double* x, double& low) {
      low = along_axis - largest(x, -1.0);
      const double high = largest(x, 1.0);
      return high > low ? high - low + 3.0 : 3.0;
    };
    Grid grid;
    grid.inverse_edge = inverse_edge;
    grid.row_cells = extent(node.x, grid.lowest.x);
    grid.layer_cells = grid.row_cells * extent(node.y, grid.lowest.y);
    grid.cells = grid.layer_cells * extent(node.z, grid.lowest.z);
    return grid;
  }
};

namespace detail {

/// Sorts elements by the digits of their cells, the lowest first. Most of the higher ones are the same for
/// all, and need no sorting.
inline void sort_by_digits(const ContactView& view) {
  const int count = view.elements;
  constexpr int bits = 11;
  constexpr int values = 1 << bits;
  double* from = view.cell_lanes(cell_array::unsorted_cell);
  double* to = view.cell_lanes(cell_array::cell);
  int* from_element = view.unsorted_in_cells();
  int* to_element = view.in_cells();
  for (int i = 0; i < count; ++i) from_element[i] = i;
  for (int shift = 0; shift < 52; shift += bits) {
    int start[values + 1] = {};
    const auto digit = [&](int k) {
      return static_cast<int>(static_cast<std::int64_t>(from[k]) >> shift & (values - 1));
    };
    for (int k = 0; k < count; ++k) ++start[digit(k) + 1];
    if (count > 0 && start[digit(0) + 1] == count) continue;
    for (int v = 0; v < values; ++v) start[v + 1] += start[v];
    for (int k = 0; k < count; ++k) {
      const int place = start[digit(k)]++;
      to[place] = from[k];
      to_element[place] = from_element[k];
    }
    double* const sorted = to;
    to = from;
    from = sorted;
    int* const sorted_elements = to_element;
    to_element = from_element;
    from_element = sorted_elements;
  }
  if (from != view.cell_lanes(cell_array::cell)) {
    for (int k = 0; k < count; ++k) {
      to[k] = from[k];
      to_element[k] = from_element[k];
    }
  }
}

/// Sorts elements by their cells; those of the same cell keep their order.
template <class Team>
KOKKOS_INLINE_FUNCTION void sort_by_cell(const Team& team, const ContactView& view) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  const int count = view.elements;
  // Each thread finds the places of its own elements.
  const double* const cell = view.cell_lanes(cell_array::unsorted_cell);
  for_each_lane(team, count, [=](int i) {
    int rank = 0;
    for (int j = 0; j < count; ++j) rank += cell[j] < cell[i] || (cell[j] == cell[i] && j < i) ? 1 : 0;
    view.in_cells()[rank] = i;
    view.cell_lanes(cell_array::cell)[rank] = cell[i];
  });
#else
  once(team, [&] { sort_by_digits(view); });
#endif
}

}  // namespace detail

/// Sorts the elements into the cells of a grid, which are as large as the two farthest-reaching elements can
/// be apart and near each other: then all that is near an element is in its own and the next cells.
template <class Team>
KOKKOS_INLINE_FUNCTION Grid sort_into_cells(const Team& team, const ContactView& view,
                                            const ConstVec3Array& node) {
  const double* const radius = view.lanes(lane_array::radius);
  const double* const listed_reach = view.lanes(lane_array::listed_reach);
  const auto reach_of = [=](int i) {
    return radius[i] > 0.0 ? 0.5 / math::sqrt(inverse_square(view, i)) + listed_reach[i] : 0.0;
  };
  const double largest = largest_lane(team, view.elements, reach_of);
  const Grid grid = Grid::around(team, view, node, 0.5 / detail::larger(largest, 1e-100));
  double* const unsorted_cell = view.cell_lanes(cell_array::unsorted_cell);
  for_each_lane(team, view.elements, [=](int i) {
    const double cell = grid.cell(0.5 * (node(i) + node(i + 1)));
    unsorted_cell[i] = radius[i] > 0.0 ? cell : grid.nowhere();
  });
  detail::sort_by_cell(team, view);
  const int* const element = view.in_cells();
  const Vec3Array middle = view.vec3_cell_lanes(cell_array::middle);
  double* const reach = view.cell_lanes(cell_array::reach);
  for_each_lane(team, view.elements, [=](int k) {
    const int i = element[k];
    middle.set(k, 0.5 * (node(i) + node(i + 1)));
    reach[k] = reach_of(i);
  });
  return grid;
}

namespace detail {

/// Candidates near the elements of one cell after the other, in rising order of cells, that are not before
/// them in that order: the sorted elements of five rows of cells, whose beginnings and ends only move on.
struct NearRows {
  int begin[Grid::rows];
  int end[Grid::rows];

  KOKKOS_INLINE_FUNCTION static int first_not_below(const double* cell, int count, double bound) {
    int low = 0;
    int high = count;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (cell[middle] < bound) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// First cell of row r that counts; in its own row, the cell itself.
  KOKKOS_FORCEINLINE_FUNCTION static double first_cell(const Grid& grid, double here, int r) {
    return r == 0 ? here : here + grid.row(r) - 1.0;
  }

  KOKKOS_INLINE_FUNCTION NearRows(const Grid& grid, const double* cell, int count, double here) {
    for (int r = 0; r < Grid::rows; ++r) {
      begin[r] = first_not_below(cell, count, first_cell(grid, here, r));
      end[r] = begin[r];
    }
  }

  KOKKOS_INLINE_FUNCTION void move_to(const Grid& grid, const double* cell, int count, double here) {
    for (int r = 0; r < Grid::rows; ++r) {
      const double first = first_cell(grid, here, r);
      const double last = here + grid.row(r) + 1.0;
      while (begin[r] < count && cell[begin[r]] < first) ++begin[r];
      if (end[r] < begin[r]) end[r] = begin[r];
      while (end[r] < count && cell[end[r]] <= last) ++end[r];
    }
  }
};

/// Keeps the elements among `others` that element i may touch and that come within both margins of touching
/// it; returns their number.
KOKKOS_INLINE_FUNCTION int keep_near(const ContactView& view, int i, int* others, int count) {
  const double* const reach = view.lanes(lane_array::listed_reach);
  const Segment own = segment(view, i);
  const double own_reach = reach[i];
  int partners = 0;
  for (int k = 0; k < count; ++k) {
    const int j = others[k];
    others[partners] = j;
    partners += view.are_partners(i < j ? i : j, i < j ? j : i) ? 1 : 0;
  }
  count = partners;
  const UnitInterval unit = UnitInterval::unknown();
  int kept = 0;
  for (int start = 0; start < count; start += block_size) {
    int elements[block_size];
    double reaches[block_size];
    for (int lane = 0; lane < block_size; ++lane) {
      elements[lane] = others[start + lane < count ? start + lane : count - 1];
      reaches[lane] = reach[elements[lane]];
    }
    BlockOfSegments other;
    other.fetch(view, elements);
    std::int64_t near[block_size];
    for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) {
      const Vec3 gap = closest_points(own, other(lane), unit).gap;
      near[lane] = math::sqrt(dot(gap, gap)) <= own_reach + reaches[lane] ? 1 : 0;
    });
    const int lanes = count - start < block_size ? count - start : block_size;
    for (int lane = 0; lane < lanes; ++lane) {
      others[kept] = others[start + lane];
      kept += static_cast<int>(near[lane]);
    }
  }
  return kept;
}

}  // namespace detail

/// Calls visit(i, others, count) for elements i with `count` others that each may touch and comes within both
/// margins of touching; in no order, and maybe more than once for the same i. Each pair is among the others
/// of one of its elements. The elements must be sorted into `grid`.
template <class Team, class Visit>
KOKKOS_INLINE_FUNCTION void for_each_near(const Team& team, const ContactView& view, const Grid& grid,
                                          const Visit& visit) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  constexpr int at_once = 1;
#else
  constexpr int at_once = 256;
#endif
  for_each_piece(team, (view.elements + at_once - 1) / at_once, [=](int piece) {
    constexpr int room = 128;
    int others[room];
    const int* const element = view.in_cells();
    const double* const cell = view.cell_lanes(cell_array::cell);
    const Vec3Array middle = view.vec3_cell_lanes(cell_array::middle);
    const double* const reach = view.cell_lanes(cell_array::reach);
    const int from = piece * at_once;
    const int to = from + at_once < view.elements ? from + at_once : view.elements;
    detail::NearRows rows(grid, cell, view.elements, cell[from]);
    for (int k = from; k < to && cell[k] < grid.nowhere(); ++k) {
      if (k == from || cell[k] != cell[k - 1]) rows.move_to(grid, cell, view.elements, cell[k]);
      const int i = element[k];
      const Vec3 here = middle(k);
      const double own_reach = reach[k];
      int count = 0;
      const auto empty = [&] {
        const int kept = detail::keep_near(view, i, others, count);
        if (kept > 0) visit(i, others, kept);
        count = 0;
      };
      for (int r = 0; r < Grid::rows; ++r) {
        // In its own row, only elements after it.
        const int end = rows.end[r];
        for (int m = r == 0 ? k + 1 : rows.begin[r]; m < end; m += block_size) {
          // Arrays go on for a vector beyond the last element.
          std::int64_t near[block_size];
          for_each_in_block([&](std::int64_t lane) {
            const Vec3 between = middle(m + lane) - here;
            const double apart = own_reach + reach[m + lane];
            near[lane] = dot(between, between) <= apart * apart ? 1 : 0;
          });
          const int lanes = end - m < block_size ? end - m : block_size;
          for (int lane = 0; lane < lanes; ++lane) {
            others[count] = element[m + lane];
            count += static_cast<int>(near[lane]);
          }
          if (count > room - block_size) empty();
        }
      }
      if (count > 0) empty();
    }
  });
}

}  // namespace rodeo::contact
