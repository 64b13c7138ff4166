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

/// Twist between the ends: the turns about d3 of all regions, with the half ones at clamps; over the half
/// element at a free last end the couple there twists by tau_3 e^3/B_3 per length, besides its natural twist.
/// Of a closed rod, once around.
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
  const double natural =
      o.spec.actuation.empty() ? o.spec.rod.intrinsic_curvature.z : rod.vec3(field::rest_curvature, n - 1).z;
  return twist + 0.5 * rest_length * (natural + elastic);
}

inline constexpr Observable theta_max = {
    "theta_max", "rad",
    "largest angle between the tangent and rod.direction; of several rods, of the last one",
    largest_tangent_angle};
inline constexpr Observable end_twist = {"end_twist", "rad",
                                         "twist from the first end (the first element's centre if it is not "
                                         "clamped) to the last; of several rods, of the last one",
                                         twist_between_ends};

}  // namespace rodeo::observe
