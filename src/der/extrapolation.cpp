#include "extrapolation.hpp"

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
