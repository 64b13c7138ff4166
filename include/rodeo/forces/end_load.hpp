#pragma once

#include "rodeo/math/functions.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// A force on the last node and a couple on the last element in the laboratory frame, ramped up linearly; the
/// couple may then oscillate as sin(2 pi f t) (Figure 16 of Gazzola et al. 2018). They enter as the internal
/// force and the bend couple of a virtual element beyond the end, so the kick needs no extra term.
struct EndLoad {
  Vec3 force;                     ///< N
  Vec3 couple;                    ///< N m
  double ramp_time = 0.0;         ///< s; 0: in full from the start
  double couple_frequency = 0.0;  ///< f, 1/s; 0: steady
  bool acts = false;

  template <class Team>
  KOKKOS_INLINE_FUNCTION void apply(const Team& team, const RodView& rod, double time) const {
    const double ramp = time < ramp_time ? time / ramp_time : 1.0;
    const double wave = couple_frequency > 0.0 ? math::sin(6.283185307179586 * couple_frequency * time) : 1.0;
    once(team, [&] {
      const int n = rod.elements;
      rod.set_vec3(field::internal_force, n, ramp * force);
      rod.set_vec3(field::bend_couple, n - 1,
                   directors(rod.quaternion(n - 1)).to_body((ramp * wave) * couple));
    });
  }
};

}  // namespace rodeo::forces
