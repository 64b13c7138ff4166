#pragma once

#include "rodeo/forces/load_course.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// The couple M V d3 x B on every element of a rod of volume V that is magnetised along itself, in a field
/// that is the same everywhere; its energy is -M V d3 . B.
struct MagneticCouple {
  double magnetization = 0.0;  ///< M, A/m
  Vec3 flux_density;           ///< B, laboratory frame, T
  LoadCourse course;

  KOKKOS_INLINE_FUNCTION bool acts(double) const {
    return magnetization != 0.0 && dot(flux_density, flux_density) > 0.0;
  }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const RodView& rod, double time) const {
    const double* const contact_radius = rod.array(field::contact_radius);
    const ConstQuaternionArray orientation = rod.quaternions();
    const Vec3Array external_couple = rod.vec3_array(field::external_couple);
    const Vec3 b = (3.141592653589793 * magnetization * course.at(time)) * flux_density;
    for_each_lane(team, rod.elements, [=](int i) {
      const double square = contact_radius[i] * contact_radius[i];  // V/pi
      const Vec3 body = directors(orientation(i)).to_body(square * b);
      external_couple.add(i, {-body.y, body.x, 0.0});
    });
  }
};

}  // namespace rodeo::forces
