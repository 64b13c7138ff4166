#include "rodeo/math/matrix3.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace rodeo {
namespace {

constexpr Matrix3 a_matrix3 = {{0.3, -1.2, 2.0}, {4.0, 0.7, -0.1}, {-2.5, 0.4, 1.1}};
constexpr Matrix3 b_matrix3 = {{1.3, 0.2, -0.6}, {-0.4, 2.7, 0.9}, {0.5, -1.4, 0.8}};
constexpr Vec3 a_vec3 = {0.6, -1.7, 2.9};
constexpr Vec3 b_vec3 = {-0.2, 0.8, 1.6};

Eigen::Vector3d eigen_of(const Vec3& v) { return {v.x, v.y, v.z}; }
Eigen::Matrix3d eigen_of(const Matrix3& a) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = a(i, j);
  }
  return m;
}

TEST(Matrix3, OperationsAreThoseOfLinearAlgebra) {
  const Eigen::Matrix3d a = eigen_of(a_matrix3);
  const Eigen::Matrix3d b = eigen_of(b_matrix3);
  const Eigen::Vector3d u = eigen_of(a_vec3);
  const Eigen::Vector3d v = eigen_of(b_vec3);
  const auto expect = [](const auto& result, const auto& expected) {
    EXPECT_LT((eigen_of(result) - expected).norm(), 1e-14);
  };
  expect(a_matrix3 + b_matrix3, a + b);
  expect(a_matrix3 - b_matrix3, a - b);
  expect(2.5 * a_matrix3, 2.5 * a);
  expect(a_matrix3 * b_matrix3, a * b);
  expect(a_matrix3 * a_vec3, a * u);
  expect(a_vec3 * a_matrix3, a.transpose() * u);
  expect(transpose(a_matrix3), a.transpose());
  expect(symmetric_part(a_matrix3), (a + a.transpose()) / 2);
  expect(outer(a_vec3, b_vec3), u * v.transpose());
  expect(cross_matrix(a_vec3) * b_vec3, u.cross(v));
}

TEST(Matrix3, OfAFrameTakesBodyToLaboratoryComponents) {
  const Directors d = directors(rotation({0.4, -1.1, 0.7}));
  const Matrix3 r = to_laboratory_matrix(d);
  EXPECT_LT(norm(r * a_vec3 - d.to_laboratory(a_vec3)), 1e-15);
  EXPECT_LT((eigen_of(r) * eigen_of(r).transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-15);
}

}  // namespace
}  // namespace rodeo
