#pragma once

#include "rodeo/connection/connections.hpp"
#include "rodeo/member/batch_views.hpp"

namespace rodeo {

/// The rods of a member with what connects them. Members without connections have kernels of their own: the
/// compiler would contract some of their sums otherwise, and results keep their bits.
struct ConnectedRods : Rods {
  connection::Connections connections = {};

  /// Restriction to a part of a member, which has no connections.
  KOKKOS_INLINE_FUNCTION ConnectedRods of(const RodsPart& part) const { return {Rods::of(part), {}}; }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void place_ends(const Team& team, const BasicRodView<Real>& member, double time,
                                         double step) const {
    Rods::place_ends(team, member, time, step);
    if (connections.joint_count > 0) connections.place_joints(team, member);
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void constrain_ends(const Team& team, const BasicRodView<Real>& member, double time,
                                             double step) const {
    Rods::constrain_ends(team, member, time, step);
    if (connections.joint_count > 0) connections.constrain_joints(team, member);
  }

  KOKKOS_INLINE_FUNCTION bool act(double time) const { return connections.acts() || Rods::act(time); }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_forces(const Team& team, const BasicRodView<Real>& member,
                                         double time) const {
    Rods::add_forces(team, member, time);
    if (connections.acts()) connections.add(team, member);
  }
};

}  // namespace rodeo
