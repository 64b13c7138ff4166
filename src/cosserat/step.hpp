#pragma once

#include <vector>

#include "rodeo/forces/ground_reach.hpp"
#include "rodeo/member/batch_views.hpp"

#include "elasticity.hpp"
#include "kinematics.hpp"
#include "position_verlet.hpp"
#include "section_tension.hpp"

namespace rodeo::cosserat {

/// The steps of position Verlet (Appendix C of Gazzola et al. 2018, with the indices of C5 and C6 put right)
/// of a member, or of some of its rods. The second half drift of a step and the first of the next are one
/// full drift, so only the slice's ends stand at full times. Members with motions, connections or a further
/// ground have steps of their own, so that others take no part in what these cost; so have those in batches
/// where sections are not alike about d1 and d2 (`circular` is false).
template <bool circular, class Team, class Real, class MemberRods, class Member, class Motions, class Reach>
struct Steps {
  const Team& team;
  const BasicRodView<Real>& rod;
  const MemberRods& rods;
  const Member& member;
  const SliceTask& task;
  const Motions& motions;
  Reach& reach;  ///< which surfaces of the ground elements can reach

  KOKKOS_FORCEINLINE_FUNCTION double middle_of(std::int64_t k) const {
    return (static_cast<double>(task.first_step + k) + 0.5) * member.step;
  }

  KOKKOS_FORCEINLINE_FUNCTION void begin() const {
    move_nodes(team, rod, 0.5 * member.step);
    turn_elements(team, rod, 0.5 * member.step);
  }

  /// Places ends, motions and ghosts at the middle of step k.
  KOKKOS_FORCEINLINE_FUNCTION void place(std::int64_t k) const {
    const double time = middle_of(k);
    rods.place_ends(team, rod, time, member.step);
    if (motions.any()) motions.place(team, rod, task.first_step + k, member.step);
    rods.fill_ghosts(team, rod);
  }

  /// Evaluates step k up to the forces between elements. Returns whether there are external forces.
  KOKKOS_FORCEINLINE_FUNCTION bool load(std::int64_t k) const {
    const double time = middle_of(k);
    rods.set_damping(team, rod, time);
    if (member.actuated) rods.set_natural_strains(team, rod, time);
    shear_and_stretch<circular>(team, rod);
    rods.fill_ghost_elements(team, rod, field::length);
    member.muscle.with_couples(rod, time,
                               [&](const auto& couples) { bend_and_twist<circular>(team, rod, couples); });
    if (member.sections_have_energy) add_section_tension<circular>(team, rod, rods);
    member.muscle.add_forces(team, rod, time);
    if (member.muscles_differ) rods.add_muscles(team, rod, time);
    rods.load_ends(team, rod, time);
    if (motions.any()) motions.load_ends(team, rod, task.first_step + k);
    look();
    const bool stands = reach.has_any() && motions.ground.act();
    if (!member.forces.act(time, reach) && !rods.act(time) && !stands) return false;
    member.forces.begin(team, rod, rods, time);
    return true;
  }

  /// Completes step k.
  KOKKOS_FORCEINLINE_FUNCTION void move(std::int64_t k, bool loaded) const {
    const double step = member.step;
    const double time = middle_of(k);
    const double drift = k + 1 < task.steps ? step : 0.5 * step;
    if (loaded) {
      member.forces.finish(team, rod, rods, time, reach);
      if (reach.has_any()) motions.ground.answer(team, rod, rods, task.first_step + k, step, reach);
      kick_nodes<true>(team, rod);
      rods.constrain_ends(team, rod, time, step);
      if (motions.any()) motions.hold_nodes(team, rod, task.first_step + k, step);
      kick_and_turn<true, circular>(team, rod, step, drift);
    } else {
      kick_nodes<false>(team, rod);
      rods.constrain_ends(team, rod, time, step);
      if (motions.any()) motions.hold_nodes(team, rod, task.first_step + k, step);
      kick_and_turn<false, circular>(team, rod, step, drift);
    }
    if (motions.any()) motions.hold_elements(team, rod, task.first_step + k, step);
    move_nodes(team, rod, drift);
  }

