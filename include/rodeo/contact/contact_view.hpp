#pragma once

#include <cstddef>
#include <cstdint>

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::contact {

/// The margins within which pairs are listed, over the smallest radius: more makes lists live longer and
/// steps slower; and for how many steps at its speed an element should stay within its own.
inline constexpr double least_margin = 0.04;
inline constexpr double most_margin = 0.5;
inline constexpr double listed_steps = 40.0;

/// The overlap of two elements, over the sum of their radii, from which on they may have passed through each
/// other: contact that allows so much overlap no longer keeps them apart, as its force reverses where their
/// centre lines meet.
inline constexpr double passing_overlap = 0.75;
/// Largest move of an element in a step, over the smallest radius, whose path is not checked: two slower ones
/// that cross overlap by more than passing_overlap at the end of some step.
inline constexpr double unseen_move = 0.25;

/// Arrays over elements (or nodes), laid out as the rod's own in double precision, and double in either.
namespace lane_array {
enum LaneArray : int {
  radius = 0,  ///< element, m; hugely negative beyond and between rods: padding touches nothing
  listed_position = radius + 1,  ///< node, 3: where it stood when the pairs were listed, m
  /// Element: its radius then, and how far it may go until pairs are listed anew, m.
  listed_reach = listed_position + 3,
  count = listed_reach + 1
};
}  // namespace lane_array

/// Numbers in the record of an element, side by side in memory: the data that decide whether pairs touch.
namespace element_record {
enum ElementRecord : int {
  start = 0,                  ///< 3: its first node, m
  edge = start + 3,           ///< 3: from there to its last one, m
  inverse_square = edge + 3,  ///< 1/|edge|^2, 1/m^2
  radius = inverse_square + 1,
  count = radius + 1  ///< a cache line
};
}  // namespace element_record

/// Numbers in the record of how an element moves, read by touching pairs for friction.
namespace motion_record {
enum MotionRecord : int {
  velocity = 0,         ///< 3: of its first node, m/s
  spin = velocity + 3,  ///< 3: angular velocity in the laboratory frame, 1/s
  radius = spin + 3,    ///< m
  count = radius + 2    ///< a cache line
};
}  // namespace motion_record

/// Arrays of elements while pairs are listed, in the order of cells. They stand where else the records of
/// pairs do (ContactView::cell_lanes).
namespace cell_array {
enum CellArray : int {
  cell = 0,            ///< Grid::cell of the middle
  middle = cell + 1,   ///< 3, m
  reach = middle + 3,  ///< radius of a sphere around the element and its margin, m
  count = reach + 1,   ///< then come the elements themselves, as ints
  // Until the elements are sorted:
  unsorted_cell = middle,         ///< room to sort cells
  unsorted_element = middle + 1,  ///< and elements
};
}  // namespace cell_array

/// Arrays of friction between elements (SpringFriction), which members without it do not have.
namespace friction_lane {
enum FrictionLane : int {
  loss = 0,  ///< element: what friction has taken, of the pairs of which it is the earlier one, J
  count = loss + 1
};
}  // namespace friction_lane

/// Arrays of members in single precision, which pairs read as doubles.
namespace wide_lane {
enum WideLane : int {
  position = 0,             ///< node, 3, m
  velocity = position + 3,  ///< node, 3, m/s
  count = velocity + 3
};
}  // namespace wide_lane

/// Numbers in the record of a pair, side by side in memory: the loads that are summed on its elements, all
/// zero while they do not touch.
namespace pair_record {
enum PairRecord : int {
  force = 0,            ///< 3: on the later element, N
  turning = force + 3,  ///< 3: minus the couple of friction on an element over its radius, N
  first = turning + 3,  ///< contact parameter on the earlier element, 1
  second = first + 1,   ///< contact parameter on the later one, 1
  count = second + 1    ///< a cache line
};
}  // namespace pair_record

/// Entries for the list of pairs as a whole.
namespace list_entry {
enum ListEntry : int {
  pairs = 0,       ///< listed
  built = 1,       ///< 1 once there is a list
  overflowed = 2,  ///< 1 once a list did not fit
  builds = 3,      ///< lists made so far
  found = 4,       ///< pairs found so far, while they are listed
  passed = 5,      ///< 1 once elements may have passed through each other
  count = 16
};
}  // namespace list_entry

/// Memory for the pairs of a member. On a host it grows as pairs are listed.
struct PairRoom {
  double* reals = nullptr;
  int* integers = nullptr;
  int capacity = 0;  ///< pairs there is room for
};

/// Numbers of doubles and ints of a pair.
constexpr std::size_t pair_reals(bool has_friction) { return pair_record::count + (has_friction ? 5U : 1U); }
constexpr std::size_t pair_integers = 4;

/// Doubles of its spring that are kept while pairs are listed anew.
inline constexpr int of_spring = 4;

/// State of a pair (ContactView::active).
namespace pair_state {
enum PairState : int {
  apart = 0,
  touching = 1,
  parted = 2  ///< no longer touching, with its spring not released yet
};
}  // namespace pair_state

/// Doubles that all of a cell_array takes.
KOKKOS_INLINE_FUNCTION constexpr std::ptrdiff_t cell_size(int elements) {
  const std::ptrdiff_t pitch = field_pitch(elements);
  return cell_array::count * pitch + pitch / 2;
}

/// Pairs for which there must be room while a list is made of so many elements and, with friction, so many
/// pairs of the list before: where these pairs' records stand there are the arrays of cells and the springs.
constexpr std::int64_t pairs_to_list(int elements, std::int64_t former_pairs) {
  return (cell_size(elements) + of_spring * former_pairs + pair_record::count - 1) / pair_record::count;
}

/// The contact arrays of a member's rods. A pair is listed while its elements are within reach of each other.
/// A plain handle like RodView: all memory is set up with the batch.
struct ContactView {
  double* reals = nullptr;
  int* integers = nullptr;
  PairRoom* room = nullptr;
  double* cells = nullptr;  ///< cell_size() doubles, where there is no room for pairs
  int elements = 0;
  bool has_friction = false;
  bool is_wide = false;  ///< of rods in single precision

  /// Deepest overlap of a pair so far, m; in front of the first array.
  KOKKOS_FORCEINLINE_FUNCTION double& deepest() const { return *reals; }
  /// Elements may have passed through each other.
  KOKKOS_INLINE_FUNCTION void note_passing() const { Kokkos::atomic_fetch_max(&list(list_entry::passed), 1); }
  KOKKOS_INLINE_FUNCTION double* lanes(int a, int component = 0) const {
    return reals + static_cast<std::ptrdiff_t>(a + component) * field_pitch(elements) + field_front;
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array vec3_lanes(int a) const {
    return {lanes(a, 0), lanes(a, 1), lanes(a, 2)};
  }
  /// Lanes of friction; only with friction.
  KOKKOS_INLINE_FUNCTION double* friction_lanes(int a) const { return lanes(lane_array::count + a); }
  /// Lanes of the nodes from `first` on, of rods in single precision.
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array vec3_wide_lanes(int a, int first = 0) const {
    const Vec3Array all = vec3_lanes(first_wide_lane() + a);
    return {all.x + first, all.y + first, all.z + first};
  }
  /// [element][element_record::count]
  KOKKOS_FORCEINLINE_FUNCTION double* element_records() const {
    return reals + static_cast<std::ptrdiff_t>(lane_count(has_friction, is_wide)) * field_pitch(elements);
  }
  /// [element][motion_record::count] With friction.
  KOKKOS_FORCEINLINE_FUNCTION double* motion_records() const {
    return element_records() + std::ptrdiff_t{element_record::count} * field_pitch(elements);
  }

  /// Number of arrays over elements.
  KOKKOS_INLINE_FUNCTION static constexpr int lane_count(bool has_friction, bool is_wide) {
    return lane_array::count + (has_friction ? static_cast<int>(friction_lane::count) : 0) +
           (is_wide ? static_cast<int>(wide_lane::count) : 0);
  }

  /// Lanes of a cell_array.
  KOKKOS_INLINE_FUNCTION double* cell_lanes(int a) const {
    return cell_memory() + static_cast<std::ptrdiff_t>(a) * field_pitch(elements);
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array vec3_cell_lanes(int a) const {
    return {cell_lanes(a), cell_lanes(a + 1), cell_lanes(a + 2)};
  }
  /// [elements] The elements in the order of cells, and room to sort them.
  KOKKOS_INLINE_FUNCTION int* in_cells() const {
    return reinterpret_cast<int*>(cell_lanes(cell_array::count));
  }
  KOKKOS_INLINE_FUNCTION int* unsorted_in_cells() const {
    return reinterpret_cast<int*>(cell_lanes(cell_array::unsorted_element));
  }

  KOKKOS_FORCEINLINE_FUNCTION int capacity() const { return room->capacity; }
  /// [pair][pair_record::count]
  KOKKOS_FORCEINLINE_FUNCTION double* records() const { return room->reals; }
  /// [pair] By how much its elements overlap, m; 0 where they do not touch.
  KOKKOS_FORCEINLINE_FUNCTION double* overlap() const {
    return records() + static_cast<std::ptrdiff_t>(pair_record::count) * capacity();
  }
  /// [pair] With friction: by how far its spring is stretched, m; zero where its elements do not touch.
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array springs() const {
    const std::ptrdiff_t pitch = capacity();
    double* const first = overlap() + pitch;
    return {first, first + pitch, first + 2 * pitch};
  }
  /// [pair] With friction: its share of a contact at a node (SpringFriction), 1 of one that it has for
  /// itself, 0 where its elements do not touch.
  KOKKOS_FORCEINLINE_FUNCTION double* shares() const { return springs().z + capacity(); }
  /// [pairs of the list before][of_spring] With friction, while pairs are listed: their springs and shares,
  /// and later().
  KOKKOS_FORCEINLINE_FUNCTION double* former_springs() const { return cell_memory() + cell_size(elements); }
  KOKKOS_FORCEINLINE_FUNCTION int* former_later() const { return reinterpret_cast<int*>(overlap()); }

  KOKKOS_INLINE_FUNCTION int& list(list_entry::ListEntry entry) const { return integers[entry]; }
  /// [elements + 1] The first pair of which each element is the earlier one.
  KOKKOS_INLINE_FUNCTION int* element_start() const { return integers + list_entry::count; }
  /// [elements + 1] Where the entries of by_later start of which each is the later one.
  KOKKOS_INLINE_FUNCTION int* later_start() const { return element_start() + elements + 1; }
  /// [elements] The first later element that each may touch: those before are its next neighbours.
  KOKKOS_INLINE_FUNCTION int* first_partner() const { return later_start() + elements + 1; }
  /// [elements] Elements from seam_begin to seam_end are left out: next neighbours across the seam of a
  /// closed rod, or what connections hold.
  KOKKOS_INLINE_FUNCTION int* seam_begin() const { return first_partner() + elements; }
  KOKKOS_INLINE_FUNCTION int* seam_end() const { return seam_begin() + elements; }
  /// [elements + 1] With friction: element_start() of the list before.
  KOKKOS_INLINE_FUNCTION int* former_element_start() const { return seam_end() + elements; }

  /// [pair] Its elements; pairs are sorted by the earlier one, then by the later.
  KOKKOS_FORCEINLINE_FUNCTION int* earlier() const { return room->integers; }
  KOKKOS_FORCEINLINE_FUNCTION int* later() const { return earlier() + capacity(); }
  /// [pair] All pairs once more, sorted by the later element, then by the earlier.
  KOKKOS_FORCEINLINE_FUNCTION int* by_later() const { return later() + capacity(); }
  /// [pair] A pair_state.
  KOKKOS_FORCEINLINE_FUNCTION int* active() const { return by_later() + capacity(); }

  /// True if the later of two elements is no next neighbour of the earlier one, and nothing holds them.
  KOKKOS_FORCEINLINE_FUNCTION bool are_partners(int earlier_element, int later_element) const {
    return later_element >= first_partner()[earlier_element] &&
           (later_element < seam_begin()[earlier_element] || later_element >= seam_end()[earlier_element]);
  }

 private:
  KOKKOS_INLINE_FUNCTION int first_wide_lane() const { return lane_count(has_friction, false); }
  KOKKOS_INLINE_FUNCTION double* cell_memory() const { return cells != nullptr ? cells : room->reals; }
};

/// Memory of contact arrays, or where in a batch's they start.
struct ContactSize {
  std::size_t reals = 0;     ///< doubles
  std::size_t integers = 0;  ///< ints
};

/// Numbers of doubles and ints of a member's elements, whole cache lines of them.
constexpr std::size_t real_size(int elements, bool has_friction = false, bool is_wide = false) {
  const int records = element_record::count + (has_friction ? static_cast<int>(motion_record::count) : 0);
  const auto lanes = static_cast<std::size_t>(ContactView::lane_count(has_friction, is_wide) + records);
  return (lanes * static_cast<std::size_t>(field_pitch(elements)) + 7) / 8 * 8;
}
constexpr std::size_t integer_size(int elements, bool has_friction = false) {
  const std::size_t of_elements = has_friction ? 6 : 5;
  const std::size_t starts = has_friction ? 3 : 2;
  const std::size_t size = list_entry::count + of_elements * static_cast<std::size_t>(elements) + starts;
  return (size + 15) / 16 * 16;
}

}  // namespace rodeo::contact
