#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// A steady couple along the rod, the same in the laboratory frame.
struct DistributedCouple {
  Vec3 couple;  ///< per rest length, N

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return dot(couple, couple) > 0.0; }

  template <class Team>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const RodView& rod, double) const {
    const double* const rest_length = rod.array(field::rest_length);
    double* const cx = rod.array(field::external_couple, 0);
    double* const cy = rod.array(field::external_couple, 1);
    double* const cz = rod.array(field::external_couple, 2);
    const Vec3 load = couple;
    for_each_lane(team, rod.elements, [=](int i) {
      const Vec3 body = directors(rod.quaternion(i)).to_body(rest_length[i] * load);
      cx[i] += body.x;
      cy[i] += body.y;
      cz[i] += body.z;
    });
  }
};

}  // namespace rodeo::forces