  KOKKOS_FORCEINLINE_FUNCTION void end() const {
    const double step = member.step;
    const double time = static_cast<double>(task.first_step + task.steps) * step;
    rods.place_ends(team, rod, time, step);
    if (motions.any()) motions.stand(team, rod, task.first_step + task.steps, step);
    if (member.actuated) rods.set_natural_strains(team, rod, time);
    normalize_orientations(team, rod);
    rods.fill_ghosts(team, rod);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void look() const {
    if constexpr (std::is_same_v<Reach, forces::GroundReach>) {
      const forces::FurtherGround* further = nullptr;
      if constexpr (requires { motions.ground.ground; }) further = motions.ground.ground;
      reach.look(team, rod, member.step, member.forces.ground(), further);
    }
  }
};

/// Finds which surfaces of the ground a member's elements can reach. A device takes all: its threads would
/// wait for each other.
template <class Team, class Member>
using ReachOf = std::conditional_t<std::is_same_v<Team, HostTeam> && std::is_same_v<Member, MemberData>,
                                   forces::GroundReach, forces::EverythingInReach>;

/// Advances one member by `task.steps` steps.
template <bool circular = true, class Team, class Real, class MemberRods, class Member,
          class Motions = NoFurtherParts, class Reach = ReachOf<Team, Member>>
KOKKOS_INLINE_FUNCTION void advance(const Team& team, const BasicRodView<Real>& rod, const MemberRods& rods,
                                    const Member& member, const SliceTask& task, const Motions& motions = {},
                                    Reach&& reach = {}) {
  const Steps<circular, Team, Real, MemberRods, Member, Motions, std::remove_reference_t<Reach>> steps{
      team, rod, rods, member, task, motions, reach};
  steps.begin();
  for (std::int64_t k = 0; k < task.steps; ++k) {
    steps.place(k);
    const bool loaded = steps.load(k);
    if (loaded) member.forces.between_elements.add(team, rod, steps.middle_of(k));
    steps.move(k, loaded);
  }
  steps.end();
}

/// Clears the fluxes into the first element and node of a part, where another part at the same place may have
/// left those of a clamp or a closed rod.
template <class Team, class Real>
KOKKOS_FORCEINLINE_FUNCTION void clear_flux_before(const Team& team, const BasicRodView<Real>& rod) {
  if (!rod.shares_work()) return;
  once(team, [&] {
    for (int f = field::internal_force; f < field::work_end; ++f) rod.array(f)[-1] = 0;
  });
}

/// Advances a member in parts, each of which has its arrays in the cache of a core while it is advanced:
/// through all steps where nothing acts between parts, and else through one step after the other.
template <bool circular, class Team, class Real, class MemberRods, class Motions>
KOKKOS_INLINE_FUNCTION void advance_parts(const Team& team, const BasicRodView<Real>& rod,
                                          const MemberRods& rods, const RodsPart* parts,
                                          const MemberData& member, const SliceTask& task,
                                          const Motions& motions) {
  const contact::PenaltyContact& contact = member.forces.contact();
  const int last = parts[member.parts - 1].first;
  const auto arrays_of = [&](const RodsPart& part) {
    return rod.part_of_thread(part.first, part.elements, part.constants, last, rank_of(team));
  };
  if (!contact.enabled) {
    for_each_part(team, parts, member.parts, [&](const Team& own, const RodsPart& part) {
      const BasicRodView<Real> own_rod = arrays_of(part);
      clear_flux_before(own, own_rod);
      advance<circular>(own, own_rod, rods.of(part), member, task, motions.of(part));
    });
    return;
  }
  std::vector<forces::GroundReach> reaches(static_cast<std::size_t>(member.parts));
  const auto visit = [&](const auto& body) {
    for_each_part(team, parts, member.parts, [&](const Team& own, const RodsPart& part) {
      const BasicRodView<Real> own_rod = arrays_of(part);
      const MemberRods own_rods = rods.of(part);
      const Motions own_motions = motions.of(part);
      body(own, part,
           Steps<circular, Team, Real, MemberRods, MemberData, Motions, forces::GroundReach>{
               own, own_rod, own_rods, member, task, own_motions,
               reaches[static_cast<std::size_t>(&part - parts)]});
    });
  };
  std::int64_t left = 0;  // elements of this thread's parts that have left the margins of the list
  const auto begin_step = [&](const Team& own, const RodsPart& part, const auto& steps, std::int64_t k) {
    steps.place(k);
    left += contact.prepare<false>(own, steps.rod, part.first);
  };
  visit([&](const Team& own, const RodsPart& part, const auto& steps) {
    steps.begin();
    begin_step(own, part, steps, 0);
  });
  for (std::int64_t k = 0; k < task.steps; ++k) {
    contact.list_if(of_all_parts(team, left) > 0, team, rod);
    left = 0;
    // A single thread computes the pairs of a part when it has it: their later elements have not moved yet.
    const bool alone = contact::detail::is_alone(team);
    if (!alone) {
      visit([&](const Team& own, const RodsPart& part, const auto&) {
        contact.press_pairs(own, rod, part.first, part.elements);
      });
    }
    visit([&](const Team& own, const RodsPart& part, const auto& steps) {
      if (alone) contact.press_pairs(own, rod, part.first, part.elements);
      clear_flux_before(own, steps.rod);
      steps.load(k);
      contact.load_elements(own, steps.rod, part.first);
      steps.move(k, true);
      if (k + 1 < task.steps) {
        begin_step(own, part, steps, k + 1);
      } else {
        steps.end();
      }
    });
  }
}

}  // namespace rodeo::cosserat
