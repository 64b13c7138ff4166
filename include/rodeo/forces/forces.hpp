#pragma once

#include "rodeo/contact/penalty.hpp"
#include "rodeo/forces/gravity.hpp"
#include "rodeo/forces/ground.hpp"
#include "rodeo/forces/random_perturbation.hpp"
#include "rodeo/forces/slender_body_drag.hpp"

namespace rodeo {

/// The list of external forces on all rods of a member (Rods has those of single rods). A law is a
/// struct with its coefficients, acts(time) and add(team, rod, time), which adds to field::external_force and
/// field::external_couple. A new one: its header, a member here and its name in the two functions below;
/// after clear_ghost_forces if it acts on elements and shares its forces among their nodes.
struct Forces {
  forces::Gravity gravity;
  forces::RandomPerturbation perturbation;
  contact::Penalty contact;
  forces::SlenderBodyDrag drag;
  forces::Ground ground;

  KOKKOS_INLINE_FUNCTION bool act(double time) const {
    return gravity.acts(time) || perturbation.acts(time) || contact.acts(time) || drag.acts(time) ||
           ground.acts(time);
  }

  /// Sets the external forces and couples of all nodes and elements at a time; rods.add_forces(team, rod,
  /// time) adds those of single rods.
  template <class Team, class Real, class Rods>
  KOKKOS_INLINE_FUNCTION void evaluate(const Team& team, const BasicRodView<Real>& rod, const Rods& rods,
                                       double time) const {
    const BasicVec3Array<Real> couple = rod.vec3_array(field::external_couple);
    for_each_lane(team, rod.node_lanes(), [=](int i) { couple.set(i, {}); });
    gravity.set(team, rod);
    add_if_acting(team, rod, time, perturbation);
    rods.clear_ghost_forces(team, rod);
    rods.add_forces(team, rod, time);
    add_if_acting(team, rod, time, contact);
    rods.add_ghost_forces(team, rod);
    // These answer the sum of all forces before them.
    add_if_acting(team, rod, time, drag);
    if (ground.acts(time)) ground.add(team, rod, rods);
  }

 private:
  template <class Team, class Real, class Law>
  KOKKOS_INLINE_FUNCTION static void add_if_acting(const Team& team, const BasicRodView<Real>& rod,
                                                   double time, const Law& law) {
    if (law.acts(time)) law.add(team, rod, time);
  }
};

}  // namespace rodeo
