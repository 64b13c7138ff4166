#pragma once

#include "rodeo/law/bend_twist.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::boundary {

/// A rigid joint of a rod's first node to the last one of the rod before: a Voronoi region around the node
/// that both share (entry -1 of the later rod), with the two half elements as springs in series. The rods may
/// meet at any angle: with `rest`, the turn from the element before to the one after at rest, the frame
/// q' = q_after rest^-1 of the element after coincides at rest with that of the element before, and
///   kappa = log(q_before^-1 q')/D_hat,  tau = B kappa/E^3
/// is what any region has (3.5, first two terms of 3.9), with the couple on the element after turned back
/// from q' into its own frame. B is a full matrix, as one rod may bend where the other twists.
struct RigidJoint {
  bool exists = false;
  Quaternion rest;
  double inverse_rest_voronoi = 0.0;  ///< 1/m
  Vec3 stiffness[3];                  ///< rows of B, frame of the element before, N m^2

  /// The strain of the joint.
  struct Strain {
    RotationLog turn;   ///< kappa D_hat, frame of the element before
    Vec3 couple;        ///< B kappa
    double dilatation;  ///< E
  };

  /// `rod` is the rod after the joint.
  template <class Real>
  KOKKOS_INLINE_FUNCTION Strain strain(const BasicRodView<Real>& rod) const {
    Strain s;
    s.turn = rotation_log(conjugate(rod.quaternion(-1)) * (rod.quaternion(0) * conjugate(rest)));
    const Vec3 curvature = inverse_rest_voronoi * s.turn.vector;
    s.couple = {dot(stiffness[0], curvature), dot(stiffness[1], curvature), dot(stiffness[2], curvature)};
    const Vec3 node = rod.vec3(field::position, 0);
    const Vec3 before = node - rod.vec3(field::position, -1);
    const Vec3 after = rod.vec3(field::position, 1) - node;
    s.dilatation = rod.section_value(
        0.5 * inverse_rest_voronoi * (math::sqrt(dot(before, before)) + math::sqrt(dot(after, after))), 1.0);
    return s;
  }

  /// Sets the couples of the joint's region, which is without stiffness for bend_and_twist.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void apply(const Team& team, const BasicRodView<Real>& rod) const {
    if (!exists) return;
    once(team, [&] { set_couples(rod); });
  }

 private:
  /// Where this is inlined, products and sums are contracted otherwise for teams of one and of more.
  template <class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void set_couples(BasicRodView<Real> rod) const {
    const Strain s = strain(rod);
    const Vec3 couple = (1.0 / (s.dilatation * s.dilatation * s.dilatation)) * s.couple;
    const law::RegionLoad load = law::shared_couple(s.turn, couple);
    const Vec3 on_before = load.transport + load.couple;
    const Vec3 on_after = directors(rest).to_body(load.transport - load.couple);
    // The kick applies transport + bend to the element before and transport - bend to the one after.
    rod.set_vec3(field::bend_couple, -1, 0.5 * (on_before - on_after));
    rod.set_vec3(field::transport_couple, -1, 0.5 * (on_before + on_after));
  }
};

}  // namespace rodeo::boundary
