#pragma once

#include "rodeo/der/scheme.hpp"
#include "rodeo/member/member_arrays.hpp"

namespace rodeo::der {

/// Turns frames with their edges to where velocities take them in a solve, and has these edges resist
/// turning. The force of twist on nodes depends on the edges that frames start from (TurnedEdge): with those
/// at the start of a solve the force would be of first order in its length.
void lead_frames(RodStep& rod, double step);

/// Moves all rods on by `times` the way that a solve of so many seconds has taken them from `start`. Edges
/// stay in the plane in which they turned, and so do frames.
void extrapolate_state(const MemberArrays& member, const ConstRodView& start, double step, double times);

/// Judges a step of second order from `start` by which edges turn `times` as far as to the present state. One
/// in which an edge turns by more than 0.5 rad does not converge, and is halved: random held curvatures gave
/// an arm up to seven times the energy that short steps do.
SolveOutcome judge_turn(SolveOutcome outcome, const MemberArrays& member, const ConstRodView& start,
                        double times = 1.0);

/// Moves all rods with their velocities for so many seconds.
void move_on(const MemberArrays& member, double step);

}  // namespace rodeo::der
