#include <utility>
#include <vector>

#include "rodeo/der/elastic_energy.hpp"
#include "rodeo/der/loaded_rods.hpp"
#include "rodeo/member/held_motions.hpp"

// Motions that hold and move the rods of a member.

namespace rodeo::der {

bool LoadedRods::acts(int motion) const { return member_.motions.data[motion].acts(steps_); }

bool LoadedRods::begin_motions(std::int64_t steps) {
  if (!moves()) return false;
  bool changes = false;
  for (int k = 0; k < member_.motions.count; ++k) {
    boundary::MotionState& state = member_.motions.states[k];
    const bool had_begun = state.begun != 0;
    const bool changed = change_hold(member_, k, steps);
    changes = changes || changed;
    if (solver_.at_rest() && !had_begun && state.begun != 0) state.work = 0.0;  // there is no motion yet
  }
  const bool is_known = steps_ >= 0 && !changes;
  steps_ = steps;
  if (!is_known) hold();
  return changes;
}

/// Tells the solver which nodes and elements the present motions hold.
void LoadedRods::hold() {
  const boundary::Motions& motions = member_.motions;
  std::vector<HeldNode> nodes;
  std::vector<HeldElement> elements;
  for (RodStep& rod : solver_.rods()) rod.set_hinges();
  for (int k = 0; k < motions.count; ++k) {
    const boundary::Motion& motion = motions.data[k];
    if (!acts(k)) continue;
    const auto rod = static_cast<std::size_t>(motion.rod);
    const int index = motion.place - motion.rod_first;
    if (motion.kind == MotionKind::node) {
      nodes.push_back(
          {solver_.rods()[rod].first + 4 * index, {motion.held[0], motion.held[1], motion.held[2]}});
    } else if (motion.kind == MotionKind::element) {
      elements.push_back({rod, index, {}});
    }
  }
  solver_.constraints().hold(nodes, std::move(elements));
}

void LoadedRods::place_motions(double time) {
  const boundary::Motions& motions = member_.motions;
  auto element = solver_.constraints().held_elements().begin();
  for (int k = 0; k < motions.count; ++k) {
    const boundary::Motion& motion = motions.data[k];
    const boundary::MotionState& state = motions.states[k];
    if (!acts(k)) continue;
    const Vec3 value = motion.at(time, motions.tables).value;
    if (motion.kind == MotionKind::element) {
      element++->frame = motion.turned(state.orientation, value.x);
    } else {
      boundary::Motions::set(motion, state, member_.all, value);
    }
  }
  for (const HeldElement& held : solver_.constraints().held_elements()) place_held_edge(held);
}

/// Turns an edge to its held frame: about a node that is held, else about its middle.
void LoadedRods::place_held_edge(const HeldElement& held) const {
  const RodStep& step = solver_.rods()[held.rod];
  const RodView& rod = step.rod;
  const int i = held.element;
  const double* const from = step.start.data() + 4 * i;
  const double length = norm(Vec3{from[4] - from[0], from[5] - from[1], from[6] - from[2]});
  const Vec3 edge = length * directors(held.frame).d3;
  const Vec3 first = rod.vec3(field::position, i);
  const Vec3 last = rod.vec3(field::position, i + 1);
  const int dof = step.first + 4 * i;
  const Vec3 start = solver_.constraints().holds_node(dof)       ? first
                     : solver_.constraints().holds_node(dof + 4) ? last - edge
                                                                 : 0.5 * (first + last) - 0.5 * edge;
  rod.set_vec3(field::position, i, start);
  rod.set_vec3(field::position, i + 1, solver_.constraints().holds_node(dof + 4) ? last : start + edge);
}

/// Gives driven nodes, and elements that ends hold, the velocities of their motion.
void LoadedRods::set_end_rates(const RodData& data, const RodView& rod, double time) {
  data.motion.set_velocity(OneThread{}, rod, time);
  const auto turn = [&](int node, int other, int element, const Vec3& spin) {
    const Vec3 edge = rod.vec3(field::position, other) - rod.vec3(field::position, node);
    rod.set_vec3(field::velocity, other, rod.vec3(field::velocity, node) + cross(spin, edge));
    rod.set_vec3(field::angular_velocity, element,
                 {0.0, 0.0, dot(spin, directors(rod.quaternion(element)).d3)});
  };
  const int n = rod.elements;
  if (data.held_elements.first) turn(0, 1, 0, data.motion.spin(data.motion.first, time));
  if (data.held_elements.last) turn(n, n - 1, n - 1, data.motion.spin(data.motion.last, time));
}

/// Gives held parts the velocities of their courses, and frames without rounding, and notes the reactions and
/// powers of motions.
void LoadedRods::finish_motions(double step) const {
  const boundary::Motions& motions = member_.motions;
  for (int k = 0; k < motions.count; ++k) {
    const boundary::Motion& motion = motions.data[k];
    boundary::MotionState& state = motions.states[k];
    if (!acts(k)) continue;
    const boundary::Course course = motion.at(end_, motions.tables);
    if (motion.turns()) {
      state.reaction = couple_on(motion, step, course.rate.x);
      state.power = course.rate.x * dot(state.reaction, motion.axis);
      boundary::Motions::set(motion, state, member_.all, course.value);
    } else {
      state.reaction = force_on(motion, step, course.rate);
      state.power = dot(state.reaction, course.rate);
    }
    boundary::Motions::set_rate(motion, state, member_.all, course.rate);
  }
}

void LoadedRods::stand_at(double time) {
  start();  // held elements keep the lengths that they have now
  place_ends(time);
  for (const RodData& data : member_.rods) {
    if (data.motion.duration > 0.0) set_end_rates(data, data.part(member_.all), time);
  }
  const boundary::Motions& motions = member_.motions;
  for (int k = 0; k < motions.count; ++k) {
    const boundary::Motion& motion = motions.data[k];
    if (!acts(k)) continue;
    const boundary::Course course = motion.at(time, motions.tables);
    if (motion.turns()) boundary::Motions::set(motion, motions.states[k], member_.all, course.value);
    boundary::Motions::set_rate(motion, motions.states[k], member_.all, course.rate);
    if (motion.kind == MotionKind::element) turn_edge(motion, course.rate.x * motion.axis);
  }
}

/// Has the nodes of a held element go round each other as it turns.
void LoadedRods::turn_edge(const boundary::Motion& motion, const Vec3& rate) const {
  const RodView& all = member_.all;
  const int first = motion.place;
  const int last = first + 1;
  const Vec3 edge = all.vec3(field::position, last) - all.vec3(field::position, first);
  const Vec3 before = all.vec3(field::velocity, last) - all.vec3(field::velocity, first);
  const Vec3 apart = (dot(before, edge) / dot(edge, edge)) * edge + cross(rate, edge);
  const int dof = solver_.rods()[static_cast<std::size_t>(motion.rod)].first + 4 * (first - motion.rod_first);
  const bool holds_first = solver_.constraints().holds_node(dof);
  const bool holds_last = solver_.constraints().holds_node(dof + 4);
  const double share = holds_first ? 0.0 : holds_last ? 1.0 : 0.5;  // of the change that the first node takes
  const Vec3 change = apart - before;
  all.set_vec3(field::velocity, first, all.vec3(field::velocity, first) - share * change);
  if (!holds_last)
    all.set_vec3(field::velocity, last, all.vec3(field::velocity, last) + (1.0 - share) * change);
}

/// Force that holds a node and, where the element next to it is held, its part of that. Held nodes have the
/// velocities of the courses, and inertia by these.
Vec3 LoadedRods::force_on(const boundary::Motion& motion, double step, const Vec3& rate) const {
  const RodStep& rod = solver_.rods()[static_cast<std::size_t>(motion.rod)];
  const int node = motion.place - motion.rod_first;
  const auto at = [&](const std::vector<double>& values, int i) {
    const double* const v = values.data() + 4 * i;
    return Vec3{v[0], v[1], v[2]};
  };
  const std::vector<double>& all = solver_.reactions();
  const std::vector<double> own(all.begin() + rod.first,
                                all.begin() + rod.first + degrees_of_freedom(rod.rod.elements));
  Vec3 force = at(own, node);
  for (const HeldElement& held : solver_.constraints().held_elements()) {
    if (held.rod != static_cast<std::size_t>(motion.rod)) continue;
    if (held.element == node) force = force + at(own, node + 1);
    if (held.element + 1 == node) force = force + at(own, node - 1);
  }
  const Vec3 moved = (1.0 / step) * (rod.rod.vec3(field::position, node) - at(rod.start, node));
  const double inertia = rod.inertia_part * rod.rod.array(field::mass)[node] / step;
  return motion.held_part(force + inertia * (rate - moved), {});
}

/// The couple with which a motion holds an element or the directors of an end.
Vec3 LoadedRods::couple_on(const boundary::Motion& motion, double step, double rate) const {
  const RodStep& rod = solver_.rods()[static_cast<std::size_t>(motion.rod)];
  const int i = motion.place - motion.rod_first;
  const Directors d = directors(rod.rod.quaternion(i));
  if (motion.kind == MotionKind::first_end)
    return d.to_laboratory(-1.0 * couple_after(rod.rod, rod.hinges, 0));
  if (motion.kind == MotionKind::last_end) {
    const Vec3 on_rod = d.to_laboratory(couple_before(rod.rod, rod.hinges, rod.rod.elements));
    return on_rod - rod.load_part * motion.borne_couple(end_);
  }
  const double* const own = solver_.reactions().data() + rod.first + 4 * i;
  const Vec3 on_first = {own[0], own[1], own[2]};
  const Vec3 on_last = {own[4], own[5], own[6]};
  const Vec3 edge = rod.rod.vec3(field::position, i + 1) - rod.rod.vec3(field::position, i);
  const Vec3 force = solver_.constraints().holds_node(rod.first + 4 * (i + 1)) ? -1.0 * on_first : on_last;
  const double turned = rod.rod.array(field::angular_velocity, 2)[i];  // by the change of place
  const double inertia = rod.inertia_part * rod.rod.inertia(i).z / step;
  const double moment = own[3] + inertia * (rate * dot(d.d3, motion.axis) - turned);
  return cross(edge, force) + moment * d.d3;
}

std::vector<double> LoadedRods::motion_powers() const {
  std::vector<double> powers;
  for (int k = 0; k < member_.motions.count; ++k)
    powers.push_back(acts(k) ? member_.motions.states[k].power : 0.0);
  return powers;
}

void LoadedRods::count_motion_work(const std::vector<double>& powers, double seconds) const {
  for (std::size_t k = 0; k < powers.size(); ++k) member_.motions.states[k].work += powers[k] * seconds;
}

}  // namespace rodeo::der
