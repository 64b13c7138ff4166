#pragma once

#include "rodeo/math/functions.hpp"
#include "rodeo/rod/region_load.hpp"
#include "rodeo/rod/rod_fields.hpp"

/// What connections are made of. All computes in double precision, in whichever the rods' arrays are.
namespace rodeo::connection {

/// Where a link holds a rod: at a node, or at the end of an arm that an element carries.
struct Site {
  int entry = 0;  ///< node or element among the member's
  bool on_node = true;
  double fraction = 0.0;  ///< of the element, from its first node to where the arm begins
  Vec3 arm;               ///< body components, m
};

/// A site at an instant, laboratory frame.
struct SiteState {
  Vec3 centre;    ///< on the centre line, m
  Vec3 velocity;  ///< there, m/s
  Vec3 arm;       ///< m
  Vec3 rate;      ///< of the element, rad/s
};

/// What a link does to its two sites, and to the elements that carry them.
struct LinkLoad {
  Vec3 force;       ///< on the first site, minus that on the second, N
  Vec3 couples[2];  ///< on the elements, body components, N m
};

namespace detail {

template <class Real>
KOKKOS_INLINE_FUNCTION SiteState state_of(const BasicRodView<Real>& rod, const Site& site) {
  const int i = site.entry;
  if (site.on_node) return {rod.vec3(field::position, i), rod.vec3(field::velocity, i), {}, {}};
  const double f = site.fraction;
  const Directors d = directors(rod.quaternion(i));
  return {(1.0 - f) * rod.vec3(field::position, i) + f * rod.vec3(field::position, i + 1),
          (1.0 - f) * rod.vec3(field::velocity, i) + f * rod.vec3(field::velocity, i + 1),
          d.to_laboratory(site.arm), d.to_laboratory(rod.vec3(field::angular_velocity, i))};
}

}  // namespace detail

/// A spring and a dashpot between two sites, in one of two ways.
///
/// Central: along the line between them, F = (k (d - L) + c dd/dt) n. There are no arms, and no couples.
///
/// Otherwise both are drawn together, F = k g + c dg/dt, with the gap g between the ends of their arms. The
/// force acts on both elements at one point, the middle of the gap, or the node where one site is a node; so
/// it does as much work as the gap takes, and leaves no couple over. Between two nodes, which cannot take a
/// couple, the dashpot of a link must be central.
struct PointLink {
  Site sites[2];
  bool central = true;
  bool of_bond = false;
  double stiffness = 0.0;  ///< k, N/m
  double length = 0.0;     ///< L, m
  double damping = 0.0;    ///< c, kg/s
  double strength = 0.0;   ///< force of the spring at which it breaks, N; 0: never
  int broken = 0;          ///< 1 once it has; the only part that changes

  template <class Real>
  KOKKOS_INLINE_FUNCTION Vec3 gap(const BasicRodView<Real>& rod) const {
    const SiteState a = detail::state_of(rod, sites[0]);
    const SiteState b = detail::state_of(rod, sites[1]);
    return (b.centre + b.arm) - (a.centre + a.arm);
  }

  /// By which the spring is longer than at rest, m.
  KOKKOS_INLINE_FUNCTION double extension(const Vec3& gap) const { return norm(gap) - length; }

  /// Whether the spring exceeds its strength.
  template <class Real>
  KOKKOS_INLINE_FUNCTION bool is_overloaded(const BasicRodView<Real>& rod) const {
    return strength > 0.0 && stiffness * math::fabs(extension(gap(rod))) > strength;
  }

  template <class Real>
  KOKKOS_INLINE_FUNCTION double energy(const BasicRodView<Real>& rod) const {
    const double e = extension(gap(rod));
    return broken != 0 ? 0.0 : 0.5 * stiffness * e * e;
  }

