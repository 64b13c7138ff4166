#include "rodeo/forces/muscle_loads.hpp"

namespace rodeo::forces {

void add_muscle_loads(const Muscle& muscle, const RodView& rod, double time) {
  if (muscle.kind == MuscleKind::none) return;
  const int n = rod.elements;
  muscle.with_couples(rod, time, [&](const auto& couples) {
    for (int i = 0; i + 1 < n; ++i) {
      law::RegionLoad load{};
      couples.add(load, i, conjugate(rod.quaternion(i)) * rod.quaternion(i + 1));
      rod.set_vec3(field::external_couple, i,
                   rod.vec3(field::external_couple, i) + load.transport + load.couple);
      rod.set_vec3(field::external_couple, i + 1,
                   rod.vec3(field::external_couple, i + 1) + (load.transport - load.couple));
    }
  });
  if (muscle.kind != MuscleKind::force) return;
  for (int i = 0; i < n; ++i) {
    rod.set_vec3(field::internal_force, i, {});
    rod.set_vec3(field::shear_couple, i, {});
  }
  muscle.add_forces(OneThread{}, rod, time, n);
  for (int i = 0; i < n; ++i) {
    const Vec3 force = rod.vec3(field::internal_force, i);
    rod.set_vec3(field::external_force, i, rod.vec3(field::external_force, i) + force);
    rod.set_vec3(field::external_force, i + 1, rod.vec3(field::external_force, i + 1) - force);
    rod.set_vec3(field::external_couple, i,
                 rod.vec3(field::external_couple, i) + rod.vec3(field::shear_couple, i));
  }
}

}  // namespace rodeo::forces
