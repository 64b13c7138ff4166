#pragma once

#include "rodeo/contact/pair_contact.hpp"
#include "rodeo/forces/distributed_load.hpp"
#include "rodeo/forces/follower_force.hpp"
#include "rodeo/forces/gravity.hpp"
#include "rodeo/forces/ground.hpp"
#include "rodeo/forces/law.hpp"
#include "rodeo/forces/magnetic_couple.hpp"
#include "rodeo/forces/middle_force.hpp"
#include "rodeo/forces/own_laws.hpp"
#include "rodeo/forces/random_perturbation.hpp"
#include "rodeo/forces/slender_body_drag.hpp"
#include "rodeo/forces/tether.hpp"

namespace rodeo {

/// All laws of force there are; a new one is its header and its name in one of these lists. Both models
/// evaluate them, by Forces::evaluate.
/// Laws on the nodes of all rods of a member, the ghosts of closed ones among them.
using NodeForces = LawList<forces::RandomPerturbation>;
/// Laws on single rods, which may differ in them.
using RodForces = JoinedLaws<LawList<forces::MiddleForce, forces::DistributedLoad, forces::FollowerForce,
                                     forces::MagneticCouple, forces::Tether>,
                             own::Laws>;
/// Laws between the elements of all rods of a member.
using ElementForces = LawList<contact::PenaltyContact>;
/// Laws on all rods of a member that respond to the forces before them.
using Responses = LawList<forces::SlenderBodyDrag, forces::Ground>;

/// The laws of a member but for RodForces, which its rods have. First come the external forces: gravity, then
/// those on nodes, on single rods and between elements; then the responses. Kernels of members that lack some
/// laws have shorter lists.
template <class OnNodes, class BetweenElements, class Answers>
struct BasicForces {
  forces::Gravity gravity;
  OnNodes on_nodes;
  BetweenElements between_elements;
  Answers responses;

  static BasicForces of(const MemberSpec& spec, std::uint64_t seed) {
    return {forces::Gravity::of(spec), OnNodes::of(spec, seed), BetweenElements::of(spec), Answers::of(spec)};
  }

  template <class Reach = forces::EverythingInReach>
  KOKKOS_INLINE_FUNCTION bool act(double time, const Reach& reach = {}) const {
    return gravity.acts(time) || on_nodes.acts(time) || between_elements.acts(time) ||
           responses.acts(time, reach);
  }
  double steady_from() const {
    return std::max({on_nodes.steady_from(), between_elements.steady_from(), responses.steady_from()});
  }
  bool does_work() const {
    return on_nodes.does_work() || between_elements.does_work() || responses.does_work();
  }

  KOKKOS_INLINE_FUNCTION contact::PenaltyContact& contact() {
    return between_elements.template get<contact::PenaltyContact>();
  }
  KOKKOS_INLINE_FUNCTION const contact::PenaltyContact& contact() const {
    return between_elements.template get<contact::PenaltyContact>();
  }
  KOKKOS_INLINE_FUNCTION const forces::Ground& ground() const {
    return responses.template get<forces::Ground>();
  }

  /// Sets the external forces and couples of all nodes and elements at a time; rods.add_forces(team, rod,
  /// time) adds those of single rods.
  template <class Team, class Real, class Rods>
  KOKKOS_INLINE_FUNCTION void evaluate(const Team& team, const BasicRodView<Real>& rod, const Rods& rods,
                                       double time) const {
    begin(team, rod, rods, time);
    between_elements.add(team, rod, time);
    finish(team, rod, rods, time);
  }

  /// Evaluates the laws before those between elements.
  template <class Team, class Real, class Rods>
  KOKKOS_INLINE_FUNCTION void begin(const Team& team, const BasicRodView<Real>& rod, const Rods& rods,
                                    double time) const {
    const BasicVec3Array<Real> couple = rod.vec3_array(field::external_couple);
    for_each_lane(team, rod.node_lanes(), [=](int i) { couple.set(i, {}); });
    gravity.set(team, rod);
    on_nodes.add(team, rod, time);
    rods.clear_ghost_forces(team, rod);
    rods.add_forces(team, rod, time);
  }

  /// Evaluates the laws after those between elements.
  template <class Team, class Real, class Rods, class Reach = forces::EverythingInReach>
  KOKKOS_INLINE_FUNCTION void finish(const Team& team, const BasicRodView<Real>& rod, const Rods& rods,
                                     double time, const Reach& reach = {}) const {
    rods.add_ghost_forces(team, rod);
    responses.answer(team, rod, rods, time, reach);
  }
};
using Forces = BasicForces<NodeForces, ElementForces, Responses>;

}  // namespace rodeo
