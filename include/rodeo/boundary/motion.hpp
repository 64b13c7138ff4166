#pragma once

#include <cstdint>

#include "rodeo/boundary/clamp.hpp"
#include "rodeo/math/formula_program.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/drives_and_connections.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::boundary {

/// Value and rate of a motion's courses at an instant.
struct Course {
  Vec3 value;  ///< displacement, m; of a turn x is the angle, rad
  Vec3 rate;   ///< m/s or rad/s
};

/// A node, an element or the directors of an end that goes where formulas of time take it, from where it
/// stands as the motion begins. Plain, copied to the device once.
struct Motion {
  MotionKind kind = MotionKind::node;
  int place = 0;   ///< node or element among the member's; of an end the element there
  int ghost = -1;  ///< the ghost of a node, or -1
  bool held[3] = {false, false, false};
  Vec3 axis;           ///< of a turn: unit vector
  bool shears = true;  ///< else angular velocities are those about the tangent alone
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  FormulaProgram course;
  int rod = 0;
  int rod_first = 0;  ///< element of its rod among the member's
  int rod_elements = 0;
  Vec3 stiffness;      ///< B1, B2 and B3 of the half region at an end, 0 of turns that are free, N m^2
  bool alone = false;  ///< of an end: it holds the turn about its tangent, and leaves the two others free
  bool begins_with_rod = false;  ///< of an end: as the rod starts, with `directors_at_start`
  Quaternion directors_at_start;
  int goes_on_from = -1;  ///< of an end: the motion that held its directors until this one begins
  Vec3 end_couple;        ///< the load on the end that it holds, laboratory, N m
  LoadCourse end_course;  ///< of that

  KOKKOS_INLINE_FUNCTION bool turns() const { return kind != MotionKind::node; }
  KOKKOS_INLINE_FUNCTION bool holds_end() const {
    return kind == MotionKind::first_end || kind == MotionKind::last_end;
  }

  /// True if the motion acts in the step after `steps`, or if it acts or ends there.
  KOKKOS_INLINE_FUNCTION bool acts(std::int64_t steps) const {
    return steps >= first_step && steps < last_step;
  }
  KOKKOS_INLINE_FUNCTION bool acts_or_ends(std::int64_t steps) const {
    return steps >= first_step && steps <= last_step;
  }

  /// Entry of field::orientation at which it holds directors, and the region that an end holds with them.
  KOKKOS_INLINE_FUNCTION int frame() const {
    return kind == MotionKind::first_end ? place - 1 : kind == MotionKind::last_end ? place + 1 : place;
  }
  KOKKOS_INLINE_FUNCTION int region() const { return kind == MotionKind::first_end ? place - 1 : place; }

  /// Part of the load on the held end that the rod does not bear, N m.
  KOKKOS_INLINE_FUNCTION Vec3 borne_couple(double time) const {
    const Vec3 couple = end_course.at(time) * end_couple;
    return alone ? dot(couple, axis) * axis : couple;
  }

  KOKKOS_INLINE_FUNCTION Course at(double time, const double* tables) const {
    Rated results[FormulaProgram::most_results] = {};
    course.run({.t = time, .tables = tables}, results);
    return {{results[0].value, results[1].value, results[2].value},
            {results[0].rate, results[1].rate, results[2].rate}};
  }

  /// `of_motion` where it holds a component of its node, `free` where it does not.
  KOKKOS_INLINE_FUNCTION Vec3 held_part(const Vec3& of_motion, const Vec3& free) const {
    return {held[0] ? of_motion.x : free.x, held[1] ? of_motion.y : free.y, held[2] ? of_motion.z : free.z};
  }

  KOKKOS_INLINE_FUNCTION Quaternion turned(const Quaternion& orientation, double angle) const {
    const double sine = math::sin(0.5 * angle);
    return Quaternion{math::cos(0.5 * angle), sine * axis.x, sine * axis.y, sine * axis.z} * orientation;
  }
};

