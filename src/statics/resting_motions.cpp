#include <algorithm>
#include <array>
#include <utility>

#include "rodeo/math/rotation.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/held_ends.hpp"
#include "rodeo/member/held_motions.hpp"
#include "rodeo/tangent/internal_loads.hpp"

#include "resting_rods.hpp"

namespace rodeo::statics {

namespace {

using boundary::Motion;
using boundary::MotionState;
using tangent::element_unknown;
using tangent::node_unknown;

/// A number along a rod that is given at some places: linear between them, beyond them as at the last.
class Along {
 public:
  void set(double place, double value) {
    const auto next = std::ranges::lower_bound(stops_, place, {}, &Stop::first);
    stops_.insert(next, {place, value});
  }

  /// Goes round a closed rod of such a length.
  void close(double length) {
    if (stops_.empty()) return;
    const Stop first = stops_.front();
    const Stop last = stops_.back();
    set(last.first - length, last.second);
    set(first.first + length, first.second);
  }

  double at(double place) const {
    if (stops_.empty()) return 0.0;
    const auto next = std::ranges::lower_bound(stops_, place, {}, &Stop::first);
    if (next == stops_.begin()) return next->second;
    const Stop& before = *(next - 1);
    if (next == stops_.end()) return before.second;
    return before.second +
           (next->second - before.second) * (place - before.first) / (next->first - before.first);
  }

 private:
  using Stop = std::pair<double, double>;
  std::vector<Stop> stops_;
};

struct VectorAlong {
  std::array<Along, 3> components;

