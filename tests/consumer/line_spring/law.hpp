#pragma once

#include <string_view>

#include "rodeo/forces/law.hpp"

namespace rodeo::own {

/// A spring that pulls a node of a rod straight to a line, by its stiffness times the distance.
struct LineSpring {
  Vec3 point;              ///< of the line, m
  Vec3 along = {0, 0, 1};  ///< the line, any length but zero
  double spring = 0.0;     ///< N/m
  double place = 1.0;      ///< of the node, over the length of the rod

  static constexpr std::string_view feature = "springs to lines";  // as `rodeo features` calls it
  static constexpr std::string_view asked = "line_spring.stiffness";
  static constexpr std::string_view stiffness_key = asked;

  static LineSpring of(const MemberSpec& rod) { return rod.load.own.get<LineSpring>(); }

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return spring > 0.0; }
  static constexpr double steady_from() { return 0.0; }
  static constexpr bool does_work() { return false; }

  KOKKOS_INLINE_FUNCTION int first_node(int elements) const {
    return static_cast<int>(place * elements + 0.5);
  }
  KOKKOS_INLINE_FUNCTION int end_node(int elements) const { return first_node(elements) + 1; }

  /// From the node to the nearest point of the line.
  template <class Real>
  KOKKOS_INLINE_FUNCTION BasicVec3<Real> way(const BasicVec3<Real>& position) const {
    const BasicVec3<Real> to_point = {point.x - position.x, point.y - position.y, point.z - position.z};
    const Real part =
        (along.x * to_point.x + along.y * to_point.y + along.z * to_point.z) / dot(along, along);
    return {to_point.x - part * along.x, to_point.y - part * along.y, to_point.z - part * along.z};
  }

  KOKKOS_INLINE_FUNCTION double energy(const Vec3& position) const {
    const Vec3 d = way(position);
    return 0.5 * spring * dot(d, d);
  }

  template <class Real>
  KOKKOS_INLINE_FUNCTION BasicVec3<Real> force(const BasicVec3<Real>& position) const {
    return spring * way(position);
  }

  double stiffness(const Vec3&) const { return spring; }
};

}  // namespace rodeo::own