/// State of a motion. Plain, for it is saved and restored as it is.
struct MotionState {
  std::int64_t begun = 0;
  Vec3 position;           ///< of its node as it began, m
  Quaternion orientation;  ///< of what it turns as it began
  Vec3 rate;               ///< rate of its course at the last whole step
  Vec3 reaction;           ///< on the node (N) or element (N m), laboratory, over the last step
  double power = 0.0;      ///< of that, W
  double work = 0.0;       ///< so far, J
};

/// The motions of a member in the order in which they begin, so that one of a place goes on from where the
/// one before has left it. They act from their first step up to their last one. Where they hold positions and
/// orientations these are computed from the time, so that nothing accumulates and no damping acts on them.
///
/// An explicit step evaluates forces at its middle and goes on from there to the middle of the next: place()
/// sets what is held there, stand() where a slice ends. Velocities are those of the formulas at the end of
/// the step (hold_nodes, hold_elements), so that a motion that ends leaves its place with the velocity it
/// had. The force of a motion over a step is what changes the velocity that its kick has given to that of the
/// formula, and works at the mean of the velocities before and after, as any force of such a step.
struct Motions {
  const Motion* data = nullptr;
  MotionState* states = nullptr;
  const double* tables = nullptr;
  int count = 0;

  KOKKOS_FORCEINLINE_FUNCTION bool any() const { return count > 0; }

