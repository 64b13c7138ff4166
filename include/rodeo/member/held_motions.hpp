#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "rodeo/boundary/motion.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/member/member_arrays.hpp"
#include "rodeo/tangent/held_unknowns.hpp"

namespace rodeo {

// Unknowns of tangent/rod_tangent.hpp that motions hold, in steps that end at whole ones.

/// Lets a motion note its place if it begins, or let go if it ends, before the step after so many. Returns
/// whether it does either.
inline bool change_hold(const MemberArrays& member, int motion, std::int64_t steps) {
  const boundary::Motion& own = member.motions.data[motion];
  boundary::MotionState& state = member.motions.states[motion];
  if (steps == own.last_step) {
    member.motions.detach(own, member.all);
    state.reaction = {};
    state.power = 0.0;
  }
  if (steps == own.first_step && state.begun == 0)
    member.motions.begin(own, state, member.all, steps, member.data.step, 0.0);
  return steps == own.first_step || steps == own.last_step;
}

/// Sets the velocity of a held node or element to zero.
inline void stop(const boundary::Motion& motion, const RodView& all) {
  if (motion.kind == MotionKind::node) all.set_vec3(field::velocity, motion.place, {});
  if (motion.kind == MotionKind::node && motion.ghost >= 0) all.set_vec3(field::velocity, motion.ghost, {});
  if (motion.kind == MotionKind::element) all.set_vec3(field::angular_velocity, motion.place, {});
}

/// Adds the unknowns that motions hold in a step of a rod, given by its number.
inline void hold_motions(const boundary::Motions& motions, std::int64_t steps, int rod,
                         tangent::ClampedEnds& ends, tangent::HeldUnknowns& held) {
  for (int k = 0; k < motions.count; ++k) {
    const boundary::Motion& motion = motions.data[k];
    if (motion.rod != rod || !motion.acts(steps)) continue;
    const int index = motion.place - motion.rod_first;
    ends.first = ends.first || motion.kind == MotionKind::first_end;
    ends.last = ends.last || motion.kind == MotionKind::last_end;
    if (motion.kind == MotionKind::element) held.add_element(index);
    if (motion.kind != MotionKind::node) continue;
    for (int c = 0; c < 3; ++c) {
      if (motion.held[c]) held.add_unknown(tangent::node_unknown(index) + c);
    }
  }
}

/// Largest turn of driven ends and of motions from one time to another, in the step after so many, rad. If an
/// element turned by more than half a turn in a step, the twist between it and the next one would go the
/// other way.
inline double driven_turn(const MemberArrays& member, std::int64_t steps, double from, double to) {
  double largest = 0.0;
  for (const RodData& rod : member.rods) {
    if (rod.motion.duration == 0.0) continue;
    const double made = rod.motion.progress(to) - rod.motion.progress(from);
    for (const double turn : {rod.motion.first.turn, rod.motion.last.turn})
      largest = std::max(largest, std::abs(made * turn));
  }
  for (int k = 0; k < member.motions.count; ++k) {
    const boundary::Motion& motion = member.motions.data[k];
    if (!motion.turns() || !motion.acts(steps)) continue;
    const auto angle = [&](double time) { return motion.at(time, member.motions.tables).value.x; };
    largest = std::max(largest, std::abs(angle(to) - angle(from)));
  }
  return largest;
}

/// Largest driven_turn() in a step that does not spread it over the rods, rad.
inline constexpr double most_driven_turn = 1.0;

/// The force (N) or couple (N m, laboratory) that the rod takes from what a motion holds, where its unknowns
/// are held by these forces and couples and its internal loads have been set: that of the motion and, at an
/// end, of the load which the motion bears.
inline Vec3 force_on_rod(const boundary::Motion& motion, const RodView& all, const double* holding) {
  const int index = motion.place - motion.rod_first;
  const auto three = [&](int unknown) {
    return Vec3{holding[unknown], holding[unknown + 1], holding[unknown + 2]};
  };
  if (motion.kind == MotionKind::node) return motion.held_part(three(tangent::node_unknown(index)), {});
  const Directors frame = directors(all.quaternion(motion.place));
  if (motion.kind == MotionKind::element) return frame.to_laboratory(three(tangent::element_unknown(index)));
  const Vec3 bend = all.vec3(field::bend_couple, motion.region());
  const Vec3 transport = all.vec3(field::transport_couple, motion.region());
  return frame.to_laboratory(motion.kind == MotionKind::first_end ? transport - bend : transport + bend);
}

/// Product of a motion's force or couple with its displacement or rate.
inline double along(const boundary::Motion& motion, const Vec3& force, const Vec3& way) {
  return motion.turns() ? way.x * dot(force, motion.axis) : dot(force, motion.held_part(way, {}));
}

/// Work of a motion's force or couple from one time to another, J.
inline double work_on_way(const boundary::Motions& motions, int motion, const Vec3& force, double from,
                          double to) {
  const boundary::Motion& own = motions.data[motion];
  return along(own, force, own.at(to, motions.tables).value - own.at(from, motions.tables).value);
}

/// Notes the reaction on a motion at a time, and its work since the last one.
inline void note_reaction(const boundary::Motions& motions, int motion, const Vec3& reaction, double work,
                          double time) {
  const boundary::Motion& own = motions.data[motion];
  boundary::MotionState& state = motions.states[motion];
  state.work += work;
  state.power = along(own, reaction, own.at(time, motions.tables).rate);
  state.reaction = reaction;
}

/// Notes the reaction on a motion that has gone on from one time to another without inertia: its work is that
/// of the mean of the reactions at both.
inline void note_reaction_at_rest(const boundary::Motions& motions, int motion, const Vec3& reaction,
                                  double from, double to) {
  const Vec3 mean = 0.5 * (motions.states[motion].reaction + reaction);
  note_reaction(motions, motion, reaction, work_on_way(motions, motion, mean, from, to), to);
}

}  // namespace rodeo
