#pragma once

#include <array>
#include <cmath>
#include <functional>

#include <Eigen/Core>

namespace rodeo::tangent {

/// The limit of a central difference, with its errors in h^2 and h^4 removed.
template <class Real, class Difference>
double richardson(const Difference& difference) {
  constexpr Real h = static_cast<Real>(4e-3L);
  const Real a = difference(h);
  const Real b = difference(h / 2);
  const Real c = difference(h / 4);
  const Real ab = b + (b - a) / 3;
  const Real bc = c + (c - b) / 3;
  return static_cast<double>(bc + (bc - ab) / 15);
}

/// Derivatives of an energy at zero, by central differences in long double with two extrapolations: to some
/// 1e-12.
template <int size>
struct FiniteDifferences {
  using Arguments = std::array<long double, size>;
  using Energy = std::function<long double(const Arguments&)>;

  Energy energy;

  Eigen::VectorXd gradient() const {
    Eigen::VectorXd g(size);
    for (int i = 0; i < size; ++i) {
      g(i) = richardson<long double>([&](long double h) {
        Arguments a{};
        a[static_cast<std::size_t>(i)] = h;
        const long double plus = energy(a);
        a[static_cast<std::size_t>(i)] = -h;
        return (plus - energy(a)) / (2 * h);
      });
    }
    return g;
  }

  Eigen::MatrixXd hessian() const {
    Eigen::MatrixXd result(size, size);
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j <= i; ++j) {
        result(i, j) = richardson<long double>([&](long double h) {
          const auto at = [&](int a, int b) {
            Arguments x{};
            x[static_cast<std::size_t>(i)] += a * h;
            x[static_cast<std::size_t>(j)] += b * h;
            return energy(x);
          };
          return (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h * h);
        });
        result(j, i) = result(i, j);
      }
    }
    return result;
  }
};

/// Vectors and rotations in long double, by closed forms of their own.
using LongVec3 = std::array<long double, 3>;
using LongQuaternion = std::array<long double, 4>;

inline LongQuaternion product(const LongQuaternion& a, const LongQuaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}
inline LongQuaternion inverse(const LongQuaternion& q) { return {q[0], -q[1], -q[2], -q[3]}; }
inline LongQuaternion exponential(const LongVec3& v) {
  const long double angle = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const long double s = angle > 0 ? std::sin(angle / 2) / angle : 0.5L;
  return {std::cos(angle / 2), s * v[0], s * v[1], s * v[2]};
}
inline LongVec3 logarithm(const LongQuaternion& q) {
  const long double sine = std::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const long double sign = q[0] < 0 ? -1 : 1;
  const long double s = sine > 0 ? sign * 2 * std::atan2(sine, sign * q[0]) / sine : 2.0L;
  return {s * q[1], s * q[2], s * q[3]};
}
/// R' v.
inline LongVec3 to_body(const LongQuaternion& q, const LongVec3& v) {
  const LongQuaternion turned = product(product(inverse(q), {0, v[0], v[1], v[2]}), q);
  return {turned[1], turned[2], turned[3]};
}

}  // namespace rodeo::tangent
