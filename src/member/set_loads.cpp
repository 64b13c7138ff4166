#include "rodeo/member/set_loads.hpp"

#include <cmath>

#include "rodeo/forces/muscle_loads.hpp"

namespace rodeo {

namespace {

/// Adds a rod's internal couples of actuation, its muscle loads and its end load.
void add_own_loads(const MemberArrays& member, const RodData& rod, double time) {
  const RodView arrays = rod.part(member.all);
  const auto add = [&](int f, int i, const Vec3& load) { arrays.set_vec3(f, i, arrays.vec3(f, i) + load); };
  if (rod.actuation.count > 0) rod.actuation.add_internal_couples(arrays, rod.closure, time);
  forces::add_muscle_loads(member.muscle_of(rod), arrays, time);
  if (!rod.end_load.acts) return;
  const int n = arrays.elements;
  rod.end_load.apply(OneThread{}, arrays, time);
  add(field::external_force, n, arrays.vec3(field::internal_force, n));
  add(field::external_couple, n - 1, arrays.vec3(field::bend_couple, n - 1));
}

}  // namespace

void set_loads(const MemberArrays& member, double time) {
  member.data.forces.evaluate(OneThread{}, member.all, member.rods, time);
  member.rods.clear_ghost_forces(OneThread{}, member.all);
  for (const RodData& rod : member.rods) add_own_loads(member, rod, time);
  member.rods.add_ghost_forces(OneThread{}, member.all);
}

void spread_driven_ends(const RodData& rod, const RodView& arrays, double from, double to, bool ways) {
  const boundary::PrescribedMotion& motion = rod.motion;
  const double made = motion.progress(to) - motion.progress(from);
  if (motion.duration == 0.0 || made == 0.0) return;
  const int n = arrays.elements;
  const auto spread = [&](double first, double last, double place) {
    return made * (first + (last - first) * place / n);
  };
  for (int i = 1; ways && i < n; ++i) {
    const double way = spread(motion.first.travel, motion.last.travel, i);
    arrays.set_vec3(field::position, i, arrays.vec3(field::position, i) + way * motion.axis);
  }
  for (int i = 0; i < n; ++i) {
    const Quaternion q = arrays.quaternion(i);
    const double turn = spread(motion.first.turn, motion.last.turn, i + 0.5);
    const double along = dot(directors(q).d3, motion.axis);
    arrays.set_quaternion(i, q * rotation({0.0, 0.0, std::copysign(turn, turn * along)}));
  }
}

}  // namespace rodeo
