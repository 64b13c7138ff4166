#pragma once

#include "rodeo/forces/load_course.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// A force and a couple on every element, the same in the laboratory frame.
struct DistributedLoad {
  Vec3 force;   ///< per rest length, N/m; half of an element's acts on each of its nodes
  Vec3 couple;  ///< per rest length, N
  LoadCourse course;

  KOKKOS_INLINE_FUNCTION bool acts(double) const {
    return dot(force, force) > 0.0 || dot(couple, couple) > 0.0;
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const RodView& rod, double time) const {
    const double* const rest_length = rod.array(field::rest_length);
    const Vec3Array external_force = rod.vec3_array(field::external_force);
    const Vec3Array external_couple = rod.vec3_array(field::external_couple);
    const double part = course.at(time);
    const Vec3 push = (0.5 * part) * force;
    const Vec3 turn = part * couple;
    const int last = rod.elements;
    for_each_lane(team, rod.nodes(), [=](int i) {
      const double length = (i > 0 ? rest_length[i - 1] : 0.0) + (i < last ? rest_length[i] : 0.0);
      external_force.add(i, length * push);
    });
    const ConstQuaternionArray orientation = rod.quaternions();
    for_each_lane(team, rod.elements, [=](int i) {
      external_couple.add(i, directors(orientation(i)).to_body(rest_length[i] * turn));
    });
  }
};

}  // namespace rodeo::forces
