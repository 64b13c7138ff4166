#pragma once

#include <random>

#include <Eigen/Core>

#include "rodeo/math/matrix3.hpp"

namespace rodeo::tangent {

/// Random numbers of tests.
class Draws {
 public:
  explicit Draws(unsigned seed) : generator_(seed) {}
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(generator_); }
  Vec3 vec3(double size) { return {between(-size, size), between(-size, size), between(-size, size)}; }
  Vec3 unit() {
    for (;;) {
      const Vec3 v = vec3(1.0);
      if (norm(v) > 0.1 && norm(v) < 1.0) return normalized(v);
    }
  }
  Quaternion orientation() { return rotation(between(0.0, 3.1) * unit()); }

 private:
  std::mt19937 generator_;
};

inline Eigen::Vector3d eigen(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Eigen::Matrix3d eigen(const Matrix3& a) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = a(i, j);
  }
  return m;
}

/// Two vectors as one, and blocks as a symmetric matrix.
inline Eigen::VectorXd joined(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  Eigen::VectorXd v(6);
  v.segment<3>(0) = a;
  v.segment<3>(3) = b;
  return v;
}
inline Eigen::MatrixXd joined(const Eigen::Matrix3d& aa, const Eigen::Matrix3d& ba,
                              const Eigen::Matrix3d& bb) {
  Eigen::MatrixXd m(6, 6);
  m.block<3, 3>(0, 0) = aa;
  m.block<3, 3>(3, 0) = ba;
  m.block<3, 3>(0, 3) = ba.transpose();
  m.block<3, 3>(3, 3) = bb;
  return m;
}

}  // namespace rodeo::tangent
