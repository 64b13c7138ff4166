#pragma once

#include "rodeo/law/bend_twist.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/rod/rod_fields.hpp"

/// Laws of connections. All compute in double precision, whatever that of the rods' arrays.
namespace rodeo::connection {

/// Place where a link holds a rod: a node, or the end of an arm that an element carries.
struct Site {
  int entry = 0;  ///< node or element among the member's
  bool on_node = true;
  double fraction = 0.0;  ///< of the element, from its first node to where the arm begins
  Vec3 arm;               ///< body components, m
};

/// A site at an instant, laboratory frame. Numbers may carry derivatives.
template <class Number>
struct BasicSiteState {
  BasicVec3<Number> centre;    ///< on the centre line, m
  BasicVec3<Number> velocity;  ///< there, m/s
  BasicVec3<Number> arm;       ///< m
  BasicVec3<Number> rate;      ///< of the element, rad/s
  BasicDirectors<Number> frame;
};
using SiteState = BasicSiteState<double>;

/// An element at an instant.
template <class Number>
struct BasicElementState {
  BasicQuaternion<Number> orientation;
  BasicVec3<Number> rate;  ///< body components, rad/s
};
using ElementState = BasicElementState<double>;

/// Loads of a link on its two sites, and on the elements that carry them.
template <class Number>
struct BasicLinkLoad {
  BasicVec3<Number> force;       ///< on the first site, minus that on the second, N
  BasicVec3<Number> couples[2];  ///< on the elements, body components, N m
};
using LinkLoad = BasicLinkLoad<double>;

namespace detail {

template <class Real>
KOKKOS_INLINE_FUNCTION SiteState state_of(const BasicRodView<Real>& rod, const Site& site) {
  const int i = site.entry;
  if (site.on_node) return {rod.vec3(field::position, i), rod.vec3(field::velocity, i), {}, {}, {}};
  const double f = site.fraction;
  const Directors d = directors(rod.quaternion(i));
  return {(1.0 - f) * rod.vec3(field::position, i) + f * rod.vec3(field::position, i + 1),
          (1.0 - f) * rod.vec3(field::velocity, i) + f * rod.vec3(field::velocity, i + 1),
          d.to_laboratory(site.arm), d.to_laboratory(rod.vec3(field::angular_velocity, i)), d};
}

template <class Number>
KOKKOS_INLINE_FUNCTION BasicVec3<Number> widened(const Vec3& v) {
  return {Number(v.x), Number(v.y), Number(v.z)};
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

  /// Extension of the spring from its length at rest, m.
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
    if (broken != 0) return {};
    return load(detail::state_of(rod, sites[0]), detail::state_of(rod, sites[1]));
  }

  /// Load with the sites in any state.
  template <class Number>
  KOKKOS_INLINE_FUNCTION BasicLinkLoad<Number> load(const BasicSiteState<Number>& a,
                                                    const BasicSiteState<Number>& b) const {
    using math::sqrt;
    BasicLinkLoad<Number> on;
    const Number k(stiffness);
    const Number c(damping);
    const BasicVec3<Number> drawn = (b.centre + b.arm) - (a.centre + a.arm);
    if (central) {
      const Number distance = sqrt(dot(drawn, drawn) + Number(1e-300));
      const BasicVec3<Number> n = (Number(1.0) / distance) * drawn;  // none of two sites in one place
      const Number rate = dot(b.velocity - a.velocity, n);
      on.force = (k * (distance - Number(length)) + c * rate) * n;
      return on;
    }
    const BasicVec3<Number> point = sites[0].on_node ? a.centre
                                    : sites[1].on_node
                                        ? b.centre
                                        : Number(0.5) * ((a.centre + a.arm) + (b.centre + b.arm));
    const BasicVec3<Number> to_a = point - a.centre;
    const BasicVec3<Number> to_b = point - b.centre;
    const BasicVec3<Number> rate = (b.velocity + cross(b.rate, to_b)) - (a.velocity + cross(a.rate, to_a));
    on.force = k * drawn + c * rate;
    if (!sites[0].on_node) on.couples[0] = a.frame.to_body(cross(to_a, on.force));
    if (!sites[1].on_node) on.couples[1] = b.frame.to_body(cross(on.force, to_b));
    return on;
  }
};

/// A couple between two elements, or between one and the directors of a clamp.
///
/// Rigid joint: with `rest`, the turn from the first to the second in no stress, the frame q' = q_2 rest^-1
/// coincides with q_1 at rest, and the energy is t.B t/2 with t = log(q_1^-1 q').
///
/// Hinge: its axis stands in both elements, and the energy is d.B d/2 with d = a_2 - a_1, that is k (1 -
/// a_1.a_2) with B = k I, so that both may turn about it any number of times.
struct TurnLink {
  int elements[2] = {0, 0};
  bool clamped[2] = {false, false};  ///< whether the directors of a clamp turn there
  bool hinge = false;
  Quaternion rest;
  Vec3 stiffness[3];     ///< rows of B, frame of the first element, N m
  Vec3 axes[2];          ///< of a hinge: body components in both elements
  double damping = 0.0;  ///< couple over the relative rate, of a hinge across its axis, N m s

