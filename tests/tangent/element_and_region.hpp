#pragma once

#include <random>

#include <Eigen/Dense>

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
  m << eigen(a.row1).transpose(), eigen(a.row2).transpose(), eigen(a.row3).transpose();
  return m;
}

}  // namespace rodeo::tangent
