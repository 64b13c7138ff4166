#pragma once

#include <cmath>

#include "rodeo/law/bend_twist.hpp"

namespace rodeo::law {

/// How curvature is measured where elements are twisted against each other.
enum class CurvatureLaw {
  untwisted,  ///< whatever the twist
  published   ///< 1/2 (m_j before + m_j after).kb, which falls with the twist, and with it the stiffness
};

/// The curvatures of eqs 2 and 3 of discrete elastic rods (integrated over the Voronoi length) along material
/// directors j = 1 and 2 of a relative frame r = (w, x, y, z): kappa = p (x, y). For a turning angle phi and
/// a twist tau the norm is 2 tan(phi/2), with p = 2 sgn(w)/sqrt(w^2 + z^2), and as published 2 tan(phi/2)
/// cos(tau/2), with p = 2 w/(w^2 + z^2).
struct Curvature {
  double value[2];
  double p;
  double p_w;
  double p_z;
  double p_ww;
  double p_wz;
  double p_zz;
};

inline Curvature curvature(const double (&r)[4], CurvatureLaw law) {
  const double w = r[0];
  const double z = r[3];
  const double inverse = 1.0 / (w * w + z * z);
  if (law == CurvatureLaw::published) {
    const double p = 2.0 * w * inverse;
    const double cubed = 4.0 * inverse * inverse * inverse;
    const double p_ww = cubed * w * (w * w - 3.0 * z * z);
    return {{p * r[1], p * r[2]},
            p,
            2.0 * (z * z - w * w) * inverse * inverse,
            -4.0 * w * z * inverse * inverse,
            p_ww,
            cubed * z * (3.0 * w * w - z * z),
            -p_ww};  // it is harmonic
  }
  const double p = (w < 0.0 ? -2.0 : 2.0) * std::sqrt(inverse);
  const double by_square = p * inverse;
  const double by_fourth = by_square * inverse;
  return {{p * r[1], p * r[2]},
          p,
          -by_square * w,
          -by_square * z,
          by_fourth * (2.0 * w * w - z * z),
          3.0 * by_fourth * w * z,
          by_fourth * (2.0 * z * z - w * w)};
}

/// Twist of eq. 4 (integrated over the Voronoi length) of a relative frame r = (w, x, y, z), in [-pi, pi]:
/// tau = 2 atan2(z, w), where r and -r are the same frame.
inline double twist(const double (&r)[4]) {
  const double sign = r[0] < 0.0 ? -1.0 : 1.0;
  return 2.0 * std::atan2(sign * r[3], sign * r[0]);
}

/// Both curvatures and the twist; they take the place of the turn in BendTwist::at.
inline Vec3 hinge_turn(const double (&r)[4], CurvatureLaw law) {
  const Curvature k = curvature(r, law);
  return {k.value[0], k.value[1], twist(r)};
}
inline Vec3 hinge_turn(const Quaternion& q, CurvatureLaw law) {
  const double r[4] = {q.w, q.x, q.y, q.z};
  return hinge_turn(r, law);
}

/// Bend and twist of a region whose natural turn is measured by the curvatures of discrete elastic rods, as
/// its turn is.
inline BendTwist<double> hinge_law(BendTwist<double> region, CurvatureLaw law) {
  const double inverse = region.inverse_rest_voronoi;
  region.rest_curvature = inverse * hinge_turn(rotation((1.0 / inverse) * region.rest_curvature), law);
  return region;
}

}  // namespace rodeo::law
