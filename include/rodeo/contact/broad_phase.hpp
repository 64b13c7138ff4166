#pragma once

#include "rodeo/contact/contact_view.hpp"
#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/contact/spring_friction.hpp"
#include "rodeo/math/functions.hpp"

namespace rodeo::contact {

/// An axis-aligned box; empty as long as nothing was put into it.
struct Box {
  static constexpr double huge = 1e300;
  Vec3 lower = {huge, huge, huge};
  Vec3 upper = {-huge, -huge, -huge};

  KOKKOS_INLINE_FUNCTION void include(const Vec3& point, double margin) {
    include({{point.x - margin, point.y - margin, point.z - margin},
             {point.x + margin, point.y + margin, point.z + margin}});
  }
  KOKKOS_INLINE_FUNCTION void include(const Box& other) {
    using detail::larger;
    using detail::smaller;
    lower = {smaller(lower.x, other.lower.x), smaller(lower.y, other.lower.y),
             smaller(lower.z, other.lower.z)};
    upper = {larger(upper.x, other.upper.x), larger(upper.y, other.upper.y), larger(upper.z, other.upper.z)};
  }
  KOKKOS_INLINE_FUNCTION bool overlaps(const Box& other) const {
    return lower.x <= other.upper.x && other.lower.x <= upper.x && lower.y <= other.upper.y &&
           other.lower.y <= upper.y && lower.z <= other.upper.z && other.lower.z <= upper.z;
  }
};

KOKKOS_INLINE_FUNCTION Box box(const ContactView& view, int node) {
  return {{view.bounds(0)[node], view.bounds(1)[node], view.bounds(2)[node]},
          {view.bounds(3)[node], view.bounds(4)[node], view.bounds(5)[node]}};
}

KOKKOS_INLINE_FUNCTION void set_box(const ContactView& view, int node, const Box& box) {
  const double values[6] = {box.lower.x, box.lower.y, box.lower.z, box.upper.x, box.upper.y, box.upper.z};
  for (int b = 0; b < 6; ++b) view.bounds(b)[node] = values[b];
}

/// The box of an element with its radius and a margin, m.
KOKKOS_INLINE_FUNCTION Box element_box(const ContactView& view, const ConstVec3Array& node, int i,
                                       double margin) {
  const double reach = view.lanes(lane_array::radius)[i] + margin;
  Box result;
  result.include(node(i), reach);
  result.include(node(i + 1), reach);
  return result;
}

/// Boxes of all blocks, and of their pairs, fours, … up to the whole member: consecutive elements are near
/// each other, so the rods' own order makes a good tree without sorting.
template <class Team>
KOKKOS_INLINE_FUNCTION void build_boxes(const Team& team, const ContactView& view,
                                        const ConstVec3Array& node) {
  for_each_lane(team, view.leaves, [=](int block) {
    const int end = block < view.blocks - 1 ? (block + 1) * block_size : view.elements;
    Box result;
    for (int j = block * block_size; j < end; ++j) result.include(element_box(view, node, j, 0.0));
    set_box(view, view.leaves + block, result);
  });
  for (int width = view.leaves / 2; width > 0; width /= 2) {
    for_each_lane(team, width, [=](int k) {
      Box result = box(view, 2 * (width + k));
      result.include(box(view, 2 * (width + k) + 1));
      set_box(view, width + k, result);
    });
  }
}

/// Calls visit(block) for the blocks from `first` on whose trees of boxes all fulfil enters(tree node), in
/// rising order. Goes down to a node's first child or on to the next subtree: no stack.
template <class Enters, class Visit>
KOKKOS_INLINE_FUNCTION void for_each_block_from(const ContactView& view, int first, const Enters& enters,
                                                const Visit& visit) {
  int node = view.leaves + first;
  while (node != 1) {
    if (enters(node)) {
      if (node < view.leaves) {
        node *= 2;
        continue;
      }
      visit(node - view.leaves);
    }
    // The next subtree in order is to the right of this one or of the nearest ancestor that is a left child.
    ++node;
    while ((node & 1) == 0) node /= 2;
  }
}

/// The centre line of an element.
KOKKOS_FORCEINLINE_FUNCTION Segment segment(const ConstVec3Array& node, const double* inverse_square,
                                            std::ptrdiff_t i) {
  const Vec3 start = node(i);
  return {start, node(i + 1) - start, inverse_square[i]};
}

/// True if an element of the block, from element `first_other` on, comes within `margin` of touching element
/// i.
KOKKOS_INLINE_FUNCTION bool in_reach(const ContactView& view, const ConstVec3Array& node, int i, int block,
                                     int first_other, double margin) {
  const int start = block * block_size;
  const std::int64_t first_lane = first_other - start;
  const std::int64_t seam_begin = view.seam_begin()[i] - start;
  const std::int64_t seam_end = view.seam_end()[i] - start;
  const ConstVec3Array other = node.from(start);
  const double* const inverse_square = view.lanes(lane_array::inverse_square);
  const double* const radius = view.lanes(lane_array::radius) + start;
  const Segment own = segment(node, inverse_square, i);
  const double own_reach = view.lanes(lane_array::radius)[i] + margin;
  std::int64_t near = 0;
  for_each_in_block([&](std::int64_t lane) {
    const Vec3 gap = closest_points(own, segment(other, inverse_square + start, lane)).gap;
    const double distance = math::sqrt(dot(gap, gap));
    const bool partner = lane >= first_lane && (lane < seam_begin || lane >= seam_end);
    near += partner && distance <= own_reach + radius[lane] ? 1 : 0;
  });
  return near > 0;
}

/// Calls visit(block) for the blocks of later elements that element i may touch: those with an element from
/// its first partner on that comes within `skin` of touching it.
template <class Visit>
KOKKOS_INLINE_FUNCTION void for_each_candidate_block(const ContactView& view, const ConstVec3Array& node,
                                                     int i, double skin, const Visit& visit) {
  const int first_other = view.first_partner()[i];
  if (first_other >= view.elements) return;
  const Box reach = element_box(view, node, i, skin);
  for_each_block_from(
      view, first_other / block_size, [&](int k) { return reach.overlaps(box(view, k)); },
      [&](int block) {
        if (in_reach(view, node, i, block, first_other, skin)) visit(block);
      });
}

/// Lists all candidates in rising order of element and block, whatever the number of threads. What does not
/// fit is left out, and list_entry::overflowed says so for good.
template <class Team>
KOKKOS_INLINE_FUNCTION void list_candidates(const Team& team, const ContactView& view,
                                            const ConstVec3Array& node, double skin) {
  build_boxes(team, view, node);
  int* const element_start = view.element_start();
  for_each_lane(team, view.elements, [=](int i) {
    int found = 0;
    for_each_candidate_block(view, node, i, skin, [&](int) { ++found; });
    element_start[i + 1] = found;
  });
  once(team, [&] {
    element_start[0] = 0;
    for (int i = 0; i < view.elements; ++i) {
      const int room = view.capacity - element_start[i];
      if (element_start[i + 1] > room) view.list(list_entry::overflowed) = 1;
      element_start[i + 1] = element_start[i] + (element_start[i + 1] < room ? element_start[i + 1] : room);
    }
    view.list(list_entry::candidates) = element_start[view.elements];
    view.list(list_entry::built) = 1;
    ++view.list(list_entry::builds);
  });
  int* const element = view.element();
  int* const block = view.block();
  for_each_lane(team, view.elements, [=](int i) {
    int next = element_start[i];
    if (next == element_start[i + 1]) return;
    for_each_candidate_block(view, node, i, skin, [&](int b) {
      if (next == element_start[i + 1]) return;
      element[next] = i;
      block[next++] = b;
    });
  });
  // The same by block: a counting sort.
  once(team, [&] {
    int* const block_start = view.block_start();
    int* const by_block = view.by_block();
    const int candidates = view.list(list_entry::candidates);
    for (int b = 0; b <= view.blocks; ++b) block_start[b] = 0;
    for (int e = 0; e < candidates; ++e) ++block_start[block[e] + 1];
    for (int b = 0; b < view.blocks; ++b) block_start[b + 1] += block_start[b];
    // Filling moves each start to the next block's; afterwards all go back by one block.
    for (int e = 0; e < candidates; ++e) by_block[block_start[block[e]]++] = e;
    for (int b = view.blocks; b > 0; --b) block_start[b] = block_start[b - 1];
    block_start[0] = 0;
  });
}

/// True while no pair can have come into touch that is not listed: two elements approach by at most twice the
/// largest move of a node and thicken by twice the largest growth of a radius, of which the skin leaves 3/4
/// and 1/4.
template <class Team>
KOKKOS_INLINE_FUNCTION bool list_holds(const Team& team, const ContactView& view, const ConstVec3Array& node,
                                       double skin) {
  if (view.list(list_entry::built) == 0) return false;
  const ConstVec3Array listed_position = view.vec3_lanes(lane_array::listed_position);
  const double* const radius = view.lanes(lane_array::radius);
  const double* const listed_radius = view.lanes(lane_array::listed_radius);
  const double largest_move = 0.375 * skin;
  const double largest_growth = 0.125 * skin;
  const std::int64_t left = count_lanes(team, view.elements + 1, [=](int i) {
    const Vec3 move = node(i) - listed_position(i);
    const bool stayed = dot(move, move) <= largest_move * largest_move;  // false for NaN too
    // Elements between rods seem to grow, as one of their ends moves; they touch nothing.
    return !stayed || (radius[i] > 0.0 && radius[i] - listed_radius[i] > largest_growth);
  });
  return left == 0;
}

/// Brings the list of candidates up to date, if it has to be.
template <class Team>
KOKKOS_INLINE_FUNCTION void update_candidates(const Team& team, const ContactView& view,
                                              const ConstVec3Array& node, double skin) {
  if (list_holds(team, view, node, skin)) return;
  if (view.has_friction) keep_springs(team, view);
  list_candidates(team, view, node, skin);
  if (view.has_friction) restore_springs(team, view);
  const double* const radius = view.lanes(lane_array::radius);
  double* const listed_radius = view.lanes(lane_array::listed_radius);
  for_each_lane(team, node_lanes(view.elements), [=](int i) { listed_radius[i] = radius[i]; });
  const Vec3Array listed_position = view.vec3_lanes(lane_array::listed_position);
  for_each_lane(team, node_lanes(view.elements), [=](int i) { listed_position.set(i, node(i)); });
}

}  // namespace rodeo::contact