  template <class Real>
  KOKKOS_INLINE_FUNCTION LinkLoad load(const BasicRodView<Real>& rod) const {
    LinkLoad on;
    if (broken != 0) return on;
    const SiteState a = detail::state_of(rod, sites[0]);
    const SiteState b = detail::state_of(rod, sites[1]);
    const Vec3 drawn = (b.centre + b.arm) - (a.centre + a.arm);
    if (central) {
      const double distance = norm(drawn);
      const Vec3 n = (1.0 / (distance + 1e-150)) * drawn;  // two sites in one place have no direction
      const double rate = dot(b.velocity - a.velocity, n);
      on.force = (stiffness * (distance - length) + damping * rate) * n;
      return on;
    }
    const Vec3 point = sites[0].on_node   ? a.centre
                       : sites[1].on_node ? b.centre
                                          : 0.5 * ((a.centre + a.arm) + (b.centre + b.arm));
    const Vec3 to_a = point - a.centre;
    const Vec3 to_b = point - b.centre;
    const Vec3 rate = (b.velocity + cross(b.rate, to_b)) - (a.velocity + cross(a.rate, to_a));
    on.force = stiffness * drawn + damping * rate;
    if (!sites[0].on_node)
      on.couples[0] = directors(rod.quaternion(sites[0].entry)).to_body(cross(to_a, on.force));
    if (!sites[1].on_node)
      on.couples[1] = directors(rod.quaternion(sites[1].entry)).to_body(cross(on.force, to_b));
    return on;
  }
};

/// A couple between two elements.
///
/// Of a rigid joint: with `rest`, the turn from the first to the second at the start, the frame q' = q_2
/// rest^-1 coincides with q_1 at rest, and the energy is t.B t/2 with t = log(q_1^-1 q').
///
/// Of a hinge: its axis stands in both elements, and the energy is k (1 - a_1.a_2), so that both may turn
/// about it any number of times.
struct TurnLink {
  int elements[2] = {0, 0};
  bool hinge = false;
  Quaternion rest;
  Vec3 stiffness[3];     ///< rows of B, frame of the first element, N m; of a hinge the first number is k
  Vec3 axes[2];          ///< of a hinge: body components in both elements
  double damping = 0.0;  ///< couple over the relative rate, of a hinge across its axis, N m s

  template <class Real>
  KOKKOS_INLINE_FUNCTION RotationLog turn(const BasicRodView<Real>& rod) const {
    const Quaternion second = rod.quaternion(elements[1]) * conjugate(rest);
    return rotation_log(conjugate(rod.quaternion(elements[0])) * second);
  }

  KOKKOS_INLINE_FUNCTION Vec3 couple(const Vec3& turn) const {
    return {dot(stiffness[0], turn), dot(stiffness[1], turn), dot(stiffness[2], turn)};
  }

  template <class Real>
  KOKKOS_INLINE_FUNCTION double energy(const BasicRodView<Real>& rod) const {
    if (!hinge) {
      const Vec3 t = turn(rod).vector;
      return 0.5 * dot(t, couple(t));
    }
    const Vec3 apart = directors(rod.quaternion(elements[1])).to_laboratory(axes[1]) -
                       directors(rod.quaternion(elements[0])).to_laboratory(axes[0]);
    return 0.5 * stiffness[0].x * dot(apart, apart);
  }

  /// Couples on both elements, body components, N m.
  template <class Real>
  KOKKOS_INLINE_FUNCTION LinkLoad load(const BasicRodView<Real>& rod) const {
    const Directors first = directors(rod.quaternion(elements[0]));
    const Directors second = directors(rod.quaternion(elements[1]));
    const Vec3 rate = second.to_laboratory(rod.vec3(field::angular_velocity, elements[1])) -
                      first.to_laboratory(rod.vec3(field::angular_velocity, elements[0]));
    LinkLoad on;
    if (hinge) {
      const Vec3 a = first.to_laboratory(axes[0]);
      const Vec3 b = second.to_laboratory(axes[1]);
      const Vec3 c = stiffness[0].x * cross(a, b) + damping * (rate - dot(rate, a) * a);
      on.couples[0] = first.to_body(c);
      on.couples[1] = -1.0 * second.to_body(c);
      return on;
    }
    const RotationLog t = turn(rod);
    const RegionLoad region = shared_couple(
        t.vector, couple(t.vector),
        (1.0 - t.half_cotangent) / (dot(t.vector, t.vector) + Precision<double>::smallest_square));
    const Vec3 resistance = damping * rate;
    on.couples[0] = region.transport + region.couple + first.to_body(resistance);
    on.couples[1] = directors(rest).to_body(region.transport - region.couple) - second.to_body(resistance);
    return on;
  }
};

}  // namespace rodeo::connection
