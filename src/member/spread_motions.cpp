#include "rodeo/member/spread_motions.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "rodeo/math/rotation.hpp"

namespace rodeo {

namespace {

using boundary::Motion;
using boundary::MotionState;

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

/// Place on its rod at which a motion holds a frame, in elements from the first one.
double frame_place(const Motion& motion) {
  const double element = motion.place - motion.rod_first;
  if (motion.kind == MotionKind::first_end) return element - 0.5;
  return motion.kind == MotionKind::last_end ? element + 0.5 : element;
}

}  // namespace

void spread_motions(const boundary::Motions& motions, std::int64_t steps, int number, const RodData& data,
                    const RodView& rod, double from, double to) {
  const int n = rod.elements;
  const bool closed = data.closure.closed;
  VectorAlong turn;
  VectorAlong shift;
  int pivot = -1;
  bool moves = false;
  const auto for_each_motion = [&](const auto& visit) {
    for (int k = 0; k < motions.count; ++k) {
      const Motion& motion = motions.data[k];
      if (motion.rod != number || !motion.acts(steps)) continue;
      const Vec3 way = motion.at(to, motions.tables).value;
      visit(motion, motions.states[k], way, way - motion.at(from, motions.tables).value);
    }
  };
  if (data.clamp.first) turn.set(-0.5, {});
  if (data.clamp.last) turn.set(n - 0.5, {});
  if (data.held_elements.first) turn.set(0, {});
  if (data.held_elements.last) turn.set(n - 1, {});
  const auto is_held = [&](int node) {
    const bool slides = node == 0 ? data.sliding.first : data.sliding.last;
    return !closed && (rod.array(field::velocity_gain)[node] == 0.0 || slides);
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
  if (closed) turn.close(n);
  std::vector<Vec3> nodes;
  for (int i = 0; i <= n; ++i) nodes.push_back(rod.vec3(field::position, i));
  if (!closed) {  // the edges of a closed rod would not meet
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
  for (int i = 0; i < n; ++i) rod.set_quaternion(i, rotation(turn.at(i)) * rod.quaternion(i));
  for (const int end : {0, n}) {
    if (is_held(end)) shift.set(end, rod.vec3(field::position, end) - nodes[static_cast<std::size_t>(end)]);
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
  if (closed) shift.close(n);
  for (int i = 0; i <= n; ++i)
    rod.set_vec3(field::position, i, nodes[static_cast<std::size_t>(i)] + shift.at(i));
}

}  // namespace rodeo
