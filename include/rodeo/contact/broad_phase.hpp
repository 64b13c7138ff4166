#pragma once

#include <type_traits>

#include "rodeo/contact/cells.hpp"
#include "rodeo/contact/pair_rooms.hpp"
#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/contact/spring_friction.hpp"

namespace rodeo::contact {

namespace detail {

/// The number before adding, by any thread of a team.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION int fetch_add([[maybe_unused]] const Team& team, int& number, int more) {
  if constexpr (std::is_same_v<Team, OneThread>) {
    const int before = number;
    number += more;
    return before;
  } else {
    return Kokkos::atomic_fetch_add(&number, more);
  }
}

/// True if the calling thread does all work of a member.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION bool is_alone([[maybe_unused]] const Team& team) {
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  if constexpr (std::is_same_v<Team, HostTeam>) return team.size == 1;
#endif
  return std::is_same_v<Team, OneThread>;
}

/// Counting sort: finds where entries with each key start once sorted, and calls place(entry, where) in
/// rising order of entries.
template <class Place>
KOKKOS_INLINE_FUNCTION void count_and_place(const int* key, int entries, int* start, int keys,
                                            const Place& place) {
  for (int k = 0; k <= keys; ++k) start[k] = 0;
  for (int e = 0; e < entries; ++e) ++start[key[e] + 1];
  for (int k = 0; k < keys; ++k) start[k + 1] += start[k];
  // Placing moves each start to the next key's; afterwards all go back by one key.
  for (int e = 0; e < entries; ++e) place(e, start[key[e]]++);
  for (int k = keys; k > 0; --k) start[k] = start[k - 1];
  start[0] = 0;
}

}  // namespace detail

/// How far an element may move or grow until pairs are listed anew: its way at the present speed in
/// `duration`, within bounds. A fast-falling element then does not cause a new list at every step.
///
/// An element so fast that its way has to be checked (find_passing) has the least margin, so that pairs are
/// listed anew in each of its steps.
struct Margins {
  double least = 0.0;     ///< m
  double most = 0.0;      ///< m
  double duration = 0.0;  ///< s
  double step = 0.0;      ///< s
  double unseen = 0.0;    ///< move in a step that is not looked at, m

