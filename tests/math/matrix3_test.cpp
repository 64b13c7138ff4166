#include "rodeo/math/matrix3.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace rodeo {
namespace {

constexpr Matrix3 some_matrix = {{0.3, -1.2, 2.0}, {4.0, 0.7, -0.1}, {-2.5, 0.4, 1.1}};
constexpr Matrix3 other_matrix = {{1.3, 0.2, -0.6}, {-0.4, 2.7, 0.9}, {0.5, -1.4, 0.8}};
constexpr Vec3 some_vector = {0.6, -1.7, 2.9};
constexpr Vec3 other_vector = {-0.2, 0.8, 1.6};

Eigen::Vector3d as_eigen(const Vec3& v) { return {v.x, v.y, v.z}; }
Eigen::Matrix3d as_eigen(const Matrix3& a) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = a(i, j);
  }
  return m;
}

TEST(Matrix3, OperationsAreThoseOfLinearAlgebra) {
  const Eigen::Matrix3d a = as_eigen(some_matrix);
  const Eigen::Matrix3d b = as_eigen(other_matrix);
  const Eigen::Vector3d u = as_eigen(some_vector);
  const Eigen::Vector3d v = as_eigen(other_vector);
  const auto expect = [](const auto& result, const auto& expected) {
    EXPECT_LT((as_eigen(result) - expected).norm(), 1e-14);
  };
  expect(some_matrix + other_matrix, a + b);
  expect(some_matrix - other_matrix, a - b);
  expect(2.5 * some_matrix, 2.5 * a);
  expect(some_matrix * other_matrix, a * b);
  expect(some_matrix * some_vector, a * u);
  expect(some_vector * some_matrix, a.transpose() * u);
  expect(transpose(some_matrix), a.transpose());
  expect(symmetric_part(some_matrix), (a + a.transpose()) / 2);
  expect(outer(some_vector, other_vector), u * v.transpose());
  expect(cross_matrix(some_vector) * other_vector, u.cross(v));
}

TEST(Matrix3, OfAFrameTakesBodyToLaboratoryComponents) {
  const Directors d = directors(rotation({0.4, -1.1, 0.7}));
  const Matrix3 r = to_laboratory_matrix(d);
  EXPECT_LT(norm(r * some_vector - d.to_laboratory(some_vector)), 1e-15);
  EXPECT_LT((as_eigen(r) * as_eigen(r).transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-15);
}

}  // namespace
}  // namespace rodeo
