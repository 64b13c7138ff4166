#pragma once

#include "rodeo/der/relative_frame.hpp"

namespace rodeo::der {

/// Gradient of a hinge's energy by its degrees of freedom (edge before, edge after, their angles).
inline void hinge_gradient(const RelativeFrame& r, const FrameDerivatives& d,
                           double (&gradient)[hinge_size]) {
  for (int i = 0; i < hinge_size; ++i) {
    gradient[i] = 0.0;
    for (int m = 0; m < 4; ++m) gradient[i] += r.jacobian[i][m] * d.gradient[m];
  }
}

namespace detail {

inline double dot4(const double (&a)[4], const double (&b)[4]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// Adds slope (1 - t t')/|e|, the second derivative of |e| times `slope`, at block (first, first).
inline void add_length_hessian(const TurnedEdge& edge, double slope, int first,
                               double (&hessian)[hinge_size][hinge_size]) {
  const double scale = slope * edge.inverse_length;
  const double t[3] = {edge.tangent.x, edge.tangent.y, edge.tangent.z};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) hessian[first + i][first + j] += scale * ((i == j ? 1.0 : 0.0) - t[i] * t[j]);
  }
}

}  // namespace detail

/// Hessian of the same: jacobian' hessian jacobian and the second derivatives of the relative frame.
inline void hinge_hessian(const TurnedEdge& before, const TurnedEdge& after, const RelativeFrame& r,
                          const FrameDerivatives& d, double (&hessian)[hinge_size][hinge_size]) {
  double product[hinge_size][4];
  for (int i = 0; i < hinge_size; ++i) {
    for (int m = 0; m < 4; ++m) product[i][m] = detail::dot4(r.jacobian[i], d.hessian[m]);
  }
  for (int i = 0; i < hinge_size; ++i) {
    for (int j = 0; j < hinge_size; ++j) hessian[i][j] = detail::dot4(product[i], r.jacobian[j]);
  }

  double mixed[3][3];  // derivative by a of the edge before and a of the edge after
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) mixed[k][l] = detail::dot4(d.gradient, r.mixed[k][l]);
  }
  double slope_before = 0.0;  // derivative by |e| of the edge before, and after
  double slope_after = 0.0;
  for (int l = 0; l < 3; ++l) {
    slope_before += mixed[0][l] * after.transport[l];
    slope_after += mixed[l][0] * before.transport[l];
    const Vec3 by_before = mixed[0][l] * before.gradient[0] + mixed[1][l] * before.gradient[1] +
                           mixed[2][l] * before.gradient[2];
    const double b[3] = {by_before.x, by_before.y, by_before.z};
    const double a[3] = {after.gradient[l].x, after.gradient[l].y, after.gradient[l].z};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        hessian[i][3 + j] += b[i] * a[j];
        hessian[3 + j][i] += b[i] * a[j];
      }
    }
  }
  detail::add_length_hessian(before, slope_before, 0, hessian);
  detail::add_length_hessian(after, slope_after, 3, hessian);

  for (int i = 0; i < 6; ++i) {
    for (int angle = 6; angle < 8; ++angle) {
      double turned[4];
      detail::turn_derivative(r.jacobian[i], angle == 6 ? -1.0 : 1.0, turned);
      const double second = detail::dot4(d.gradient, turned);
      hessian[i][angle] += second;
      hessian[angle][i] += second;
    }
  }
  // Twice by one angle gives -r/4, along which an energy of degree 0 does not change.
  double turned[4];
  detail::turn_derivative(r.jacobian[6], 1.0, turned);
  hessian[6][7] += detail::dot4(d.gradient, turned);
  hessian[7][6] += detail::dot4(d.gradient, turned);
}

}  // namespace rodeo::der