  KOKKOS_FORCEINLINE_FUNCTION double of(double speed) const {
    const double margin = detail::larger(least, detail::smaller(speed * duration, most));
    return is_fast(speed) ? least : margin;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_fast(double speed) const { return speed * step > unseen; }
};

/// Speed of the faster node of an element, m/s.
KOKKOS_FORCEINLINE_FUNCTION double speed_of(const ConstVec3Array& velocity, int element) {
  const Vec3 first = velocity(element);
  const Vec3 last = velocity(element + 1);
  return math::sqrt(detail::larger(dot(first, first), dot(last, last)));
}

template <class Team>
KOKKOS_INLINE_FUNCTION void set_margins(const Team& team, const ContactView& view,
                                        const ConstVec3Array& velocity, const Margins& margins) {
  const double* const radius = view.lanes(lane_array::radius);
  double* const reach = view.lanes(lane_array::listed_reach);
  for_each_lane(team, view.elements,
                [=](int i) { reach[i] = radius[i] + margins.of(speed_of(velocity, i)); });
}

namespace detail {

/// Makes room for all pairs that were found, where memory can grow.
KOKKOS_INLINE_FUNCTION void make_room([[maybe_unused]] const ContactView& view) {
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  grow(*view.room, view.list(list_entry::found), view.has_friction);
#endif
}

/// Makes room for the data of listing pairs. A device has enough of it from the start.
KOKKOS_INLINE_FUNCTION void make_room_to_list([[maybe_unused]] const ContactView& view) {
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  const std::int64_t needed =
      pairs_to_list(view.elements, view.has_friction ? view.list(list_entry::pairs) : 0);
  if (view.capacity() < needed) resize(*view.room, static_cast<int>(needed), view.has_friction);
#endif
}

}  // namespace detail

/// Lists all pairs within their margins in rising order of both elements, whatever the number of threads.
/// Pairs that do not fit, on a device whose memory does not grow, are left out and list_entry::overflowed is
/// set for good.
template <class Team>
KOKKOS_INLINE_FUNCTION void list_pairs(const Team& team, const ContactView& view,
                                       const ConstVec3Array& node) {
  const Grid grid = sort_into_cells(team, view, node);
  // Pairs in the order in which they are found, in memory of later use; twice if there is too little room.
  for (int time = 0; time < 2; ++time) {
    int* const found_earlier = view.by_later();
    int* const found_later = view.active();
    const int capacity = view.capacity();
    once(team, [&] { view.list(list_entry::found) = 0; });
    for_each_near(team, view, grid, [=](int i, const int* others, int count) {
      const int first = detail::fetch_add(team, view.list(list_entry::found), count);
      for (int k = 0; k < count && first + k < capacity; ++k) {
        const int j = others[k];
        found_earlier[first + k] = i < j ? i : j;
        found_later[first + k] = i < j ? j : i;
      }
    });
    if (view.list(list_entry::found) <= capacity) break;
    once(team, [&] { detail::make_room(view); });
    if (view.capacity() == capacity) break;
  }
  once(team, [&] {
    const int found = view.list(list_entry::found);
    const int capacity = view.capacity();
    if (found > capacity) view.list(list_entry::overflowed) = 1;
    const int pairs = found < capacity ? found : capacity;
    view.list(list_entry::pairs) = pairs;
    view.list(list_entry::built) = 1;
    ++view.list(list_entry::builds);
    const int* const found_later = view.active();
    int* const later = view.later();
    detail::count_and_place(view.by_later(), pairs, view.element_start(), view.elements,
                            [=](int e, int place) { later[place] = found_later[e]; });
  });
  int* const later = view.later();
  int* const earlier = view.earlier();
  const int* const element_start = view.element_start();
  for_each_lane(team, view.elements, [=](int i) {
    const int start = element_start[i];
    for (int p = start; p < element_start[i + 1]; ++p) {
      const int j = later[p];
      int place = p;
      for (; place > start && later[place - 1] > j; --place) later[place] = later[place - 1];
      later[place] = j;
      earlier[p] = i;
    }
  });
  once(team, [&] {
    int* const by_later = view.by_later();
    detail::count_and_place(later, view.list(list_entry::pairs), view.later_start(), view.elements,
                            [=](int p, int place) { by_later[place] = p; });
  });
}

/// Marks all listed pairs as not touching.
template <class Team>
KOKKOS_INLINE_FUNCTION void clear_pairs(const Team& team, const ContactView& view) {
  const int pairs = view.list(list_entry::pairs);
  int* const active = view.active();
  double* const overlap = view.overlap();
  for_each_lane(team, pairs, [=](int p) {
    active[p] = 0;
    overlap[p] = 0.0;
  });
  double* const records = view.records();
  for_each_lane(team, pairs * pair_record::count, [=](int k) { records[k] = 0.0; });
}

/// Number of `count` elements from `first` on that have moved and grown beyond their margins since pairs were
/// listed: while it is zero, no unlisted pair can have come into touch. `node` has the nodes from `first` on.
template <class Team>
KOKKOS_INLINE_FUNCTION std::int64_t count_left(const Team& team, const ContactView& view,
                                               const ConstVec3Array& node, int first, int count) {
  const ConstVec3Array all_listed = view.vec3_lanes(lane_array::listed_position);
  const ConstVec3Array listed_position = {all_listed.x + first, all_listed.y + first, all_listed.z + first};
  const double* const radius = view.lanes(lane_array::radius) + first;
  const double* const listed_reach = view.lanes(lane_array::listed_reach) + first;
  return count_lanes(team, count, [=](int i) {
    const Vec3 move = node(i) - listed_position(i);
    const Vec3 last_move = node(i + 1) - listed_position(i + 1);
    const double square = detail::larger(dot(move, move), dot(last_move, last_move));
    const double room = listed_reach[i] - radius[i];
    const bool stayed = room >= 0.0 && square <= room * room;  // false for NaN too
    // Elements between rods seem to move and to grow, as one of their ends moves; they touch nothing.
    return !stayed && radius[i] > 0.0;
  });
}

/// Checks the paths of elements in the last step, if any is fast, and notes if two have crossed. Uses the
/// arrays in which pairs are listed.
template <class Team>
KOKKOS_INLINE_FUNCTION void find_passing(const Team& team, const ContactView& view,
                                         const ConstVec3Array& node, const ConstVec3Array& velocity,
                                         const Margins& margins) {
  const double* const radius = view.lanes(lane_array::radius);
  const std::int64_t fast = count_lanes(
      team, view.elements, [=](int i) { return radius[i] > 0.0 && margins.is_fast(speed_of(velocity, i)); });
  if (fast == 0) return;
  const double step = margins.step;
  double* const reach = view.lanes(lane_array::listed_reach);
  for_each_lane(team, view.elements, [=](int i) { reach[i] = radius[i] + step * speed_of(velocity, i); });
  const Grid grid = sort_into_cells(team, view, node);
  for_each_near(team, view, grid, [=](int i, const int* others, int count) {
    for (int k = 0; k < count; ++k) {
      const int j = others[k];
      Vec3 start[pair_nodes] = {node(i), node(i + 1), node(j), node(j + 1)};
      const Vec3 move[pair_nodes] = {step * velocity(i), step * velocity(i + 1), step * velocity(j),
                                     step * velocity(j + 1)};
      for (int m = 0; m < pair_nodes; ++m) start[m] = start[m] - move[m];
      if (collision_free_part(start, move, 0.0) < 1.0) view.note_passing();
    }
  });
}

/// Lists the pairs for the present positions.
template <class Team>
KOKKOS_INLINE_FUNCTION void list_anew(const Team& team, const ContactView& view, const ConstVec3Array& node,
                                      const ConstVec3Array& velocity, const Margins& margins) {
  once(team, [&] { detail::make_room_to_list(view); });
  if (view.has_friction) keep_springs(team, view);
  find_passing(team, view, node, velocity, margins);
  set_margins(team, view, velocity, margins);
  list_pairs(team, view, node);
  if (view.has_friction) restore_springs(team, view);
  clear_pairs(team, view);
  if (view.has_friction) mark_held(team, view);
  const Vec3Array listed_position = view.vec3_lanes(lane_array::listed_position);
  for_each_lane(team, node_lanes(view.elements), [=](int i) { listed_position.set(i, node(i)); });
}

/// Updates the list of pairs if necessary.
template <class Team>
KOKKOS_INLINE_FUNCTION void update_pairs(const Team& team, const ContactView& view,
                                         const ConstVec3Array& node, const ConstVec3Array& velocity,
                                         const Margins& margins) {
  const bool is_built = view.list(list_entry::built) != 0;
  if (is_built && count_left(team, view, node, 0, view.elements) == 0) return;
  list_anew(team, view, node, velocity, margins);
}

}  // namespace rodeo::contact
