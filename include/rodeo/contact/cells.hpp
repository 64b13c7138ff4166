#pragma once

#include "rodeo/contact/contact_view.hpp"
#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/math/functions.hpp"

namespace rodeo::contact {

/// Cubes that fill space. The number of a cell is a whole number within a double, x fastest: the neighbours
/// of a row of three cells along x are rows whose numbers differ by the same amount everywhere. What is
/// farther from the origin than 2^16 cells is in the outermost ones, which is right but slow.
struct Grid {
  static constexpr double along_axis = 131072.0;  // 2^17, of which three make 51 bits
  static constexpr int rows = 9;

  double inverse_edge = 0.0;  ///< 1/m

  KOKKOS_FORCEINLINE_FUNCTION double coordinate(double x) const {
    const double cell = math::floor(x * inverse_edge) + 0.5 * along_axis;
    const double above = cell > 1.0 ? cell : 1.0;  // 1 for NaN too
    return above < along_axis - 2.0 ? above : along_axis - 2.0;
  }
  KOKKOS_FORCEINLINE_FUNCTION double cell(const Vec3& point) const {
    return coordinate(point.x) + along_axis * (coordinate(point.y) + along_axis * coordinate(point.z));
  }
  /// Of no cell, and of no neighbour of one: greater than all.
  static constexpr double nowhere() { return along_axis * along_axis * along_axis; }
  /// By how much the cell in the middle of row r around a cell differs from it.
  KOKKOS_FORCEINLINE_FUNCTION static double row(int r) {
    return along_axis * ((r % 3 - 1) + along_axis * (r / 3 - 1));
  }
};

namespace detail {

/// Sorts elements by the digits of their cells, the lowest first. Most of the higher ones are the same for
/// all, and need no sorting.
inline void sort_by_digits(const ContactView& view) {
  const int count = view.elements;
  constexpr int bits = 11;
  constexpr int values = 1 << bits;
  double* from = view.lanes(lane_array::other_cell);
  double* to = view.lanes(lane_array::cell);
  int* from_element = view.other_in_cells();
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
  if (from != view.lanes(lane_array::cell)) {
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
  const double* const cell = view.lanes(lane_array::other_cell);
  for_each_lane(team, count, [=](int i) {
    int rank = 0;
    for (int j = 0; j < count; ++j) rank += cell[j] < cell[i] || (cell[j] == cell[i] && j < i) ? 1 : 0;
    view.in_cells()[rank] = i;
    view.lanes(lane_array::cell)[rank] = cell[i];
  });
#else
  once(team, [&] { sort_by_digits(view); });
#endif
}

}  // namespace detail

/// Sorts the elements into the cells of a grid, which are as large as the two farthest-reaching elements can
/// be apart and near each other: then all that is near an element is in its own and the next cells.
template <class Team>
KOKKOS_INLINE_FUNCTION void sort_into_cells(const Team& team, const ContactView& view,
                                            const ConstVec3Array& node) {
  const double* const radius = view.lanes(lane_array::radius);
  const double* const margin = view.lanes(lane_array::margin);
  const double* const inverse_square = view.lanes(lane_array::inverse_square);
  const auto reach_of = [=](int i) {
    return radius[i] > 0.0 ? 0.5 / math::sqrt(inverse_square[i]) + radius[i] + margin[i] : 0.0;
  };
  const double largest = largest_lane(team, view.elements, reach_of);
  const Grid grid = {0.5 / detail::larger(largest, 1e-100)};
  double* const other_cell = view.lanes(lane_array::other_cell);
  for_each_lane(team, view.elements, [=](int i) {
    const double cell = grid.cell(0.5 * (node(i) + node(i + 1)));
    other_cell[i] = radius[i] > 0.0 ? cell : Grid::nowhere();
  });
  detail::sort_by_cell(team, view);
  const int* const element = view.in_cells();
  const Vec3Array middle = view.vec3_lanes(lane_array::middle);
  double* const reach = view.lanes(lane_array::reach);
  for_each_lane(team, view.elements, [=](int k) {
    const int i = element[k];
    middle.set(k, 0.5 * (node(i) + node(i + 1)));
    reach[k] = reach_of(i);
  });
}

/// The centre line of an element.
KOKKOS_FORCEINLINE_FUNCTION Segment segment(const ConstVec3Array& node, const double* inverse_square,
                                            std::ptrdiff_t i) {
  const Vec3 start = node(i);
  return {start, node(i + 1) - start, inverse_square[i]};
}

namespace detail {

/// What may be near the elements of one cell after the other, in rising order of cells: the sorted elements
/// of nine rows of cells, whose beginnings and ends only ever move on.
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

