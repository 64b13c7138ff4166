#pragma once

#include <cstddef>

#include <Kokkos_Core.hpp>

#include "rodeo/math/rotation.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/math/vec3_array.hpp"

namespace rodeo {

/// The arrays of the rods of a member, element (or node) index fastest, first those of a single rod. n
/// elements, n + 1 nodes, n - 1 Voronoi regions (region i lies between elements i and i + 1, around node i +
/// 1). At a clamp there is half a region more, entry -1 or n - 1, between the directors of the end (entry -1
/// or n of orientation) and those of the element there. On a closed rod node n is node 0, and region n - 1
/// lies between elements n - 1 and 0 (boundary::Closure). Laboratory frame unless "body" is said. SI units.
///
/// Several rods stand one after the other. Between two that are not joined lie three elements and the two
/// nodes between them that have neither stiffness nor gain: they never move and never pull, and give each rod
/// its own entries -1, n and n + 1. A loop over all entries of a member is then right for every rod in it.
/// Joined rods are next to each other, and the last node of one is the first of the next.
namespace field {
enum Field : int {
  // State.
  position = 0,                        ///< node, 3, m
  velocity = position + 3,             ///< node, 3, m/s
  orientation = velocity + 3,          ///< element, 4 (w, x, y, z)
  angular_velocity = orientation + 4,  ///< element, 3, body, rad/s
  // Constants of a slice.
  velocity_decay = angular_velocity + 3,       ///< node: factor a free velocity keeps in a step
  velocity_gain = velocity_decay + 1,          ///< node: velocity per force of a step, s/kg
  bend_rate_decay = velocity_gain + 1,         ///< element: the same for the angular velocity about d1, d2
  bend_rate_gain = bend_rate_decay + 1,        ///< element, s/(kg m^2)
  twist_rate_decay = bend_rate_gain + 1,       ///< element: about d3
  twist_rate_gain = twist_rate_decay + 1,      ///< element, s/(kg m^2)
  rest_length = twist_rate_gain + 1,           ///< element, m; zero beyond the ends
  inverse_rest_length = rest_length + 1,       ///< element, 1/m
  shear_stiffness = inverse_rest_length + 1,   ///< element, S1 = S2, N
  stretch_stiffness = shear_stiffness + 1,     ///< element, S3, N
  bend_stiffness = stretch_stiffness + 1,      ///< Voronoi region, B1 = B2, N m^2
  twist_stiffness = bend_stiffness + 1,        ///< Voronoi region, B3, N m^2
  inverse_rest_voronoi = twist_stiffness + 1,  ///< Voronoi region, 1/D_hat, 1/m
  rest_curvature = inverse_rest_voronoi + 1,   ///< Voronoi region, 3, body, 1/m
  mass = rest_curvature + 3,                   ///< node, kg
  bend_inertia = mass + 1,  ///< element, J1 = J2 at rest, kg m^2; J3 = 2 J1 (circular section)
  contact_radius =
      bend_inertia + 1,  ///< element, radius times root of length (constant: the volume is), m^1.5
  force_share =
      contact_radius + 1,  ///< node: part of its mass and force that each of its elements has, 1/2, ends 1
  /// Amplitude beta cos(k s) of the muscles' wave (eq. 4.3): Voronoi region, N m, where muscles exert
  /// couples; element, N, where they exert forces.
  muscle_cosine = force_share + 1,
  muscle_sine = muscle_cosine + 1,  ///< the same with sin(k s)
  half_drag = muscle_sine + 1,  ///< element, half the fluid's drag across, per length and velocity, kg/(m s)
  // Work arrays of a step.
  length = half_drag + 1,               ///< element, m
  inverse_length = length + 1,          ///< element, 1/m
  internal_force = inverse_length + 1,  ///< element, 3, Q^T S sigma/e, N
  shear_couple = internal_force + 3,    ///< element, 3, body, (Q t x S sigma) l_hat, N m
  bend_couple = shear_couple + 3,       ///< Voronoi region, 3, body, B kappa/E^3, N m
  transport_couple = bend_couple + 3,   ///< Voronoi region, 3, body, half of (kappa x B kappa) D_hat/E^3, N m
  middle_velocity = transport_couple + 3,  ///< node, 3, mean of the velocities before and after a kick, m/s
  external_force = middle_velocity + 3,    ///< node, 3, N
  external_couple = external_force + 3,    ///< element, 3, body, N m
  count = external_couple + 3,
  // Arrays that share the place of another, which is not in use at the time.
  ground_force = middle_velocity  ///< element, 3, N; zero beyond the ends of open rods
};
}  // namespace field

/// Doubles in front of each array's entry 0: entry -1 may be read (a boundary flux stands there), and entry 0
/// is aligned to a cache line, as every array's length is a multiple of one.
inline constexpr int field_front = 8;

/// Elements and nodes rounded up to whole vectors: what an element or node loop runs over on a host core.
KOKKOS_INLINE_FUNCTION constexpr int element_lanes(int elements) { return (elements + 7) / 8 * 8; }
KOKKOS_INLINE_FUNCTION constexpr int node_lanes(int elements) { return (elements + 8) / 8 * 8; }

/// Entries of one array, front included, for a rod of so many elements. A whole number of cache lines (one
/// line is one AVX-512 vector) with room for entry element_lanes, and an odd number of them, so that the
/// arrays of a rod spread over all sets of the cache whatever the element count.
KOKKOS_INLINE_FUNCTION constexpr int field_pitch(int elements) {
  return ((field_front + node_lanes(elements) + 8) / 8 | 1) * 8;
}

/// Doubles one rod takes.
constexpr std::size_t rod_size(int elements) {
  return static_cast<std::size_t>(field::count) * static_cast<std::size_t>(field_pitch(elements));
}

/// The arrays of a member's rods, or of one of them, inside a batch's storage. A plain handle: copying it
/// copies no data.
struct RodView {
  double* base = nullptr;
  int elements = 0;
  int pitch = 0;
  double shrink = 1.0;  ///< 1: sections shrink as elements stretch, whose volume stays; 0: they are rigid

