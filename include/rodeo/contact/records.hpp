#pragma once

#include "rodeo/contact/contact_view.hpp"
#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/math/columns.hpp"

namespace rodeo::contact {

/// Writes the radii of `count` elements from `first` on, radius(i) of each (m), and their records.
/// inverse_square(i, edge) is 1/|edge|^2 as far as its digits are known (1/m^2). `node` has the nodes from
/// `first` on.
template <class Team, class Radius, class InverseSquare>
KOKKOS_INLINE_FUNCTION void set_records(const Team& team, const ContactView& view, const ConstVec3Array& node,
                                        int first, int count, const Radius& radius,
                                        const InverseSquare& inverse_square) {
  double* const radii = view.lanes(lane_array::radius) + first;
  double* const records = view.element_records() + std::ptrdiff_t{element_record::count} * first;
  for_each_piece(team, (count + block_size - 1) / block_size, [=](int block) {
    BlockOfColumns columns;
    const std::int64_t begin = std::int64_t{block_size} * block;
    for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) {
      const std::int64_t i = begin + lane;
      const Vec3 start = node(i);
      const Vec3 edge = node(i + 1) - start;
      columns.set(element_record::start, lane, start);
      columns.set(element_record::edge, lane, edge);
      columns.column[element_record::inverse_square][lane] = inverse_square(i, edge);
      columns.column[element_record::radius][lane] = radius(i);
    });
    for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) {
      radii[begin + lane] = columns.column[element_record::radius][lane];
    });
    columns.store(records + element_record::count * begin);
  });
}

/// Writes the records of all elements by their known radii.
template <class Team>
KOKKOS_INLINE_FUNCTION void set_records(const Team& team, const ContactView& view,
                                        const ConstVec3Array& node) {
  const double* const radius = view.lanes(lane_array::radius);
  set_records(
      team, view, node, 0, view.elements, [=](std::int64_t i) { return radius[i]; },
      [](std::int64_t, const Vec3& edge) { return 1.0 / dot(edge, edge); });
}

/// Writes the records of how the elements and nodes of a part move, which begins at element `first`.
template <class Team, class Real>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION void set_motions(const Team& team, const ContactView& view,
                                                          const BasicRodView<const Real>& part, int first) {
  const auto velocity = part.velocities();
  const auto orientation = part.orientations();
  const auto angular_velocity = part.vec3_array(field::angular_velocity);
  const double* const radius = view.lanes(lane_array::radius) + first;
  double* const records = view.motion_records() + std::ptrdiff_t{motion_record::count} * first;
  for_each_piece(team, node_lanes(part.elements) / block_size, [=](int block) {
    BlockOfColumns columns;
    const std::int64_t begin = std::int64_t{block_size} * block;
    for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) {
      const std::int64_t i = begin + lane;
      columns.set(motion_record::velocity, lane, velocity.whole(i));
      columns.set(motion_record::spin, lane,
                  static_cast<Vec3>(directors(orientation(i)).to_laboratory(angular_velocity(i))));
      columns.column[motion_record::radius][lane] = radius[i];
      columns.column[motion_record::radius + 1][lane] = 0.0;
    });
    columns.store(records + motion_record::count * begin);
  });
}

/// The centre line of an element, as its record has it.
KOKKOS_FORCEINLINE_FUNCTION Segment segment(const ContactView& view, std::ptrdiff_t i) {
  const double* const record = view.element_records() + element_record::count * i;
  return {{record[0], record[1], record[2]},
          {record[3], record[4], record[5]},
          record[element_record::inverse_square]};
}

/// 1/|edge|^2 of an element, 1/m^2, as its record has it.
KOKKOS_FORCEINLINE_FUNCTION double inverse_square(const ContactView& view, std::ptrdiff_t i) {
  return view.element_records()[element_record::count * i + element_record::inverse_square];
}

/// The records of a block of elements.
struct BlockOfSegments {
  BlockOfColumns columns;

  KOKKOS_FORCEINLINE_FUNCTION void fetch(const ContactView& view, const int* elements) {
    columns.fetch(view.element_records(), elements);
  }
  KOKKOS_FORCEINLINE_FUNCTION Segment operator()(std::int64_t lane) const {
    return {columns.vec3(element_record::start, lane), columns.vec3(element_record::edge, lane),
            columns.column[element_record::inverse_square][lane]};
  }
  KOKKOS_FORCEINLINE_FUNCTION double radius(std::int64_t lane) const {
    return columns.column[element_record::radius][lane];
  }
};

/// Motion of the elements of a block, from their records.
struct BlockOfMotions {
  BlockOfColumns here;
  BlockOfColumns next;  ///< of the elements after them, whose first nodes are their last

  KOKKOS_FORCEINLINE_FUNCTION void fetch(const ContactView& view, const int* elements) {
    here.fetch(view.motion_records(), elements);
    next.fetch(view.motion_records() + motion_record::count, elements);
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3 velocity(std::int64_t lane) const {
    return here.vec3(motion_record::velocity, lane);
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3 next_velocity(std::int64_t lane) const {
    return next.vec3(motion_record::velocity, lane);
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3 spin(std::int64_t lane) const {
    return here.vec3(motion_record::spin, lane);
  }
  KOKKOS_FORCEINLINE_FUNCTION double radius(std::int64_t lane) const {
    return here.column[motion_record::radius][lane];
  }
};

/// Vectors of a block, side by side: fetched one by one from where they stand, they are computed with in
/// vector registers, which not every core fills from scattered entries fast enough for compilers to have it
/// done.
struct BlockOfVectors {
  double component[3][block_size];

  KOKKOS_FORCEINLINE_FUNCTION void set(int lane, const ConstVec3Array& from, std::ptrdiff_t i) {
    component[0][lane] = from.x[i];
    component[1][lane] = from.y[i];
    component[2][lane] = from.z[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION void set(std::int64_t lane, const Vec3& v) {
    component[0][lane] = v.x;
    component[1][lane] = v.y;
    component[2][lane] = v.z;
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec3 operator()(std::int64_t lane) const {
    return {component[0][lane], component[1][lane], component[2][lane]};
  }
};

}  // namespace rodeo::contact
