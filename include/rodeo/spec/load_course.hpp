#pragma once

#include "rodeo/math/functions.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Course of loads in time: they grow linearly to their values, and are multiplied by sin(2 pi f t).
struct LoadCourse {
  double ramp_time = 0.0;  ///< s; 0: in full from the start
  double frequency = 0.0;  ///< f, 1/s; 0: steady

  static LoadCourse of(const LoadSpec& load) { return {load.ramp_time, load.frequency}; }

  /// Part of the load that acts at `time`, in [-1, 1].
  KOKKOS_INLINE_FUNCTION double at(double time) const {
    const double ramp = time < ramp_time ? time / ramp_time : 1.0;
    return frequency > 0.0 ? ramp * math::sin(6.283185307179586 * frequency * time) : ramp;
  }

  /// Law::does_work() of a force and a couple in fixed directions: only a steady force has a potential.
  bool does_work(const Vec3& force, const Vec3& couple) const {
    return norm(couple) > 0.0 || (norm(force) > 0.0 && frequency > 0.0);
  }
};

}  // namespace rodeo
