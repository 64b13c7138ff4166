#pragma once

#include "rodeo/member/batch_views.hpp"

#include "elasticity.hpp"
#include "kinematics.hpp"
#include "position_verlet.hpp"

namespace rodeo::cosserat {

/// Advances one member by `task.steps` steps of position Verlet (Appendix C of Gazzola et al. 2018, with the
/// indices of C5 and C6 put right). The second half drift of a step and the first of the next are one full
/// drift, so only the slice's ends stand at full times. Members with motions, connections or a further ground
/// have steps of their own, so that others take no part in what these cost.
template <class Team, class Real, class MemberRods, class Motions = NoFurtherParts>
KOKKOS_INLINE_FUNCTION void advance(const Team& team, const BasicRodView<Real>& rod, const MemberRods& rods,
                                    const MemberData& member, const SliceTask& task,
                                    const Motions& motions = {}) {
  const double step = member.step;
  move_nodes(team, rod, 0.5 * step);
  turn_elements(team, rod, 0.5 * step);
  for (std::int64_t k = 0; k < task.steps; ++k) {
    const double time = (static_cast<double>(task.first_step + k) + 0.5) * step;
    const double drift = k + 1 < task.steps ? step : 0.5 * step;
    rods.place_ends(team, rod, time, step);
    motions.place(team, rod, task.first_step + k, step);
    rods.set_damping(team, rod, time);
    if (member.actuated) rods.set_natural_strains(team, rod, time);
    rods.fill_ghosts(team, rod);
    shear_and_stretch(team, rod);
    rods.fill_ghost_elements(team, rod, field::length);
    member.muscle.with_couples(rod, time, [&](const auto& couples) { bend_and_twist(team, rod, couples); });
    member.muscle.add_forces(team, rod, time);
    if (member.muscles_differ) rods.add_muscles(team, rod, time);
    rods.load_ends(team, rod, time);
    motions.load_ends(team, rod, task.first_step + k);
    if (member.forces.act(time) || rods.act(time) || motions.ground.act()) {
      member.forces.evaluate(team, rod, rods, time);
      motions.ground.answer(team, rod, rods, task.first_step + k, step);
      kick_nodes<true>(team, rod);
      rods.constrain_ends(team, rod, time, step);
      motions.hold_nodes(team, rod, task.first_step + k, step);
      kick_and_turn_elements<true>(team, rod, step, drift);
    } else {
      kick_nodes<false>(team, rod);
      rods.constrain_ends(team, rod, time, step);
      motions.hold_nodes(team, rod, task.first_step + k, step);
      kick_and_turn_elements<false>(team, rod, step, drift);
    }
    motions.hold_elements(team, rod, task.first_step + k, step);
    move_nodes(team, rod, drift);
  }
  const double end = static_cast<double>(task.first_step + task.steps) * step;
  rods.place_ends(team, rod, end, step);
  motions.stand(team, rod, task.first_step + task.steps, step);
  if (member.actuated) rods.set_natural_strains(team, rod, end);
  normalize_orientations(team, rod);
  rods.fill_ghosts(team, rod);
}

}  // namespace rodeo::cosserat