  template <class Real>
  KOKKOS_INLINE_FUNCTION RotationLog turn(const BasicRodView<Real>& rod) const {
    const Quaternion second = rod.quaternion(elements[1]) * conjugate(rest);
    return rotation_log(conjugate(rod.quaternion(elements[0])) * second);
  }

  /// Whether it has a negative stiffness or damping, which offsets an excess of others of its joint.
  bool takes() const { return stiffness[0].x < 0.0 || damping < 0.0; }

  template <class Number>
  KOKKOS_INLINE_FUNCTION BasicVec3<Number> couple(const BasicVec3<Number>& turn) const {
    const auto row = [&](int i) { return dot(detail::widened<Number>(stiffness[i]), turn); };
    return {row(0), row(1), row(2)};
  }

  template <class Real>
  KOKKOS_INLINE_FUNCTION double energy(const BasicRodView<Real>& rod) const {
    if (!hinge) {
      const Vec3 t = turn(rod).vector;
      return 0.5 * dot(t, couple(t));
    }
    const Vec3 second = directors(rod.quaternion(elements[1])).to_laboratory(axes[1]);
    const Vec3 apart = directors(rod.quaternion(elements[0])).to_body(second) - axes[0];
    return 0.5 * dot(apart, couple(apart));
  }

  /// Couples on both elements, body components, N m.
  template <class Real>
  KOKKOS_INLINE_FUNCTION LinkLoad load(const BasicRodView<Real>& rod) const {
    const auto state = [&](int element) {
      return ElementState{rod.quaternion(element), rod.vec3(field::angular_velocity, element)};
    };
    return load(state(elements[0]), state(elements[1]));
  }

  /// Couples with the elements in any state.
  template <class Number>
  KOKKOS_INLINE_FUNCTION BasicLinkLoad<Number> load(const BasicElementState<Number>& before,
                                                    const BasicElementState<Number>& after) const {
    using detail::widened;
    const BasicDirectors<Number> first = directors(before.orientation);
    const BasicDirectors<Number> second = directors(after.orientation);
    const BasicVec3<Number> rate = second.to_laboratory(after.rate) - first.to_laboratory(before.rate);
    BasicLinkLoad<Number> on;
    if (hinge) {
      const BasicVec3<Number> axis = widened<Number>(axes[0]);
      const BasicVec3<Number> a = first.to_laboratory(axis);
      const BasicVec3<Number> b = second.to_laboratory(widened<Number>(axes[1]));
      const BasicVec3<Number> apart = first.to_body(b) - axis;
      const BasicVec3<Number> pull = first.to_laboratory(couple(apart));
      const BasicVec3<Number> c = cross(b, pull) + Number(damping) * (rate - dot(rate, a) * a);
      on.couples[0] = first.to_body(c);
      on.couples[1] = Number(-1.0) * second.to_body(c);
      return on;
    }
    const BasicQuaternion<Number> back = {Number(rest.w), Number(-rest.x), Number(-rest.y), Number(-rest.z)};
    const BasicRotationLog<Number> t =
        rotation_log(conjugate(before.orientation) * (after.orientation * back));
    const law::BasicRegionLoad<Number> region = law::shared_couple(t, couple(t.vector));
    const BasicVec3<Number> resistance = Number(damping) * rate;
    const Directors turned = directors(rest);
    const BasicVec3<Number> on_second = region.transport - region.couple;
    on.couples[0] = region.transport + region.couple + first.to_body(resistance);
    on.couples[1] = BasicVec3<Number>{dot(widened<Number>(turned.d1), on_second),
                                      dot(widened<Number>(turned.d2), on_second),
                                      dot(widened<Number>(turned.d3), on_second)} -
                    second.to_body(resistance);
    return on;
  }
};

}  // namespace rodeo::connection
