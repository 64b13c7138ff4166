#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::boundary {

/// Ends that are driven at a constant rate along and about an axis, and then held (Figures 3 and 9 of Gazzola
/// et al. 2018). Positions and directors are computed from the time of each step, so nothing accumulates and
/// no damping acts on them.
struct PrescribedMotion {
  struct End {
    Vec3 position;           ///< at t = 0, m
    Quaternion orientation;  ///< at t = 0
    double travel = 0.0;     ///< along the axis, until the motion ends, m
    double turn = 0.0;       ///< about the axis, until the motion ends, rad
  };
  Vec3 axis;              ///< unit vector
  double duration = 0.0;  ///< s; 0: nothing moves
  End first;
  End last;

  /// True if the ends still have to be set at `time`: they are set once more after the motion has ended.
  KOKKOS_INLINE_FUNCTION bool acts(double time, double step) const { return time - step < duration; }

  /// Fraction of the motion that is done at `time`.
  KOKKOS_INLINE_FUNCTION double progress(double time) const {
    return time < duration ? time / duration : 1.0;
  }

  /// Sets the positions and directors of the driven ends at `time`.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void place(const Team& team, const BasicRodView<Real>& rod, double time) const {
    const double made = progress(time);
    once(team, [&] {
      place_end(rod, first, 0, -1, made);
      place_end(rod, last, rod.elements, rod.elements, made);
    });
  }

  /// Sets the velocity of the driven nodes at `time`.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void set_velocity(const Team& team, const BasicRodView<Real>& rod,
                                           double time) const {
    once(team, [&] {
      set_end_velocity(rod, first, 0, rate(time));
      set_end_velocity(rod, last, rod.elements, rate(time));
    });
  }

  /// The angular velocity of an end at `time`, 1/s.
  KOKKOS_INLINE_FUNCTION Vec3 spin(const End& end, double time) const {
    return (rate(time) * end.turn) * axis;
  }

 private:
  /// Rate of progress(), 1/s.
  KOKKOS_INLINE_FUNCTION double rate(double time) const { return time < duration ? 1.0 / duration : 0.0; }

  template <class Real>
  KOKKOS_INLINE_FUNCTION void place_end(const BasicRodView<Real>& rod, const End& end, int node, int clamp,
                                        double progress) const {
    if (end.travel != 0.0) {
      rod.set_vec3(field::position, node, end.position + (progress * end.travel) * axis);
    }
    if (end.turn != 0.0) {
      const double half = 0.5 * progress * end.turn;
      const double sine = math::sin(half);
      const Quaternion turned = {math::cos(half), sine * axis.x, sine * axis.y, sine * axis.z};
      rod.set_quaternion(clamp, turned * end.orientation);
    }
  }

  template <class Real>
  KOKKOS_INLINE_FUNCTION void set_end_velocity(const BasicRodView<Real>& rod, const End& end, int node,
                                               double rate) const {
    if (end.travel == 0.0) return;
    rod.set_vec3(field::velocity, node, (rate * end.travel) * axis);
    rod.set_vec3(field::middle_velocity, node, (rate * end.travel) * axis);
  }
};

}  // namespace rodeo::boundary
