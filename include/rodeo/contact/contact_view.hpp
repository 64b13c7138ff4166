#pragma once

#include <cstddef>
#include <cstdint>

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::contact {

/// How near elements must be to be listed, over the radius: more makes lists live longer and steps slower.
inline constexpr double skin_per_radius = 0.2;

/// Arrays over elements (or nodes), laid out as the rod's own in double precision, and double in either.
namespace lane_array {
enum LaneArray : int {
  radius = 0,  ///< element, m; hugely negative beyond and between rods: padding touches nothing
  listed_position = radius + 1,          ///< node, 3: where it stood when the candidates were listed, m
  listed_radius = listed_position + 3,   ///< element, at the same instant, m
  force = listed_radius + 1,             ///< element, 3: sum of its contact forces, N
  last_node_force = force + 3,           ///< element, 3: the share of its last node, N
  unit_force_sum = last_node_force + 3,  ///< element: sum of its pairs' PairLaw::unit_force
  deepest = unit_force_sum + 1,          ///< element: deepest overlap so far with an earlier element, m
  inverse_square = deepest + 1,          ///< element, 1/length^2, 1/m^2
  position = inverse_square + 1,         ///< node, 3, m, of rods in single precision: as doubles
  velocity = position + 3,               ///< node, 3, m/s, likewise
  count = velocity + 3
};
}  // namespace lane_array

/// Arrays over candidates, one block of lanes each.
namespace pair_array {
enum PairArray : int {
  overlap = 0,          ///< r_i + r_j - d_min of an active pair, else 0, m
  first = overlap + 1,  ///< contact parameter on the element, 1
  second = first + 1,   ///< contact parameter on the block's element, 1
  force = second + 1,   ///< 3: on the block's element, N
  count = force + 3
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

/// and over candidates.
namespace friction_pair {
enum FrictionPair : int {
  spring = 0,                   ///< 3: by how far the spring of a pair is stretched, m
  former_spring = spring + 3,   ///< 3: the same in the order of the list before this one
  turning = former_spring + 3,  ///< 3: minus the couple on an element over its radius, N
  count = turning + 3
};
}  // namespace friction_pair

/// What is kept of the list as a whole.
namespace list_entry {
enum ListEntry : int {
  candidates = 0,  ///< listed
  built = 1,       ///< 1 once there is a list
  overflowed = 2,  ///< 1 once a list did not fit
  builds = 3,      ///< lists made so far
  count = 16
};
}  // namespace list_entry

/// Blocks of elements, the leaves of the tree of boxes; its inner nodes 1 … leaves - 1 are laid out as a
/// heap.
constexpr int block_count(int elements) { return (elements + block_size - 1) / block_size; }
constexpr int leaf_count(int elements) {
  int leaves = 4;
  while (leaves < block_count(elements)) leaves *= 2;
  return leaves;
}

/// The contact arrays of a member's rods. A candidate is an element and a block of consecutive, later
/// elements, some of which are within reach of it. A plain handle like RodView: all memory is set up with the
/// batch.
struct ContactView {
  double* reals = nullptr;
  int* integers = nullptr;
  int elements = 0;
  int blocks = 0;
  int leaves = 0;
  int capacity = 0;  ///< candidates there is room for
  bool has_friction = false;

  KOKKOS_INLINE_FUNCTION double* lanes(int a, int component = 0) const {
    return reals + static_cast<std::ptrdiff_t>(a + component) * field_pitch(elements) + field_front;
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array vec3_lanes(int a) const {
    return {lanes(a, 0), lanes(a, 1), lanes(a, 2)};
  }
  /// Bound b (0, 1, 2: lower x, y, z; 3, 4, 5: upper) of the boxes, indexed by tree node.
  KOKKOS_INLINE_FUNCTION double* bounds(int b) const {
    return reals + static_cast<std::ptrdiff_t>(lane_array::count) * field_pitch(elements) +
           static_cast<std::ptrdiff_t>(b) * 2 * leaves;
  }
  /// Entry block_size * candidate + lane.
  KOKKOS_INLINE_FUNCTION double* pairs(int a, int component = 0) const {
    return bounds(6) + static_cast<std::ptrdiff_t>(a + component) * block_size * capacity;
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
  /// [candidate] The element of a candidate; candidates are sorted by it, then by block.
  KOKKOS_INLINE_FUNCTION int* element() const { return integers + list_entry::count; }
  /// [candidate] Its block.
  KOKKOS_INLINE_FUNCTION int* block() const { return element() + capacity; }
  /// [candidate] All candidates once more, sorted by block, then by element.
  KOKKOS_INLINE_FUNCTION int* by_block() const { return block() + capacity; }
  /// [candidate] 1 if a pair of it is active; where 0, its arrays over pairs are not set.
  KOKKOS_INLINE_FUNCTION int* active() const { return by_block() + capacity; }
  /// [elements + 1] The first candidate of each element.
  KOKKOS_INLINE_FUNCTION int* element_start() const { return active() + capacity; }
  /// [blocks + 1] Where each block's entries of by_block start.
  KOKKOS_INLINE_FUNCTION int* block_start() const { return element_start() + elements + 1; }
  /// [elements] The first later element that each may touch: those before are its next neighbours.
  KOKKOS_INLINE_FUNCTION int* first_partner() const { return block_start() + blocks + 1; }
  /// [elements] Elements from seam_begin to seam_end are left out: next neighbours across the seam of a
  /// closed rod, or what connections hold.
  KOKKOS_INLINE_FUNCTION int* seam_begin() const { return first_partner() + elements; }
  KOKKOS_INLINE_FUNCTION int* seam_end() const { return seam_begin() + elements; }

  // With friction. [candidate] 1 if a pair of it holds by its spring; else all its springs are zero.
  KOKKOS_INLINE_FUNCTION int* held() const { return seam_end() + elements; }
  // The list before this one: what is needed to find a pair's spring in it.
  KOKKOS_INLINE_FUNCTION int* former_held() const { return held() + capacity; }
  KOKKOS_INLINE_FUNCTION int* former_block() const { return former_held() + capacity; }
  KOKKOS_INLINE_FUNCTION int* former_element_start() const { return former_block() + capacity; }
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
  return lanes * static_cast<std::size_t>(field_pitch(elements)) +
         12 * static_cast<std::size_t>(leaf_count(elements)) +
         pairs * block_size * static_cast<std::size_t>(capacity);
}
constexpr std::size_t integer_size(int elements, int capacity, bool has_friction = false) {
  const std::size_t of_candidates = has_friction ? 7 : 4;
  const std::size_t of_elements = has_friction ? 5 : 4;
  const std::size_t starts = has_friction ? 2 : 1;
  const std::size_t size = list_entry::count + of_candidates * static_cast<std::size_t>(capacity) +
                           of_elements * static_cast<std::size_t>(elements) + starts +
                           static_cast<std::size_t>(block_count(elements) + 1);
  return (size + 15) / 16 * 16;
}

}  // namespace rodeo::contact
