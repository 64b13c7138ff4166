#pragma once

#include <type_traits>

#include "rodeo/forces/forces.hpp"
#include "rodeo/member/member_data.hpp"
#include "rodeo/member/rods.hpp"

namespace rodeo::cosserat::device {

/// A member of any rods, without contact.
using AnyMember = BasicMemberData<BasicForces<NodeForces, LawList<>, Responses>>;

inline AnyMember any_member(const MemberData& member) {
  AnyMember any;
  any.offset = member.offset;
  any.elements = member.elements;
  any.first_rod = member.first_rod;
  any.rods = member.rods;
  any.step = member.step;
  any.sections_shrink = member.sections_shrink;
  any.sections_have_energy = member.sections_have_energy;
  any.forces = {member.forces.gravity, member.forces.on_nodes, {}, member.forces.responses};
  any.muscle = member.muscle;
  any.muscles_differ = member.muscles_differ;
  return any;
}

/// A plane without other surfaces of the ground: a law that responds to the forces before it.
struct PlaneAlone {
  forces::Wall wall;
  forces::Plane plane;

  KOKKOS_INLINE_FUNCTION static constexpr bool acts(double) { return true; }
  static constexpr double steady_from() { return 0.0; }
  static constexpr bool does_work() { return false; }

  template <class Team, class Real, class Rods>
  KOKKOS_INLINE_FUNCTION void answer(const Team& team, const BasicRodView<Real>& rod, const Rods& rods,
                                     double) const {
    wall.add(plane, team, rod, rods, {});
  }
};

/// Data of a plain member for kernels: one rod with no more than elasticity, gravity, drag, muscles, clamps
/// and a load on its end, and in kernels of their own a plane. Most members of large ensembles are plain.
/// Kernels for them alone take half of the registers, and find their arrays in scratch memory by shorter
/// addresses.
template <class Answers>
struct BasicPlainMember {
  static constexpr bool actuated = false;
  static constexpr bool sections_have_energy = false;
  static constexpr bool muscles_differ = false;

  std::size_t offset = 0;  ///< of its arrays in the batch's storage, numbers
  int elements = 0;
  double step = 0.0;  ///< s
  double sections_shrink = 1.0;
  BasicForces<LawList<>, LawList<>, Answers> forces;
  forces::Muscle muscle;
  forces::EndLoad end_load;
  boundary::Clamp clamp;
};
using PlainMember = BasicPlainMember<LawList<forces::SlenderBodyDrag>>;
using PlainMemberOnPlane = BasicPlainMember<LawList<forces::SlenderBodyDrag, PlaneAlone>>;

// A law added to these lists needs a decision below whether plain members may have it, and if so its place in
// BasicPlainMember. They have none of RodForces.
static_assert(std::is_same_v<NodeForces, LawList<forces::RandomPerturbation>> &&
              std::is_same_v<Responses, LawList<forces::SlenderBodyDrag, forces::Ground>>);

/// True if a member is plain, on a plane or not.
inline bool is_plain(const MemberData& member, const RodData& rod) {
  return member.rods == 1 && member.circular && !member.actuated && !member.sections_have_energy &&
         !member.muscles_differ && member.motions == 0 && !member.forces.on_nodes.acts(0.0) &&
         !member.forces.contact().enabled && member.forces.ground().solid_count == 0 &&
         !rod.forces.acts(0.0) && rod.actuation.count == 0 && !rod.damping.acts() && !rod.sliding.first &&
         !rod.sliding.last && !rod.joint.exists && rod.motion.duration == 0.0 && !rod.closure.closed;
}

template <class Plain>
Plain plain_member(const MemberData& member, const RodData& rod) {
  Plain plain;
  plain.offset = member.offset;
  plain.elements = member.elements;
  plain.step = member.step;
  plain.sections_shrink = member.sections_shrink;
  plain.forces.gravity = member.forces.gravity;
  plain.forces.responses.template get<forces::SlenderBodyDrag>() =
      member.forces.responses.get<forces::SlenderBodyDrag>();
  if constexpr (std::is_same_v<Plain, PlainMemberOnPlane>) {
    const forces::Ground& ground = member.forces.ground();
    plain.forces.responses.template get<PlaneAlone>() = {ground.wall, ground.plane};
  }
  plain.muscle = member.muscle;
  plain.end_load = rod.end_load;
  plain.clamp = rod.clamp;
  return plain;
}

/// The rod of a plain member, with the interface that Steps expects of Rods.
template <class Plain>
struct PlainRod {
  const Plain& member;

  template <class Team, class Real>
  KOKKOS_FORCEINLINE_FUNCTION void load_ends(const Team& team, const BasicRodView<Real>& rod,
                                             double time) const {
    if (member.end_load.acts) member.end_load.apply(team, rod, time);
    member.clamp.apply(team, rod);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool act(double) { return false; }

  // Parts that plain members do not have.
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void place_ends(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void set_damping(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void set_natural_strains(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void fill_ghosts(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void fill_ghost_elements(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void clear_ghost_forces(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void add_ghost_forces(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void constrain_ends(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void add_muscles(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void add_forces(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(const Arguments&...) const {}
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION BasicRodView<Real> part(const BasicRodView<Real>& rod, const RodData&) const {
    return rod;
  }
};

}  // namespace rodeo::cosserat::device
