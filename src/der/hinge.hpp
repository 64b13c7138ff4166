#pragma once

#include "rodeo/der/relative_frame.hpp"

namespace rodeo::der {

namespace detail {

/// Sum of the a of an edge's frame times their gradients by the edge: takes derivatives by a to those by it.
inline Vec3 to_edge(const TurnedEdge& edge, double first, double second, double third) {
  return first * edge.gradient[0] + second * edge.gradient[1] + third * edge.gradient[2];
}

inline double dot(const Quaternion& a, const Quaternion& b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

/// Puts a column of derivatives by an edge at (first, column), and mirrored.
inline void put(const Vec3& v, int first, int column, double (&hessian)[hinge_size][hinge_size]) {
  const double entries[3] = {v.x, v.y, v.z};
  for (int i = 0; i < 3; ++i) {
    hessian[first + i][column] = entries[i];
    hessian[column][first + i] = entries[i];
  }
}

/// Derivatives by the frames of two edges, their a from entries m and n on, as derivatives by the edges: put
/// at (m, n), and mirrored.
inline void put_edges(const TurnedEdge& one, const TurnedEdge& other, int m, int n,
                      const double (&by_frames)[hinge_size][hinge_size],
                      double (&hessian)[hinge_size][hinge_size]) {
  Vec3 by_one[3];  // of derivatives by the a of `other`
  for (int l = 0; l < 3; ++l)
    by_one[l] = to_edge(one, by_frames[m][n + l], by_frames[m + 1][n + l], by_frames[m + 2][n + l]);
  const Vec3* const g = other.gradient;
  put(g[0].x * by_one[0] + g[1].x * by_one[1] + g[2].x * by_one[2], m, n, hessian);
  put(g[0].y * by_one[0] + g[1].y * by_one[1] + g[2].y * by_one[2], m, n + 1, hessian);
  put(g[0].z * by_one[0] + g[1].z * by_one[1] + g[2].z * by_one[2], m, n + 2, hessian);
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

/// Derivatives of a hinge's energy by what its frames are made of.
inline void gradient_by_frames(const RelativeFrame& r, const FrameDerivatives& d,
                               double (&gradient)[hinge_size]) {
  for (int i = 0; i < hinge_size; ++i) {
    gradient[i] = r.by[0][i] * d.gradient[0] + r.by[1][i] * d.gradient[1] + r.by[2][i] * d.gradient[2] +
                  r.by[3][i] * d.gradient[3];
  }
}

/// Second derivatives of a hinge's energy by what its frames are made of.
inline void hessian_by_frames(const TurnedEdge& before, const TurnedEdge& after, const RelativeFrame& r,
                              const FrameDerivatives& d, double (&hessian)[hinge_size][hinge_size]) {
  double product[4][hinge_size];
  for (int m = 0; m < 4; ++m) {
    const double(&h)[4] = d.hessian[m];
    for (int j = 0; j < hinge_size; ++j)
      product[m][j] = h[0] * r.by[0][j] + h[1] * r.by[1][j] + h[2] * r.by[2][j] + h[3] * r.by[3][j];
  }
  for (int i = 0; i < hinge_size; ++i) {
    for (int j = 0; j < hinge_size; ++j) {
      hessian[i][j] = r.by[0][i] * product[0][j] + r.by[1][i] * product[1][j] + r.by[2][i] * product[2][j] +
                      r.by[3][i] * product[3][j];
    }
  }
  const auto add = [&](int i, int j, double second) {
    hessian[i][j] += second;
    hessian[j][i] += second;
  };

  // By an a before and an a after: conj(e_k) rest e_l for e = 1, i, j, and the gradient turned back.
  const double* const g = d.gradient;
  const Quaternion back =
      conjugate(turn_of(before) * Quaternion{g[0], g[1], g[2], g[3]} * conjugate(turn_of(after)));
  const Quaternion rest[3] = {conjugate(r.rest), conjugate(times_i(r.rest)), conjugate(times_j(r.rest))};
  for (int l = 0; l < 3; ++l) {
    add(0, 3 + l, dot(back, rest[l]));
    add(1, 3 + l, dot(back, times_i(rest[l])));
    add(2, 3 + l, dot(back, times_j(rest[l])));
  }
  // By an angle and another part: the gradient by the turned derivative. Twice by one angle r gives -r/4,
  // along which an energy of degree 0 does not change.
  for (int i = 0; i < 7; ++i) {
    const double across = 0.5 * (g[1] * r.by[2][i] - g[2] * r.by[1][i]);
    const double along = 0.5 * (g[3] * r.by[0][i] - g[0] * r.by[3][i]);
    if (i < 6) add(i, 6, across - along);
    add(i, 7, across + along);
  }
}

}  // namespace detail

/// Gradient of a hinge's energy by its degrees of freedom (edge before, edge after, their angles).
inline void hinge_gradient(const TurnedEdge& before, const TurnedEdge& after, const RelativeFrame& r,
                           const FrameDerivatives& d, double (&gradient)[hinge_size]) {
  double by[hinge_size];
  detail::gradient_by_frames(r, d, by);
  set_at(gradient, detail::to_edge(before, by[0], by[1], by[2]));
  set_at(gradient + 3, detail::to_edge(after, by[3], by[4], by[5]));
  gradient[6] = by[6];
  gradient[7] = by[7];
}

/// Hessian of a hinge's energy by its degrees of freedom.
inline void hinge_hessian(const TurnedEdge& before, const TurnedEdge& after, const RelativeFrame& r,
                          const FrameDerivatives& d, double (&hessian)[hinge_size][hinge_size]) {
  double by[hinge_size][hinge_size];
  detail::hessian_by_frames(before, after, r, d, by);
  detail::put_edges(before, before, 0, 0, by, hessian);
  detail::put_edges(before, after, 0, 3, by, hessian);
  detail::put_edges(after, after, 3, 3, by, hessian);
  for (int angle = 6; angle < 8; ++angle) {
    detail::put(detail::to_edge(before, by[0][angle], by[1][angle], by[2][angle]), 0, angle, hessian);
    detail::put(detail::to_edge(after, by[3][angle], by[4][angle], by[5][angle]), 3, angle, hessian);
    for (int other = 6; other < 8; ++other) hessian[angle][other] = by[angle][other];
  }
  double slopes[hinge_size];
  detail::gradient_by_frames(r, d, slopes);
  detail::add_length_hessian(before, slopes[0], 0, hessian);
  detail::add_length_hessian(after, slopes[3], 3, hessian);
}

}  // namespace rodeo::der