  KOKKOS_INLINE_FUNCTION RodView(double* storage, int element_count, double sections_shrink)
      : base(storage), elements(element_count), pitch(field_pitch(element_count)), shrink(sections_shrink) {}

  /// One rod of a member: so many elements from element `first` on.
  KOKKOS_INLINE_FUNCTION RodView part(int first, int element_count) const {
    RodView rod = *this;
    rod.base += first;
    rod.elements = element_count;
    return rod;
  }

  KOKKOS_INLINE_FUNCTION int nodes() const { return elements + 1; }

  /// What sections follow (2.10 of Gazzola et al. 2018): the value of the stretched rod where they shrink,
  /// that of the rod at rest where they are rigid. Exact, as one of the terms is zero.
  KOKKOS_INLINE_FUNCTION double followed(double stretched, double at_rest) const {
    return shrink * stretched + (1.0 - shrink) * at_rest;
  }

  /// Array of component `component` of a field; entries -1 … pitch - 9 exist.
  KOKKOS_INLINE_FUNCTION double* array(int f, int component = 0) const {
    return base + static_cast<std::ptrdiff_t>(f + component) * pitch + field_front;
  }

  /// The three arrays of a vector field.
  KOKKOS_FORCEINLINE_FUNCTION Vec3Array vec3_array(int f) const {
    return {array(f, 0), array(f, 1), array(f, 2)};
  }
  /// The four arrays of the orientations.
  KOKKOS_FORCEINLINE_FUNCTION QuaternionArray quaternions() const {
    return {array(field::orientation, 0), array(field::orientation, 1), array(field::orientation, 2),
            array(field::orientation, 3)};
  }

  KOKKOS_INLINE_FUNCTION Vec3 vec3(int f, int i) const { return vec3_array(f)(i); }
  KOKKOS_INLINE_FUNCTION void set_vec3(int f, int i, const Vec3& v) const { vec3_array(f).set(i, v); }
  KOKKOS_INLINE_FUNCTION Quaternion quaternion(int i) const { return quaternions()(i); }
  KOKKOS_INLINE_FUNCTION void set_quaternion(int i, const Quaternion& q) const { quaternions().set(i, q); }
};

}  // namespace rodeo