  KOKKOS_INLINE_FUNCTION NearRows(const double* cell, int count, double here) {
    for (int r = 0; r < Grid::rows; ++r) {
      begin[r] = first_not_below(cell, count, here + Grid::row(r) - 1.0);
      end[r] = begin[r];
    }
  }

  KOKKOS_INLINE_FUNCTION void move_to(const double* cell, int count, double here) {
    for (int r = 0; r < Grid::rows; ++r) {
      const double centre = here + Grid::row(r);
      while (begin[r] < count && cell[begin[r]] < centre - 1.0) ++begin[r];
      if (end[r] < begin[r]) end[r] = begin[r];
      while (end[r] < count && cell[end[r]] <= centre + 1.0) ++end[r];
    }
  }
};

/// Of elements that may be near element i, keeps those that come within both margins of touching it; how
/// many.
KOKKOS_INLINE_FUNCTION int keep_near(const ContactView& view, const ConstVec3Array& node, int i, int* others,
                                     int count) {
  const double* const inverse_square = view.lanes(lane_array::inverse_square);
  const double* const radius = view.lanes(lane_array::radius);
  const double* const margin = view.lanes(lane_array::margin);
  const Segment own = segment(node, inverse_square, i);
  const double own_reach = radius[i] + margin[i];
  int kept = 0;
  for (int start = 0; start < count; start += block_size) {
    bool near[block_size];
    for_each_in_block([&](std::int64_t lane) {
      const std::int64_t k = start + lane;
      const int j = others[k < count ? k : count - 1];
      const Vec3 gap = closest_points(own, segment(node, inverse_square, j)).gap;
      near[lane] = math::sqrt(dot(gap, gap)) <= own_reach + radius[j] + margin[j];
    });
    const int lanes = count - start < block_size ? count - start : block_size;
    for (int lane = 0; lane < lanes; ++lane) {
      others[kept] = others[start + lane];
      kept += near[lane] ? 1 : 0;
    }
  }
  return kept;
}

}  // namespace detail

/// Calls visit(i, others, count) for elements i with `count` later ones that each may touch and comes within
/// both margins of touching; in no order, and maybe more than once for the same i. The elements are sorted
/// into cells.
template <class Team, class Visit>
KOKKOS_INLINE_FUNCTION void for_each_near(const Team& team, const ContactView& view,
                                          const ConstVec3Array& node, const Visit& visit) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  constexpr int at_once = 1;
#else
  constexpr int at_once = 256;
#endif
  for_each_piece(team, (view.elements + at_once - 1) / at_once, [=](int piece) {
    constexpr int room = 128;
    int others[room];
    const int* const element = view.in_cells();
    const double* const cell = view.lanes(lane_array::cell);
    const Vec3Array middle = view.vec3_lanes(lane_array::middle);
    const double* const reach = view.lanes(lane_array::reach);
    const int from = piece * at_once;
    const int to = from + at_once < view.elements ? from + at_once : view.elements;
    detail::NearRows rows(cell, view.elements, cell[from]);
    for (int k = from; k < to && cell[k] < Grid::nowhere(); ++k) {
      if (k == from || cell[k] != cell[k - 1]) rows.move_to(cell, view.elements, cell[k]);
      const int i = element[k];
      const int first = view.first_partner()[i];
      if (first >= view.elements) continue;
      const int seam_begin = view.seam_begin()[i];
      const int seam_end = view.seam_end()[i];
      const Vec3 here = middle(k);
      const double own_reach = reach[k];
      int count = 0;
      const auto empty = [&] {
        const int kept = detail::keep_near(view, node, i, others, count);
        if (kept > 0) visit(i, others, kept);
        count = 0;
      };
      for (int r = 0; r < Grid::rows; ++r) {
        int m = rows.begin[r];
        while (m < rows.end[r]) {
          const int stop = rows.end[r] - m < room - count ? rows.end[r] : m + room - count;
          for (; m < stop; ++m) {
            const int j = element[m];
            const Vec3 between = middle(m) - here;
            const double apart = own_reach + reach[m];
            const bool near = dot(between, between) <= apart * apart;
            const bool partner = j >= first && (j < seam_begin || j >= seam_end);
            others[count] = j;
            count += near && partner ? 1 : 0;
          }
          if (count == room) empty();
        }
      }
      if (count > 0) empty();
    }
  });
}

}  // namespace rodeo::contact
