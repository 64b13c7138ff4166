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
  listed_position = radius + 1,          ///< node, 3: where it stood when the pairs were listed, m
  listed_radius = listed_position + 3,   ///< element, at the same instant, m
  margin = listed_radius + 1,            ///< element: how far it may go until pairs are listed anew, m
  force = margin + 1,                    ///< element, 3: sum of its contact forces, N
  last_node_force = force + 3,           ///< element, 3: the share of its last node, N
  unit_force_sum = last_node_force + 3,  ///< element: sum of its pairs' PairLaw::unit_force
  deepest = unit_force_sum + 1,          ///< element: deepest overlap so far with an earlier element, m
  inverse_square = deepest + 1,          ///< element, 1/length^2, 1/m^2
  position = inverse_square + 1,         ///< node, 3, m, of rods in single precision: as doubles
  velocity = position + 3,               ///< node, 3, m/s, likewise
  count = velocity + 3,
  // While pairs are listed, there are no forces, and in their place stand, in the order of cells:
  middle = force,                   ///< 3, of an element, m
  reach = last_node_force,          ///< radius of a sphere around the element and its margin, m
  cell = last_node_force + 1,       ///< Grid::cell of the middle
  other_cell = last_node_force + 2  ///< room to sort them
};
}  // namespace lane_array

/// Arrays over pairs.
namespace pair_array {
enum PairArray : int {
  overlap = 0,          ///< r_i + r_j - d_min of an active pair, m
  first = overlap + 1,  ///< contact parameter on the earlier element, 1
  second = first + 1,   ///< contact parameter on the later one, 1
  force = second + 1,   ///< 3: on the later element, N
  count = force + 3,
  /// 3: while pairs are listed, the springs of friction in the order of the list before.
  former_spring = force
};
}  // namespace pair_array

/// Arrays of friction between elements (SpringFriction), which members without it do not have: over elements,
namespace friction_lane {
enum FrictionLane : int {
  spin = 0,           ///< 3: angular velocity, laboratory frame, 1/s
  couple = spin + 3,  ///< 3: of friction, laboratory frame, N m
  loss = couple + 3,  ///< what friction has taken, of the pairs of which it is the earlier element, J
  count = loss + 1
};
}  // namespace friction_lane

/// and over pairs.
namespace friction_pair {
enum FrictionPair : int {
  spring = 0,            ///< 3: by how far the spring of a pair is stretched, m
  turning = spring + 3,  ///< 3: minus the couple on an element over its radius, N
  count = turning + 3
};
}  // namespace friction_pair

/// What is kept of the list as a whole.
namespace list_entry {
enum ListEntry : int {
  pairs = 0,       ///< listed
  built = 1,       ///< 1 once there is a list
  overflowed = 2,  ///< 1 once a list did not fit
  builds = 3,      ///< lists made so far
  found = 4,       ///< pairs found so far, while they are listed
  count = 16
};
}  // namespace list_entry

/// The contact arrays of a member's rods. A pair is listed while its elements are within reach of each other.
/// A plain handle like RodView: all memory is set up with the batch.
struct ContactView {
  double* reals = nullptr;
  int* integers = nullptr;
  int elements = 0;
  int capacity = 0;  ///< pairs there is room for
  bool has_friction = false;

  KOKKOS_INLINE_FUNCTION double* lanes(int a, int component = 0) const {
    return reals + static_cast<std::ptrdiff_t>(a + component) * field_pitch(elements) + field_front;
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array vec3_lanes(int a) const {
    return {lanes(a, 0), lanes(a, 1), lanes(a, 2)};
  }
  KOKKOS_INLINE_FUNCTION double* pairs(int a, int component = 0) const {
    return reals + static_cast<std::ptrdiff_t>(lane_array::count) * field_pitch(elements) +
           static_cast<std::ptrdiff_t>(a + component) * capacity;
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array vec3_pairs(int a) const {
    return {pairs(a, 0), pairs(a, 1), pairs(a, 2)};
  }

  KOKKOS_INLINE_FUNCTION double* friction_pairs(int a, int component = 0) const {
    return pairs(pair_array::count + a, component);
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array vec3_friction_pairs(int a) const {
    return {friction_pairs(a, 0), friction_pairs(a, 1), friction_pairs(a, 2)};
  }
  KOKKOS_INLINE_FUNCTION double* friction_lanes(int a, int component = 0) const {
    return friction_pairs(friction_pair::count) +
           static_cast<std::ptrdiff_t>(a + component) * field_pitch(elements) + field_front;
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array vec3_friction_lanes(int a) const {
    return {friction_lanes(a, 0), friction_lanes(a, 1), friction_lanes(a, 2)};
  }

  KOKKOS_INLINE_FUNCTION int& list(list_entry::ListEntry entry) const { return integers[entry]; }
  /// [pair] Its elements; pairs are sorted by the earlier one, then by the later.
  KOKKOS_INLINE_FUNCTION int* earlier() const { return integers + list_entry::count; }
  KOKKOS_INLINE_FUNCTION int* later() const { return earlier() + capacity; }
  /// [pair] All pairs once more, sorted by the later element, then by the earlier.
  KOKKOS_INLINE_FUNCTION int* by_later() const { return later() + capacity; }
  /// [pair] 1 if its elements touch; where 0, its other arrays are not set.
  KOKKOS_INLINE_FUNCTION int* active() const { return by_later() + capacity; }
  /// [elements + 1] The first pair of which each element is the earlier one.
  KOKKOS_INLINE_FUNCTION int* element_start() const { return active() + capacity; }
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

  // With friction. [pair] 1 if it holds by its spring; else that is zero.
  KOKKOS_INLINE_FUNCTION int* held() const { return other_in_cells() + elements; }
  // The list before this one: what is needed to find a pair's spring in it.
  KOKKOS_INLINE_FUNCTION int* former_later() const { return held() + capacity; }
  KOKKOS_INLINE_FUNCTION int* former_element_start() const { return former_later() + capacity; }

  /// True if the later of two elements is no next neighbour of the earlier one, and nothing holds them.
  KOKKOS_FORCEINLINE_FUNCTION bool are_partners(int earlier_element, int later_element) const {
    return later_element >= first_partner()[earlier_element] &&
           (later_element < seam_begin()[earlier_element] || later_element >= seam_end()[earlier_element]);
  }
};

/// Memory of contact arrays, or where in a batch's they start.
struct ContactSize {
  std::size_t reals = 0;     ///< doubles
  std::size_t integers = 0;  ///< ints
};

/// Numbers of doubles and ints one rod takes, whole cache lines of them.
constexpr std::size_t real_size(int elements, int capacity, bool has_friction = false) {
  const std::size_t lanes = lane_array::count + (has_friction ? friction_lane::count : 0);
  const std::size_t pairs = pair_array::count + (has_friction ? friction_pair::count : 0);
  const std::size_t size =
      lanes * static_cast<std::size_t>(field_pitch(elements)) + pairs * static_cast<std::size_t>(capacity);
  return (size + 7) / 8 * 8;
}
constexpr std::size_t integer_size(int elements, int capacity, bool has_friction = false) {
  const std::size_t of_pairs = has_friction ? 6 : 4;
  const std::size_t of_elements = has_friction ? 8 : 7;
  const std::size_t starts = has_friction ? 3 : 2;
  const std::size_t size = list_entry::count + of_pairs * static_cast<std::size_t>(capacity) +
                           of_elements * static_cast<std::size_t>(elements) + starts;
  return (size + 15) / 16 * 16;
}

}  // namespace rodeo::contact
