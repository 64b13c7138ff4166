#pragma once

#include "rodeo/cosserat/elasticity.hpp"
#include "rodeo/cosserat/kinematics.hpp"
#include "rodeo/cosserat/member_data.hpp"
#include "rodeo/cosserat/position_verlet.hpp"

namespace rodeo::cosserat {

/// Keeps the velocities of held and driven end nodes what they must be.
template <class Team>
KOKKOS_INLINE_FUNCTION void constrain_ends(const Team& team, const RodView& rod, const MemberData& member,
                                           double time) {
  member.sliding.constrain(team, rod);
  if (member.motion.acts(time, member.step)) member.motion.set_velocity(team, rod, time);
}

/// Advances one member by `task.steps` steps of position Verlet (Appendix C of Gazzola et al. 2018, with the
/// indices of C5 and C6 put right). The second half drift of a step and the first of the next are one full
/// drift, so only the slice's ends stand at full times.
template <class Team>
KOKKOS_INLINE_FUNCTION void advance(const Team& team, const RodView& rod, const MemberData& member,
                                    const SliceTask& task) {
  const double step = member.step;
  drift(team, rod, 0.5 * step);
  for (std::int64_t k = 0; k < task.steps; ++k) {
    const double time = (static_cast<double>(task.first_step + k) + 0.5) * step;
    if (member.motion.acts(time, step)) member.motion.place(team, rod, time);
    if (member.damping.acts()) member.damping.set(team, rod, time);
    member.closure.continue_state(team, rod);
    shear_and_stretch(team, rod);
    member.closure.continue_lengths(team, rod);
    bend_and_twist(team, rod);
    member.muscle.apply(team, rod, time);
    if (member.end_load.acts) member.end_load.apply(team, rod, time);
    member.clamp.apply(team, rod);
    member.closure.continue_loads(team, rod);
    if (member.forces.act(time)) {
      member.forces.evaluate(team, rod, time);
      kick_nodes<true>(team, rod);
      constrain_ends(team, rod, member, time);
      kick_elements<true>(team, rod, step);
    } else {
      kick_nodes<false>(team, rod);
      constrain_ends(team, rod, member, time);
      kick_elements<false>(team, rod, step);
    }
    drift(team, rod, k + 1 < task.steps ? step : 0.5 * step);
  }
  const double end = static_cast<double>(task.first_step + task.steps) * step;
  if (member.motion.acts(end, step)) member.motion.place(team, rod, end);
  normalize_orientations(team, rod);
  member.closure.continue_state(team, rod);
}

}  // namespace rodeo::cosserat
