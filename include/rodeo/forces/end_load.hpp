#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::forces {

/// A force on the last node and a couple on the end there in the laboratory frame. They enter as the internal
/// force and the bend couple of a virtual element beyond the end, so the kick needs no extra term. Where a
/// motion holds the directors of the end, it bears the couple, or the part of it that would turn them.
struct EndLoad {
  Vec3 force;   ///< N
  Vec3 couple;  ///< N m
  LoadCourse course;
  bool acts = false;

  static EndLoad of(const MemberSpec& rod) {
    EndLoad load{rod.load.end_force - rod.load.axial_force * rod.rod.direction, rod.load.end_couple,
                 LoadCourse::of(rod.load)};
    load.acts = dot(load.force, load.force) > 0.0 || dot(load.couple, load.couple) > 0.0;
    return load;
  }

  double steady_from() const { return course.ramp_time; }
  bool does_work() const { return course.does_work(force, couple); }

  /// The couple that turns the last element, N m.
  template <class Real>
  KOKKOS_INLINE_FUNCTION Vec3 couple_on(const BasicRodView<Real>& rod, double time) const {
    const Vec3 all = course.at(time) * couple;
    const int region = rod.elements - 1;
    if (rod.array(field::twist_stiffness)[region] == Real(0)) return all;
    if (rod.array(field::bend_stiffness)[region] > Real(0)) return {};
    const Vec3 held = directors(rod.quaternion(region + 1)).d3;
    return all - dot(all, held) * held;
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void apply(const Team& team, const BasicRodView<Real>& rod, double time) const {
    once(team, [&] {
      const int n = rod.elements;
      rod.set_vec3(field::internal_force, n, course.at(time) * force);
      rod.set_vec3(field::bend_couple, n - 1, directors(rod.quaternion(n - 1)).to_body(couple_on(rod, time)));
    });
  }
};

}  // namespace rodeo::forces
