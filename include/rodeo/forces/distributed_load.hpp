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
    double* const fx = rod.array(field::external_force, 0);
    double* const fy = rod.array(field::external_force, 1);
    double* const fz = rod.array(field::external_force, 2);
    double* const cx = rod.array(field::external_couple, 0);
    double* const cy = rod.array(field::external_couple, 1);
    double* const cz = rod.array(field::external_couple, 2);
    const double part = course.at(time);
    const Vec3 push = (0.5 * part) * force;
    const Vec3 turn = part * couple;
    const int last = rod.elements;
    for_each_lane(team, rod.nodes(), [=](int i) {
      const double length = (i > 0 ? rest_length[i - 1] : 0.0) + (i < last ? rest_length[i] : 0.0);
      fx[i] += length * push.x;
      fy[i] += length * push.y;
      fz[i] += length * push.z;
    });
    for_each_lane(team, rod.elements, [=](int i) {
      const Vec3 body = directors(rod.quaternion(i)).to_body(rest_length[i] * turn);
      cx[i] += body.x;
      cy[i] += body.y;
      cz[i] += body.z;
    });
  }
};

}  // namespace rodeo::forces
