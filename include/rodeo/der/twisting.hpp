#pragma once

#include "rodeo/der/relative_frame.hpp"

namespace rodeo::der {

/// Twist of eq. 4 (integrated over the Voronoi length) of a relative frame r = (w, x, y, z), in [-pi, pi]:
/// tau = 2 atan2(z, w), where r and -r are the same frame.
inline double twist(const double (&r)[4]) {
  const double sign = r[0] < 0.0 ? -1.0 : 1.0;
  return 2.0 * std::atan2(sign * r[3], sign * r[0]);
}

/// Twisting energy of a hinge (third line of eq. 5): E = 1/2 (C/D) (tau - tau_rest)^2.
struct Twisting {
  double stiffness;  ///< C/D, N m
  double rest;       ///< tau_rest, rad

  double energy(const double (&r)[4]) const {
    const double strain = twist(r) - rest;
    return 0.5 * stiffness * strain * strain;
  }

  /// Adds gradient and Hessian by r.
  void add(const double (&r)[4], FrameDerivatives& to) const {
    const double w = r[0];
    const double z = r[3];
    const double inverse = 1.0 / (w * w + z * z);
    const double moment = stiffness * (twist(r) - rest);
    const double gradient[2] = {-2.0 * z * inverse, 2.0 * w * inverse};
    const double ww = 4.0 * w * z * inverse * inverse;
    const double wz = 2.0 * (z * z - w * w) * inverse * inverse;
    to.gradient[0] += moment * gradient[0];
    to.gradient[3] += moment * gradient[1];
    to.hessian[0][0] += stiffness * gradient[0] * gradient[0] + moment * ww;
    to.hessian[0][3] += stiffness * gradient[0] * gradient[1] + moment * wz;
    to.hessian[3][0] += stiffness * gradient[0] * gradient[1] + moment * wz;
    to.hessian[3][3] += stiffness * gradient[1] * gradient[1] - moment * ww;
  }
};

}  // namespace rodeo::der
