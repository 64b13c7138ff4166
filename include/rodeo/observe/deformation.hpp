#pragma once

#include <algorithm>
#include <cmath>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Largest deviation of the tangent from the axis (theta of eq. 3.11 of Gazzola et al. 2018).
inline double largest_tangent_angle(const Observation& o) {
  double smallest_cosine = 1.0;
  for (int i = 0; i < o.state.elements; ++i) {
    const Vec3 edge = o.state.vec3(field::position, i + 1) - o.state.vec3(field::position, i);
    smallest_cosine = std::min(smallest_cosine, dot(edge, o.spec.rod.direction) / norm(edge));
  }
  return std::acos(std::max(smallest_cosine, -1.0));
}

/// The part of the half element at the last end up to which couples of [actuation] twist it.
inline double reach_of_couples(const Observation& o) {
  const double half = 0.5 / o.state.elements;
  double reach = 0.0;
  for (const ActuationSpec& one : o.spec.actuation) {
    if (one.kind != ActuationKind::couple) continue;
    const bool at_end = one.place.kind == Place::Kind::end ||
                        (one.place.kind == Place::Kind::node && one.place.index == o.state.elements);
    if (at_end) reach = 1.0;
    if (one.place.kind == Place::Kind::arc)
      reach = std::max(reach, std::min(1.0, (one.place.arc - 1.0 + half) / half));
  }
  return reach;
}

/// Twist between the ends: the turns about d3 of all regions, with the half ones at clamps; over the half
/// element at a free last end the couple there twists by tau_3 e^3/B_3 per length, besides its natural twist.
/// Couples of [actuation] there twist it as the region before. Of a closed rod, once around.
inline double twist_between_ends(const Observation& o) {
  const ConstRodView& rod = o.state;
  const int n = rod.elements;
  const auto turn = [&](int region) {
    return rotation_vector(conjugate(rod.quaternion(region)) * rod.quaternion(region + 1)).z;
  };
  double twist = 0.0;
  for (int i = -1; i + 1 < n; ++i) {
    if (rod.array(field::twist_stiffness)[i] > 0.0) twist += turn(i);
  }
  if (rod.array(field::twist_stiffness)[n - 1] > 0.0) return twist + turn(n - 1);
  const double rest_length = 1.0 / rod.array(field::inverse_rest_length)[n - 1];
  const double dilatation = rod.section_value(rod.array(field::length)[n - 1] / rest_length, 1.0);
  const double end_stiffness = o.spec.rod.twist_stiffness * std::pow(o.spec.rod.end_radius_ratio, 4);
  const double elastic = std::pow(dilatation, 3) * rod.vec3(field::bend_couple, n - 1).z / end_stiffness;
  const bool natural_is_driven = std::ranges::any_of(
      o.spec.actuation, [](const ActuationSpec& one) { return one.kind == ActuationKind::curvature; });
  const double natural =
      natural_is_driven ? rod.vec3(field::rest_curvature, n - 1).z : o.spec.rod.intrinsic_curvature.z;
  twist += 0.5 * rest_length * (natural + elastic);
  const double reach = n > 1 ? reach_of_couples(o) : 0.0;
  if (reach == 0.0) return twist;
  const double before = 1.0 / rod.array(field::inverse_rest_length)[n - 2];
  const double natural_before = rod.vec3(field::rest_curvature, n - 2).z;
  const double by_couples = turn(n - 2) / (0.5 * (before + rest_length)) - natural_before - elastic;
  return twist + reach * 0.5 * rest_length * by_couples;
}

inline constexpr Observable theta_max = {
    "theta_max", "rad",
    "largest angle between the tangent and rod.direction; of several rods, of the last one",
    largest_tangent_angle};
inline constexpr Observable end_twist = {"end_twist", "rad",
                                         "twist from the first end (the first element's centre if it is not "
                                         "clamped) to the last; of several rods, of the last one",
                                         twist_between_ends};

/// Largest bending curvature of a rod's Voronoi regions, of half ones at clamps too, 1/m.
inline double largest_curvature(const ConstRodView& rod) {
  double largest = 0.0;
  for (int region = -1; region < rod.elements; ++region) {
    if (rod.array(field::bend_stiffness)[region] == 0.0) continue;  // beyond a free end
    const Vec3 turn = rotation_vector(conjugate(rod.quaternion(region)) * rod.quaternion(region + 1));
    largest = std::max(largest, rod.array(field::inverse_rest_voronoi)[region] * std::hypot(turn.x, turn.y));
  }
  return largest;
}

inline constexpr Observable curvature_max = {
    "curvature_max", "1/m",
    "largest bending curvature of the rod, per rest arc length; of several rods, of the last one",
    [](const Observation& o) { return largest_curvature(o.state); }};

}  // namespace rodeo::observe
