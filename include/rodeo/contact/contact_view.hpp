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

/// Arrays over elements (or nodes), laid out as the rod's own in double precision, and double in either.
namespace lane_array {
enum LaneArray : int {
  radius = 0,  ///< element, m; hugely negative beyond and between rods: padding touches nothing
  inverse_square = radius + 1,           ///< element, 1/length^2, 1/m^2
  listed_position = inverse_square + 1,  ///< node, 3: where it stood when the pairs were listed, m
  listed_radius = listed_position + 3,   ///< element, at the same instant, m
  margin = listed_radius + 1,            ///< element: how far it may go until pairs are listed anew, m
  deepest = margin + 1,                  ///< element: deepest overlap so far with a later element, m
  // While pairs are listed, in the order of cells:
  middle = deepest + 1,   ///< 3, of an element, m
  reach = middle + 3,     ///< radius of a sphere around the element and its margin, m
  cell = reach + 1,       ///< Grid::cell of the middle
  other_cell = cell + 1,  ///< room to sort them
  count = other_cell + 1
};
}  // namespace lane_array

/// Arrays of friction between elements (SpringFriction), which members without it do not have.
namespace friction_lane {
enum FrictionLane : int {
  spin = 0,         ///< element, 3: angular velocity, laboratory frame, 1/s
  loss = spin + 3,  ///< element: what friction has taken, of the pairs of which it is the earlier one, J
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

/// Numbers in the record of a pair, which stand side by side: what its elements take when forces are summed,
/// all zero while they do not touch.
namespace pair_record {
enum PairRecord : int {
  force = 0,            ///< 3: on the later element, N
  turning = force + 3,  ///< 3: minus the couple of friction on an element over its radius, N
  first = turning + 3,  ///< contact parameter on the earlier element, 1
  second = first + 1,   ///< contact parameter on the later one, 1
  count = second + 1,   ///< a cache line
  /// 3: while pairs are listed, the springs of friction in the order of the list before.
  former_spring = force
};
}  // namespace pair_record

/// What is kept of the list as a whole.
namespace list_entry {
enum ListEntry : int {
  pairs = 0,       ///< listed
  built = 1,       ///< 1 once there is a list
  overflowed = 2,  ///< 1 once a list did not fit
  builds = 3,      ///< lists made so far
  found = 4,       ///< pairs found so far, while they are listed
  turn = 5,        ///< 0 or 1: which of its two springs a pair has
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
constexpr std::size_t pair_reals(bool has_friction) { return pair_record::count + (has_friction ? 8U : 1U); }
constexpr std::size_t pair_integers(bool has_friction) { return has_friction ? 5U : 4U; }

/// The contact arrays of a member's rods. A pair is listed while its elements are within reach of each other.
/// A plain handle like RodView: all memory is set up with the batch.
struct ContactView {
  double* reals = nullptr;
  int* integers = nullptr;
  PairRoom* room = nullptr;
  int elements = 0;
  bool has_friction = false;
  bool is_wide = false;  ///< of rods in single precision

  KOKKOS_INLINE_FUNCTION double* lanes(int a, int component = 0) const {
    return reals + static_cast<std::ptrdiff_t>(a + component) * field_pitch(elements) + field_front;
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array vec3_lanes(int a) const {
    return {lanes(a, 0), lanes(a, 1), lanes(a, 2)};
  }
  KOKKOS_INLINE_FUNCTION double* friction_lanes(int a, int component = 0) const {
    return lanes(lane_array::count + a, component);
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array vec3_friction_lanes(int a) const {
    return {friction_lanes(a, 0), friction_lanes(a, 1), friction_lanes(a, 2)};
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array vec3_wide_lanes(int a) const {
    const int first = lane_array::count + (has_friction ? static_cast<int>(friction_lane::count) : 0) + a;
    return {lanes(first, 0), lanes(first, 1), lanes(first, 2)};
  }

  KOKKOS_FORCEINLINE_FUNCTION int capacity() const { return room->capacity; }
  /// [pair][pair_record::count]
  KOKKOS_FORCEINLINE_FUNCTION double* records() const { return room->reals; }
  /// [pair] By how much its elements overlap, m; 0 where they do not touch.
  KOKKOS_FORCEINLINE_FUNCTION double* overlap() const {
    return records() + static_cast<std::ptrdiff_t>(pair_record::count) * capacity();
  }
  /// [pair] With friction: force with which its elements push each other apart, N.
  KOKKOS_FORCEINLINE_FUNCTION double* load() const { return overlap() + capacity(); }
  /// [pair] With friction: by how far its spring is stretched, m, after the last step; zero where its
  /// elements do not touch.
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array springs() const { return springs(list(list_entry::turn)); }
  /// [pair] And as they become in the next one.
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array next_springs() const { return springs(1 - list(list_entry::turn)); }

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
  /// [elements] The elements in the order of cells, and room to sort them.
  KOKKOS_INLINE_FUNCTION int* in_cells() const { return seam_end() + elements; }
  KOKKOS_INLINE_FUNCTION int* other_in_cells() const { return in_cells() + elements; }
  /// [elements + 1] With friction: element_start() of the list before.
  KOKKOS_INLINE_FUNCTION int* former_element_start() const { return other_in_cells() + elements; }

  /// [pair] Its elements; pairs are sorted by the earlier one, then by the later.
  KOKKOS_FORCEINLINE_FUNCTION int* earlier() const { return room->integers; }
  KOKKOS_FORCEINLINE_FUNCTION int* later() const { return earlier() + capacity(); }
  /// [pair] All pairs once more, sorted by the later element, then by the earlier.
  KOKKOS_FORCEINLINE_FUNCTION int* by_later() const { return later() + capacity(); }
  /// [pair] 1 if its elements touch.
  KOKKOS_FORCEINLINE_FUNCTION int* active() const { return by_later() + capacity(); }
  /// [pair] With friction: later() of the list before.
  KOKKOS_FORCEINLINE_FUNCTION int* former_later() const { return active() + capacity(); }

  /// True if the later of two elements is no next neighbour of the earlier one, and nothing holds them.
  KOKKOS_FORCEINLINE_FUNCTION bool are_partners(int earlier_element, int later_element) const {
    return later_element >= first_partner()[earlier_element] &&
           (later_element < seam_begin()[earlier_element] || later_element >= seam_end()[earlier_element]);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array springs(int turn) const {
    const std::ptrdiff_t pitch = capacity();
    double* const first = load() + (1 + 3 * turn) * pitch;
    return {first, first + pitch, first + 2 * pitch};
  }
};

/// Memory of contact arrays, or where in a batch's they start.
struct ContactSize {
  std::size_t reals = 0;     ///< doubles
  std::size_t integers = 0;  ///< ints
};

/// Numbers of doubles and ints of a member's elements, whole cache lines of them.
constexpr std::size_t real_size(int elements, bool has_friction = false, bool is_wide = false) {
  const std::size_t lanes = lane_array::count + (has_friction ? friction_lane::count : 0) +
                            (is_wide ? static_cast<std::size_t>(wide_lane::count) : 0);
  return (lanes * static_cast<std::size_t>(field_pitch(elements)) + 7) / 8 * 8;
}
constexpr std::size_t integer_size(int elements, bool has_friction = false) {
  const std::size_t of_elements = has_friction ? 8 : 7;
  const std::size_t starts = has_friction ? 3 : 2;
  const std::size_t size = list_entry::count + of_elements * static_cast<std::size_t>(elements) + starts;
  return (size + 15) / 16 * 16;
}

}  // namespace rodeo::contact
