#pragma once

#include "rodeo/der/relative_frame.hpp"
#include "rodeo/law/hinge.hpp"

namespace rodeo::der {

using law::Curvature;
using law::curvature;
using law::CurvatureLaw;
using law::twist;

/// Bend and twist of a hinge (second and third line of eq. 5, there with equal stiffness about both
/// directors), by its relative frame r.
struct HingeLaw {
  law::BendTwist<double> region;
  CurvatureLaw curvature_law = CurvatureLaw::untwisted;

  law::Elastic<double> at(const double (&r)[4]) const { return region.at(hinge_turn(r, curvature_law)); }

  /// Adds gradient and Hessian by r.
  void add(const double (&r)[4], FrameDerivatives& to) const {
    const Curvature k = curvature(r, curvature_law);
    const law::Elastic<double> elastic = region.at({k.value[0], k.value[1], twist(r)});
    const Vec3 couple = elastic.stress();
    const Vec3 rate = region.inverse_rest_voronoi * elastic.stiffness;
    add_bending(k, 1, r, couple.x, rate.x, to);
    add_bending(k, 2, r, couple.y, rate.y, to);
    const double w = r[0];
    const double z = r[3];
    const double inverse = 1.0 / (w * w + z * z);
    const double gradient[2] = {-2.0 * z * inverse, 2.0 * w * inverse};
    const double ww = 4.0 * w * z * inverse * inverse;
    const double wz = 2.0 * (z * z - w * w) * inverse * inverse;
    to.gradient[0] += couple.z * gradient[0];
    to.gradient[3] += couple.z * gradient[1];
    to.hessian[0][0] += rate.z * gradient[0] * gradient[0] + couple.z * ww;
    to.hessian[0][3] += rate.z * gradient[0] * gradient[1] + couple.z * wz;
    to.hessian[3][0] += rate.z * gradient[0] * gradient[1] + couple.z * wz;
    to.hessian[3][3] += rate.z * gradient[1] * gradient[1] - couple.z * ww;
  }

 private:
  /// Adds the derivatives by the curvature along component `own` of r, whose gradient is by w, own and z.
  static void add_bending(const Curvature& k, int own, const double (&r)[4], double couple, double rate,
                          FrameDerivatives& to) {
    const double gradient[3] = {k.p_w * r[own], k.p, k.p_z * r[own]};
    const int component[3] = {0, own, 3};
    const double second[3][3] = {{k.p_ww * r[own], k.p_w, k.p_wz * r[own]},
                                 {k.p_w, 0.0, k.p_z},
                                 {k.p_wz * r[own], k.p_z, k.p_zz * r[own]}};
    for (int a = 0; a < 3; ++a) {
      to.gradient[component[a]] += couple * gradient[a];
      for (int b = 0; b < 3; ++b)
        to.hessian[component[a]][component[b]] += rate * gradient[a] * gradient[b] + couple * second[a][b];
    }
  }
};

}  // namespace rodeo::der
