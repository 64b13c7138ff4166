#pragma once

#include <cmath>

#include "rodeo/der/relative_frame.hpp"

namespace rodeo::der {

/// How curvature is measured where elements are twisted against each other.
enum class CurvatureLaw {
  untwisted,  ///< whatever the twist
  published   ///< 1/2 (m_j before + m_j after).kb, which falls with the twist, and with it the stiffness
};

/// The curvatures of eqs 2 and 3 (integrated over the Voronoi length) along material directors j = 1 and 2 of
/// a relative frame r = (w, x, y, z): kappa = p (x, y). For a turning angle phi and a twist tau the norm is
/// 2 tan(phi/2), with p = 2 sgn(w)/sqrt(w^2 + z^2), and as published 2 tan(phi/2) cos(tau/2), with
/// p = 2 w/(w^2 + z^2).
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

/// Bending energy of a hinge (second line of eq. 5, there with equal stiffness about both directors):
///   E = 1/2 sum_j (B_j/D) (kappa_j - kappa_rest,j)^2.
struct Bending {
  double stiffness[2];  ///< B1/D and B2/D, N m
  double rest[2];       ///< kappa_rest, 1
  CurvatureLaw law = CurvatureLaw::untwisted;

  double energy(const double (&r)[4]) const {
    const Curvature k = curvature(r, law);
    const double x = k.value[0] - rest[0];
    const double y = k.value[1] - rest[1];
    return 0.5 * (stiffness[0] * (x * x + y * y) + (stiffness[1] - stiffness[0]) * (y * y));
  }

  /// Adds gradient and Hessian by r.
  void add(const double (&r)[4], FrameDerivatives& to) const {
    const Curvature k = curvature(r, law);
    const double strain[2] = {k.value[0] - rest[0], k.value[1] - rest[1]};
    for (int j = 0; j < 2; ++j) {
      const double moment = stiffness[j] * strain[j];
      // Gradient of kappa_j by w, its own component and z.
      const int own = 1 + j;
      const double gradient[3] = {k.p_w * r[own], k.p, k.p_z * r[own]};
      const int component[3] = {0, own, 3};
      const double second[3][3] = {{k.p_ww * r[own], k.p_w, k.p_wz * r[own]},
                                   {k.p_w, 0.0, k.p_z},
                                   {k.p_wz * r[own], k.p_z, k.p_zz * r[own]}};
      for (int a = 0; a < 3; ++a) {
        to.gradient[component[a]] += moment * gradient[a];
        for (int b = 0; b < 3; ++b) {
          to.hessian[component[a]][component[b]] +=
              stiffness[j] * gradient[a] * gradient[b] + moment * second[a][b];
        }
      }
    }
  }
};

}  // namespace rodeo::der