  void set(double place, const Vec3& value) {
    components[0].set(place, value.x);
    components[1].set(place, value.y);
    components[2].set(place, value.z);
  }
  void close(double length) {
    for (Along& component : components) component.close(length);
  }
  Vec3 at(double place) const {
    return {components[0].at(place), components[1].at(place), components[2].at(place)};
  }
};

Vec3 turned(const Vec3& turn, const Vec3& v) { return directors(rotation(turn)).to_laboratory(v); }

/// Where on its rod a motion holds a frame, in elements from the first one.
double frame_place(const Motion& motion) {
  const double element = motion.place - motion.rod_first;
  if (motion.kind == MotionKind::first_end) return element - 0.5;
  return motion.kind == MotionKind::last_end ? element + 0.5 : element;
}

}  // namespace

bool RestingRods::begin_motions(std::int64_t steps) {
  bool released = false;
  const boundary::Motions& motions = member_.motions;
  for (int k = 0; k < motions.count; ++k) {
    const Motion& motion = motions.data[k];
    MotionState& state = motions.states[k];
    const bool begins = steps == motion.first_step && state.begun == 0;
    released = released || steps == motion.last_step;
    change_hold(member_, k, steps);
    if (begins) state.work = 0.0;  // of motion, which there is none
    if (motion.acts_or_ends(steps)) stop(motion, member_.all);
  }
  hold_places(steps);
  return released;
}

/// Gives what a motion holds no velocity.
void RestingRods::stop(const Motion& motion, const RodView& all) {
  if (motion.kind == MotionKind::node) all.set_vec3(field::velocity, motion.place, {});
  if (motion.kind == MotionKind::node && motion.ghost >= 0) all.set_vec3(field::velocity, motion.ghost, {});
  if (motion.kind == MotionKind::element) all.set_vec3(field::angular_velocity, motion.place, {});
}

void RestingRods::hold_places(std::int64_t steps) {
  held_step_ = steps;
  for (std::size_t k = 0; k < rods_.size(); ++k) {
    RestingRod& r = rods_[k];
    r.held = held_ends(*r.data, r.rod.as_const());
    r.ends = r.seam ? tangent::Seam::ends : tangent::ClampedEnds{r.data->clamp.first, r.data->clamp.last};
    if (r.seam) r.held.add_node(r.rod.elements);  // node 0 once more
    hold_motions(member_.motions, steps, static_cast<int>(k), r.ends, r.held);
  }
}

/// Frames turn about axes of the laboratory, linearly from one that is held to the next, and take the edges
/// with them; what nodes that are held then miss of their places is spread over the others in the same way.
/// So a rod between two frames that turn is twisted and bent evenly, and one that a single place holds goes
/// with it as it is.
void RestingRods::spread_motions(const RestingRod& r, int number, double from, double to) {
  const boundary::Motions& motions = member_.motions;
  const int n = r.rod.elements;
  VectorAlong turn;
  VectorAlong shift;
  int pivot = -1;
  bool moves = false;
  const auto for_each_motion = [&](const auto& visit) {
    for (int k = 0; k < motions.count; ++k) {
      const Motion& motion = motions.data[k];
      if (motion.rod != number || !motion.acts(held_step_)) continue;
      const Vec3 way = motion.at(to, motions.tables).value;
      visit(motion, motions.states[k], way, way - motion.at(from, motions.tables).value);
    }
  };
  if (r.data->clamp.first) turn.set(-0.5, {});
  if (r.data->clamp.last) turn.set(n - 0.5, {});
  const auto is_held = [&](int node) {
    const bool slides = node == 0 ? r.data->sliding.first : r.data->sliding.last;
    return !r.seam && (r.rod.array(field::velocity_gain)[node] == 0.0 || slides);
  };
  for (const int end : {0, n}) {
    if (pivot < 0 && is_held(end)) pivot = end;
  }
  for_each_motion([&](const Motion& motion, const MotionState&, const Vec3&, const Vec3& way) {
    if (motion.turns()) {
      turn.set(frame_place(motion), way.x * motion.axis);
      moves = moves || way.x != 0.0;
    } else {
      if (pivot < 0) pivot = motion.place - motion.rod_first;
      moves = moves || norm(motion.held_part(way, {})) > 0.0;
    }
  });
  if (!moves) return;
  if (pivot < 0) pivot = 0;
  if (r.seam) turn.close(n);
  std::vector<Vec3> nodes;
  for (int i = 0; i <= n; ++i) nodes.push_back(r.rod.vec3(field::position, i));
  if (!r.seam) {  // the edges of a closed rod would not meet
    const std::vector<Vec3> before = nodes;
    const auto edge = [&](int i) {
      const auto k = static_cast<std::size_t>(i);
      return turned(turn.at(i), before[k + 1] - before[k]);
    };
    for (int i = pivot; i < n; ++i)
      nodes[static_cast<std::size_t>(i) + 1] = nodes[static_cast<std::size_t>(i)] + edge(i);
    for (int i = pivot; i > 0; --i)
      nodes[static_cast<std::size_t>(i) - 1] = nodes[static_cast<std::size_t>(i)] - edge(i - 1);
  }
  for (int i = 0; i < n; ++i) r.rod.set_quaternion(i, rotation(turn.at(i)) * r.rod.quaternion(i));
  for (const int end : {0, n}) {
    if (is_held(end)) shift.set(end, r.rod.vec3(field::position, end) - nodes[static_cast<std::size_t>(end)]);
  }
  for_each_motion([&](const Motion& motion, const MotionState& state, const Vec3& way, const Vec3&) {
    if (motion.turns()) return;
    const int node = motion.place - motion.rod_first;
    const Vec3 missing = state.position + way - nodes[static_cast<std::size_t>(node)];
    const double parts[3] = {missing.x, missing.y, missing.z};
    for (std::size_t c = 0; c < 3; ++c) {
      if (motion.held[c]) shift.components[c].set(node, parts[c]);
    }
  });
  if (r.seam) shift.close(n);
  for (int i = 0; i <= n; ++i)
    r.rod.set_vec3(field::position, i, nodes[static_cast<std::size_t>(i)] + shift.at(i));
}

void RestingRods::place_motions(double from, double to) {
  const boundary::Motions& motions = member_.motions;
  if (motions.count == 0) return;
  for (std::size_t k = 0; k < rods_.size(); ++k) spread_motions(rods_[k], static_cast<int>(k), from, to);
  for (int k = 0; k < motions.count; ++k) {
    const Motion& motion = motions.data[k];
    if (!motion.acts(held_step_)) continue;
    boundary::Motions::set(motion, motions.states[k], member_.all, motion.at(to, motions.tables).value);
  }
  place_ties();
  for (const RestingRod& r : rods_) {
    if (r.seam) r.data->closure.fill_ghosts(r.rod);
  }
}

void RestingRods::note_reactions(double from) {
  const boundary::Motions& motions = member_.motions;
  if (motions.count == 0) return;
  std::vector<double> gradient;
  set_gradient(gradient);
  for (const RestingRod& r : rods_) tangent::set_internal_loads(r.rod, r.ends);
  for (int k = 0; k < motions.count; ++k) {
    const Motion& motion = motions.data[k];
    if (!motion.acts(held_step_)) continue;
    const double* const own = gradient.data() + rods_[static_cast<std::size_t>(motion.rod)].first;
    note_reaction(motions, k, reaction_on(motion, member_.all, own), from, load_time_, false);
  }
}

/// Motions that begin at t = 0 begin from where such rods stand then.
void RestingRods::take_motions(const MemberSpec& spec, const RodView& made) {
  if (member_.motions.count == 0) return;
  own_tables_.clear();
  own_motions_ = make_motions(spec, own_tables_);
  member_.motions.data = own_motions_.data();
  member_.motions.tables = own_tables_.data();
  for (std::size_t k = 0; k < own_motions_.size(); ++k) {
    const Motion& motion = own_motions_[k];
    MotionState& state = member_.motions.states[k];
    if (!motion.acts(held_step_)) continue;
    if (motion.first_step == 0) {
      const MotionState before = state;
      member_.motions.begin(motion, state, made, 0, member_.data.step, 0.0);
      state.work = before.work;
      state.rate = before.rate;
      stop(motion, made);
    } else if (motion.holds_end()) {
      made.array(field::bend_stiffness)[motion.region()] = motion.bend_stiffness;
      made.array(field::twist_stiffness)[motion.region()] = motion.twist_stiffness;
    }
  }
}

}  // namespace rodeo::statics