  /// Sets held positions and directors at the middle of the step after `steps`, and frees released ones.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void place(const Team& team, const BasicRodView<Real>& member,
                                                      std::int64_t steps, double step) const {
    once(team, [&] {
      for (int k = 0; k < count; ++k) {
        const Motion& motion = data[k];
        MotionState& state = states[k];
        if (!motion.acts_or_ends(steps)) continue;
        if (state.begun == 0) begin(motion, state, member, steps, step, 0.5 * step);
        if (steps == motion.last_step) {
          release(motion, state, member, steps, step);
        } else {
          set(motion, state, member, motion.at((static_cast<double>(steps) + 0.5) * step, tables).value);
        }
      }
    });
  }

  /// Sets held positions, directors and velocities after `steps`.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void stand(const Team& team, const BasicRodView<Real>& member,
                                                      std::int64_t steps, double step) const {
    once(team, [&] {
      for (int k = 0; k < count; ++k) {
        const Motion& motion = data[k];
        MotionState& state = states[k];
        if (!motion.acts_or_ends(steps)) continue;
        if (state.begun == 0) begin(motion, state, member, steps, step, 0.0);
        const Course course = motion.at(static_cast<double>(steps) * step, tables);
        set(motion, state, member, course.value);
        set_rate(motion, state, member, course.rate);
      }
    });
  }

  /// Sets the fluxes through ends whose directors are held.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void load_ends(const Team& team, const BasicRodView<Real>& member,
                                                          std::int64_t steps) const {
    for (int k = 0; k < count; ++k) {
      const Motion& motion = data[k];
      if (!motion.holds_end() || !motion.acts(steps)) continue;
      const Clamp clamp = {motion.kind == MotionKind::first_end, motion.kind == MotionKind::last_end};
      const bool is_loaded = motion.alone && dot(motion.end_couple, motion.end_couple) > 0.0;
      Vec3 load;
      if (is_loaded) once(team, [&] { load = member.vec3(field::bend_couple, motion.region()); });
      clamp.apply(team, member.part(motion.rod_first, motion.rod_elements));
      if (!is_loaded) continue;
      once(team, [&] {
        const Vec3 held = member.vec3(field::bend_couple, motion.region());
        member.set_vec3(field::bend_couple, motion.region(), held + load);
      });
    }
  }

  /// After the kick of nodes in the step after `steps`.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void hold_nodes(const Team& team, const BasicRodView<Real>& member,
                                                           std::int64_t steps, double step) const {
    once(team, [&] {
      for (int k = 0; k < count; ++k) {
        const Motion& motion = data[k];
        if (!motion.acts(steps)) continue;
        const double end = static_cast<double>(steps + 1) * step;
        if (motion.kind == MotionKind::node) {
          hold_node(motion, states[k], member, motion.at(end, tables).rate, step);
        } else if (motion.holds_end()) {
          const Vec3 load = motion.end_course.at(end - 0.5 * step) * motion.end_couple;
          hold_end(motion, states[k], member, motion.at(end, tables).rate, load, step);
        }
      }
    });
  }

  /// After the kick of elements in the step after `steps`.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void hold_elements(const Team& team,
                                                              const BasicRodView<Real>& member,
                                                              std::int64_t steps, double step) const {
    once(team, [&] {
      for (int k = 0; k < count; ++k) {
        const Motion& motion = data[k];
        if (motion.kind != MotionKind::element || !motion.acts(steps)) continue;
        const double middle = (static_cast<double>(steps) + 0.5) * step;
        const double end = static_cast<double>(steps + 1) * step;
        hold_element(motion, states[k], member, motion.at(middle, tables).value.x,
                     motion.at(end, tables).rate, step);
      }
    });
  }

  /// Records the start of a motion. `drift` is the time by which positions are ahead of the whole step.
  template <class Real>
  KOKKOS_INLINE_FUNCTION void begin(const Motion& motion, MotionState& state,
                                    const BasicRodView<Real>& member, std::int64_t steps, double step,
                                    double drift) const {
    const Vec3 rate = motion.at(static_cast<double>(steps) * step, tables).rate;
    state.begun = 1;
    if (motion.kind == MotionKind::node) {
      const Vec3 before = member.vec3(field::velocity, motion.place);
      const Vec3 after = motion.held_part(rate, before);
      state.position = member.vec3(field::position, motion.place) - drift * before;
      state.work += 0.5 * member.array(field::mass)[motion.place] * (dot(after, after) - dot(before, before));
    } else {
      const Vec3 spin = member.vec3(field::angular_velocity, motion.place);
      const Quaternion present = member.quaternion(motion.place) * small_rotation((-drift) * spin);
      const double scale = 1.5 - 0.5 * squared_norm(present);  // Newton's step of 1/sqrt at 1
      state.orientation = {scale * present.w, scale * present.x, scale * present.y, scale * present.z};
      if (motion.kind == MotionKind::element) {
        const Vec3 after = rate.x * directors(state.orientation).to_body(motion.axis);
        state.work +=
            0.5 * (spin_energy(member, motion.place, after) - spin_energy(member, motion.place, spin));
      } else {
        attach_end(motion, state, member, static_cast<double>(steps) * step);
        if (motion.begins_with_rod) {
          state.orientation = motion.directors_at_start;
        } else if (motion.goes_on_from >= 0) {
          const Motion& before = data[motion.goes_on_from];
          const double angle = before.at(static_cast<double>(steps) * step, tables).value.x;
          state.orientation = before.turned(states[motion.goes_on_from].orientation, angle);
        }
      }
    }
    set_rate(motion, state, member, rate);
  }

  /// Leaves it where its last step takes it.
  template <class Real>
  KOKKOS_INLINE_FUNCTION void release(const Motion& motion, MotionState& state,
                                      const BasicRodView<Real>& member, std::int64_t steps,
                                      double step) const {
    const Course course = motion.at(static_cast<double>(steps) * step, tables);
    set(motion, state, member, course.value + (0.5 * step) * course.rate);
    detach(motion, member);
    state.reaction = {};
    state.power = 0.0;
  }

  /// Displaces or turns the node or frame of a motion by `value` from where it began.
  template <class Real>
  KOKKOS_INLINE_FUNCTION static void set(const Motion& motion, const MotionState& state,
                                         const BasicRodView<Real>& member, const Vec3& value) {
    if (motion.turns()) {
      member.set_quaternion(motion.frame(), motion.turned(state.orientation, value.x));
    } else {
      member.set_vec3(field::position, motion.place,
                      motion.held_part(state.position + value, member.vec3(field::position, motion.place)));
    }
  }

  /// Sets the velocity or angular velocity of the node or element to that of the course.
  template <class Real>
  KOKKOS_INLINE_FUNCTION static void set_rate(const Motion& motion, MotionState& state,
                                              const BasicRodView<Real>& member, const Vec3& rate) {
    state.rate = rate;
    if (motion.kind == MotionKind::node) {
      const Vec3 velocity = motion.held_part(rate, member.vec3(field::velocity, motion.place));
      member.set_vec3(field::velocity, motion.place, velocity);
      if (motion.ghost >= 0) member.set_vec3(field::velocity, motion.ghost, velocity);
    } else if (motion.kind == MotionKind::element) {
      const Vec3 spin = rate.x * directors(state.orientation).to_body(motion.axis);
      const double across = motion.shears ? 1.0 : 0.0;
      member.set_vec3(field::angular_velocity, motion.place, {across * spin.x, across * spin.y, spin.z});
    }
  }

  /// Sets the directors of a free end that begin to be held, so that the half region there has the couple of
  /// the load on the end, or none.
  template <class Real>
  KOKKOS_INLINE_FUNCTION static void attach_end(const Motion& motion, MotionState& state,
                                                const BasicRodView<Real>& member, double time) {
    const int region = motion.region();
    const double length = 1.0 / static_cast<double>(member.array(field::inverse_rest_voronoi)[region]);
    const Vec3 couple = directors(state.orientation).to_body(motion.end_course.at(time) * motion.end_couple);
    const auto over = [](double load, double stiffness) { return stiffness > 0.0 ? load / stiffness : 0.0; };
    const Vec3& b = motion.stiffness;
    const double e = section_stretch(member, motion.place);
    const Vec3 elastic = (e * e * e) * Vec3{over(couple.x, b.x), over(couple.y, b.y), over(couple.z, b.z)};
    const Vec3 natural = member.vec3(field::rest_curvature, region);
    const double sign = motion.kind == MotionKind::first_end ? -1.0 : 1.0;
    const Vec3 turn = (sign * length) * (natural + elastic);
    state.orientation = state.orientation * small_rotation(turn);
    member.set_bend_twist_stiffness(region, motion.stiffness);
  }

  /// Frees the directors of an end, unless another motion goes on from there, which may have begun already.
  template <class Real>
  KOKKOS_INLINE_FUNCTION void detach(const Motion& motion, const BasicRodView<Real>& member) const {
    if (!motion.holds_end()) return;
    for (int k = 0; k < count; ++k) {
      if (data[k].goes_on_from == static_cast<int>(&motion - data)) return;
    }
    const int region = motion.region();
    member.set_bend_twist_stiffness(region, {});
    member.set_vec3(field::bend_couple, region, {});
    member.set_vec3(field::transport_couple, region, {});
  }

 private:
  /// The dilatation of the section of an element.
  template <class Real>
  KOKKOS_INLINE_FUNCTION static double section_stretch(const BasicRodView<Real>& member, int element) {
    const Vec3 edge = member.vec3(field::position, element + 1) - member.vec3(field::position, element);
    return member.section_value(
        math::sqrt(dot(edge, edge)) * member.array(field::inverse_rest_length)[element], 1.0);
  }

  /// Twice the kinetic energy of an element at an angular velocity (body components), J.
  template <class Real>
  KOKKOS_INLINE_FUNCTION static double spin_energy(const BasicRodView<Real>& member, int element,
                                                   const Vec3& rate) {
    const double dilatation = section_stretch(member, element);
    if (!member.circular) {
      const Vec3 inertia = member.inertia(element);
      return (inertia.x * rate.x * rate.x + inertia.y * rate.y * rate.y + inertia.z * rate.z * rate.z) /
             dilatation;
    }
    return member.array(field::bend_inertia)[element] / dilatation *
           (rate.x * rate.x + rate.y * rate.y + 2.0 * rate.z * rate.z);
  }

  KOKKOS_INLINE_FUNCTION static void count_work(MotionState& state, const Vec3& reaction, double power,
                                                double step) {
    state.reaction = reaction;
    state.power = power;
    state.work += power * step;
  }

  template <class Real>
  KOKKOS_INLINE_FUNCTION static void hold_node(const Motion& motion, MotionState& state,
                                               const BasicRodView<Real>& member, const Vec3& rate,
                                               double step) {
    const int i = motion.place;
    const Vec3 kicked = member.vec3(field::velocity, i);
    const double inverse_gain = 1.0 / static_cast<double>(member.array(field::velocity_gain)[i]);
    const Vec3 force = inverse_gain * motion.held_part(rate - kicked, {});
    const Vec3 mean = 0.5 * (state.rate + rate);
    const Vec3 middle = motion.held_part(mean, member.vec3(field::middle_velocity, i));
    count_work(state, force, dot(force, mean), step);
    set_rate(motion, state, member, rate);
    member.set_vec3(field::middle_velocity, i, middle);
    if (motion.ghost >= 0) member.set_vec3(field::middle_velocity, motion.ghost, middle);
  }

  /// Records the reaction of a held end: the couple on the element there less the load.
  template <class Real>
  KOKKOS_INLINE_FUNCTION static void hold_end(const Motion& motion, MotionState& state,
                                              const BasicRodView<Real>& member, const Vec3& rate,
                                              const Vec3& load, double step) {
    const Vec3 bend = member.vec3(field::bend_couple, motion.region());
    const Vec3 transport = member.vec3(field::transport_couple, motion.region());
    const Vec3 couple = motion.kind == MotionKind::first_end ? transport - bend : transport + bend;
    const Vec3 reaction = directors(member.quaternion(motion.place)).to_laboratory(couple) - load;
    const double mean = 0.5 * (state.rate.x + rate.x);
    count_work(state, reaction, mean * dot(reaction, motion.axis), step);
    set_rate(motion, state, member, rate);
  }

  template <class Real>
  KOKKOS_INLINE_FUNCTION static void hold_element(const Motion& motion, MotionState& state,
                                                  const BasicRodView<Real>& member, double angle,
                                                  const Vec3& rate, double step) {
    const int i = motion.place;
    const auto entry = [&](int f) { return static_cast<double>(member.array(f)[i]); };
    const Vec3 axis = directors(state.orientation).to_body(motion.axis);  // a turn about it leaves it
    const Vec3 missing = rate.x * axis - member.vec3(field::angular_velocity, i);
    const double dilatation =
        member.section_value(entry(field::length) * entry(field::inverse_rest_length), 1.0);
    const double bend = 1.0 / (dilatation * entry(field::bend_rate_gain));
    const double twist = 1.0 / (dilatation * entry(field::twist_rate_gain));
    const double second = member.circular ? bend : 1.0 / (dilatation * entry(field::second_bend_rate_gain));
    const Vec3 couple = {bend * missing.x, second * missing.y, twist * missing.z};
    const Vec3 reaction = directors(motion.turned(state.orientation, angle)).to_laboratory(couple);
    const double mean = 0.5 * (state.rate.x + rate.x);
    count_work(state, reaction, mean * dot(couple, axis), step);
    set_rate(motion, state, member, rate);
  }
};

/// Replaces Motions in members without any.
struct NoMotions {
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool any() { return false; }
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void place(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void stand(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void load_ends(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void hold_nodes(const Arguments&...) const {}
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void hold_elements(const Arguments&...) const {}
};

}  // namespace rodeo::boundary
