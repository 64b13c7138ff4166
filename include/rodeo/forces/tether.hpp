#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "rodeo/math/vec3.hpp"
#include "rodeo/rod/initial_shape.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::forces {

/// A spring between a node of a rod and a point of the laboratory. It pulls by k u + h u^3 where it is longer
/// by u than its length, and is slack where it is shorter.
struct Tether {
  Vec3 point;              ///< m
  double length = 0.0;     ///< m
  double spring = 0.0;     ///< k, N/m
  double hardening = 0.0;  ///< h, N/m^3
  double place = 1.0;      ///< of the node, over the length of the rod
  bool closed = false;     ///< the last node of the rod is its first
  int nearest = -1;        ///< node, where elements are not all alike

  static constexpr std::string_view stiffness_key = "load.tether_stiffness";

  static Tether of(const MemberSpec& rod) {
    const LoadSpec& load = rod.load;
    Tether made{load.tether_point,     load.tether_length, load.tether_stiffness,
                load.tether_hardening, load.tether_place,  rod.rod.closed};
    if (!made.acts(0.0)) return made;
    const std::vector<double> places = uneven_places(rod.rod);
    if (places.empty()) return made;
    const auto distance = [&](double node) { return std::abs(node - made.place); };
    made.nearest = static_cast<int>(std::ranges::min_element(places, {}, distance) - places.begin());
    return made;
  }

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return spring > 0.0 || hardening > 0.0; }
  static constexpr double steady_from() { return 0.0; }
  static constexpr bool does_work() { return false; }

  KOKKOS_INLINE_FUNCTION int first_node(int elements) const {
    const int node = nearest >= 0 ? nearest : static_cast<int>(place * elements + 0.5);
    return closed && node == elements ? 0 : node;
  }
  KOKKOS_INLINE_FUNCTION int end_node(int elements) const { return first_node(elements) + 1; }

  KOKKOS_INLINE_FUNCTION double energy(const Vec3& position) const {
    const double u = norm(position - point) - length;
    return u > 0.0 ? (0.5 * spring + 0.25 * hardening * u * u) * u * u : 0.0;
  }

  template <class Real>
  KOKKOS_INLINE_FUNCTION BasicVec3<Real> force(const BasicVec3<Real>& position) const {
    using math::sqrt;
    const BasicVec3<Real> way = {point.x - position.x, point.y - position.y, point.z - position.z};
    const Real square = dot(way, way);
    if (length == 0.0) return (spring + hardening * square) * way;
    if (!(length * length < square)) return {};
    const Real distance = sqrt(square);
    const Real u = distance - length;
    return ((spring + hardening * u * u) * u / distance) * way;
  }

  double stiffness(const Vec3& position) const {
    const double u = std::max(0.0, norm(position - point) - length);
    return spring + 3.0 * hardening * u * u;
  }
};

}  // namespace rodeo::forces
