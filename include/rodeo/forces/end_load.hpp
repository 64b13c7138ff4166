#pragma once

#include "rodeo/forces/load_course.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// A force on the last node and a couple on the last element in the laboratory frame. They enter as the
/// internal force and the bend couple of a virtual element beyond the end, so the kick needs no extra term.
struct EndLoad {
  Vec3 force;   ///< N
  Vec3 couple;  ///< N m
  LoadCourse course;
  bool acts = false;

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void apply(const Team& team, const BasicRodView<Real>& rod, double time) const {
    const double part = course.at(time);
    once(team, [&] {
      const int n = rod.elements;
      rod.set_vec3(field::internal_force, n, part * force);
      rod.set_vec3(field::bend_couple, n - 1, directors(rod.quaternion(n - 1)).to_body(part * couple));
    });
  }
};

}  // namespace rodeo::forces
