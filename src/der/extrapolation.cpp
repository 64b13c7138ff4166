#include "extrapolation.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/der/relative_frame.hpp"

namespace rodeo::der {

namespace {

/// The entry of a rod's first node that is not counted with the rod before.
int first_own_node(const RodData& rod) { return rod.first + (rod.shares_first_node ? 1 : 0); }

/// Turns the frame of an element to its edge, and by an angle about it.
void turn_with_edge(const RodView& all, int entry, double twist) {
  const Vec3 edge = all.vec3(field::position, entry + 1) - all.vec3(field::position, entry);
  const Quaternion frame = all.quaternion(entry);
  all.set_quaternion(entry, turned_frame(frame, turned_edge(frame, edge, twist)));
}

/// The largest angle by which an edge has turned from `start`, rad.
double largest_turn(const MemberArrays& member, const ConstRodView& start) {
  const auto edge = [](const auto& state, int entry) {
    return state.vec3(field::position, entry + 1) - state.vec3(field::position, entry);
  };
  double largest = 0.0;
  for (const RodData& rod : member.rods) {
    for (int entry = rod.first; entry < rod.first + rod.elements; ++entry) {
      const Vec3 before = edge(start, entry);
      const Vec3 now = edge(member.all, entry);
      largest = std::max(largest, std::atan2(norm(cross(before, now)), dot(before, now)));
    }
  }
  return largest;
}

}  // namespace

void lead_frames(RodStep& rod, double step) {
  for (int i = 0; i < rod.rod.elements; ++i) {
    Vec3& edge = rod.edge[static_cast<std::size_t>(i)];
    edge = edge + step * (rod.rod.vec3(field::velocity, i + 1) - rod.rod.vec3(field::velocity, i));
    const Quaternion frame = rod.rod.quaternion(i);
    rod.rod.set_quaternion(i, turned_frame(frame, turned_edge(frame, edge, 0.0)));
  }
  rod.fill_ghosts();
}

void extrapolate_state(const MemberArrays& member, const ConstRodView& start, double step, double times) {
  const RodView& all = member.all;
  const auto extrapolate = [&](int f, int entry) {
    const Vec3 now = all.vec3(f, entry);
    all.set_vec3(f, entry, now + times * (now - start.vec3(f, entry)));
  };
  for (const RodData& rod : member.rods) {
    for (int entry = first_own_node(rod); entry <= rod.first + rod.elements; ++entry) {
      extrapolate(field::position, entry);
      extrapolate(field::velocity, entry);
    }
    for (int entry = rod.first; entry < rod.first + rod.elements; ++entry) {
      turn_with_edge(all, entry, times * step * all.vec3(field::angular_velocity, entry).z);
      extrapolate(field::angular_velocity, entry);
    }
  }
}

SolveOutcome judge_turn(SolveOutcome outcome, const MemberArrays& member, const ConstRodView& start,
                        double times) {
  constexpr double most_turn = 0.5;
  const double turn = times * largest_turn(member, start);
  outcome.converged = outcome.converged && turn <= most_turn;
  outcome.may_grow = 2.0 * turn <= most_turn;
  return outcome;
}

void move_on(const MemberArrays& member, double step) {
  const RodView& all = member.all;
  for (const RodData& rod : member.rods) {
    for (int entry = first_own_node(rod); entry <= rod.first + rod.elements; ++entry)
      all.set_vec3(field::position, entry,
                   all.vec3(field::position, entry) + step * all.vec3(field::velocity, entry));
    for (int entry = rod.first; entry < rod.first + rod.elements; ++entry)
      turn_with_edge(all, entry, step * all.vec3(field::angular_velocity, entry).z);
  }
}

}  // namespace rodeo::der
