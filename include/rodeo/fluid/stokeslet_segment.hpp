#pragma once

#include <cmath>

namespace rodeo::fluid {

/// A straight segment of regularised Stokeslets (Cortez 2018, J. Comput. Phys. 375, 783) from y0 to y1, whose
/// force per length goes linearly from one end to the other.
///
/// With v = y0 - y1, l = |v|, x(s) = x - y0 + s v and R = sqrt(|x(s)|^2 + eps^2), a force f0 at y0 and f1 at
/// y1, shared out over the segment as (1 - s) f0 + s f1, moves the fluid at x with the velocity u,
///   8 pi mu u = M1 f0 + M2 f1,  M1 = K_0/2 - K_1,  M2 = K_0/2 + K_1,
///   K_m = integral over s from 0 to 1 of (s - 1/2)^m [(1/R + eps^2/R^3) I + x(s) x(s)'/R^3].
/// In the sum S of the distances R_0, R_1 from its ends the integrals have no differences of nearly equal
/// numbers but one, which is bounded by rounding of the whole. With x_m = x(1/2), p = x_m.v, q = l/S, h =
/// (atanh q - q)/q^3 and a = -p/S^2,
///   K_0 = (2/S + l^2 e + eps^2 g) I + g w w' + e v v',        w = x_m + a v,
///   K_1 = a (S^2 e + eps^2 g) I + w z' + z w' + c v v',       z = a g w/2 + e v,
///   g = 2 S/(R_0 R_1 (S^2 - l^2)),  e = 2 h/S^3,  c = 2 a (3 h - 1 - 2 q^2 h)/(S l^2).
/// (The recursions of the paper give the same with s counted from y0.)
struct StokesletSegment {
  double x, y, z;         ///< v, m
  double length;          ///< l, m
  double length_squared;  ///< m^2
  double regularization;  ///< eps^2, m^2
  double first_weight;    ///< factor of M1
  double last_weight;     ///< factor of M2
};

/// Terms of the distances of a point from a segment.
struct SegmentDistances {
  double inverse_sum;    ///< 1/S, 1/m
  double ratio_squared;  ///< q^2, in [0, 1)
  double cube;           ///< g, 1/m^3
  double inverse_last;   ///< 1/R_1, 1/m
};

inline SegmentDistances segment_distances(const StokesletSegment& segment, double first, double inverse_first,
                                          double last) {
  const double sum = first + last;
  const double difference = (sum - segment.length) * (sum + segment.length);  // S^2 - l^2
  const double inverse = 1.0 / (last * sum * difference);                     // one division for three
  const double inverse_last = inverse * (sum * difference);
  const double inverse_sum = inverse * (last * difference);
  return {inverse_sum, segment.length_squared * inverse_sum * inverse_sum,
          2.0 * (sum * sum) * (inverse * last) * (inverse_first * inverse_last), inverse_last};
}

/// Sum of the first terms of h = 1/3 + q^2/5 + q^4/7 + ... by q^2.
template <int Terms, int Term = 1>
constexpr double atanh_excess_series(double square) {
  constexpr double coefficient = 1.0 / (2 * Term + 1);
  if constexpr (Term == Terms) {
    return coefficient;
  } else {
    return coefficient + square * atanh_excess_series<Terms, Term + 1>(square);
  }
}

// Truncation errors of the series are below 1e-17 up to these squares, for points at least 3.5 l and 0.9 l
// from both ends of a segment.
inline constexpr int few_terms = 9;
inline constexpr int many_terms = 18;
inline constexpr double most_for_few_terms = 1.0 / 64.0;
inline constexpr double most_for_many_terms = 1.0 / 8.0;

/// Closed form of h, for points near a segment.
inline double atanh_excess(double square) {
  const double q = std::sqrt(square);
  return (std::atanh(q) - q) / (q * square);
}

/// A symmetric matrix: xx, yy, zz, xy, xz, yz.
inline constexpr int symmetric_size = 6;

/// Matrices M1 and M2 with their weights, 1/m.
struct SegmentMobility {
  double first[symmetric_size];
  double last[symmetric_size];
};

/// For a point whose place relative to the middle of the segment is x_m, with its distances and h.
inline SegmentMobility segment_mobility(const StokesletSegment& v, double x, double y, double z,
                                        double inverse_sum, double ratio_squared, double cube, double h) {
  const double along = x * v.x + y * v.y + z * v.z;
  const double a = -along * inverse_sum * inverse_sum;
  const double e = 2.0 * h * (inverse_sum * inverse_sum * inverse_sum);
  const double c = 2.0 * a * inverse_sum * (3.0 * h - 1.0 - 2.0 * ratio_squared * h) / v.length_squared;
  const double wx = x + a * v.x;
  const double wy = y + a * v.y;
  const double wz = z + a * v.z;
  const double ex = e * v.x;
  const double ey = e * v.y;
  const double ez = e * v.z;
  const double gx = cube * wx;
  const double gy = cube * wy;
  const double gz = cube * wz;
  const double zx = 0.5 * a * gx + ex;
  const double zy = 0.5 * a * gy + ey;
  const double zz = 0.5 * a * gz + ez;
  const double zeroth = 2.0 * inverse_sum + v.length_squared * e + v.regularization * cube;
  const double first = -along * e + v.regularization * a * cube;
  const double even[symmetric_size] = {zeroth + gx * wx + ex * v.x, zeroth + gy * wy + ey * v.y,
                                       zeroth + gz * wz + ez * v.z, gx * wy + ex * v.y,
                                       gx * wz + ex * v.z,          gy * wz + ey * v.z};
  const double odd[symmetric_size] = {
      first + 2.0 * wx * zx + c * v.x * v.x, first + 2.0 * wy * zy + c * v.y * v.y,
      first + 2.0 * wz * zz + c * v.z * v.z, wx * zy + wy * zx + c * v.x * v.y,
      wx * zz + wz * zx + c * v.x * v.z,     wy * zz + wz * zy + c * v.y * v.z};
  SegmentMobility mobility;
  for (int k = 0; k < symmetric_size; ++k) {
    mobility.first[k] = v.first_weight * (0.5 * even[k] - odd[k]);
    mobility.last[k] = v.last_weight * (0.5 * even[k] + odd[k]);
  }
  return mobility;
}

}  // namespace rodeo::fluid
