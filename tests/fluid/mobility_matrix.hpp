#pragma once

#include <Eigen/Core>

#include "rodeo/fluid/mobility.hpp"

namespace rodeo::fluid {

/// A with the components of each node together.
inline Eigen::MatrixXd matrix_of(const Mobility& mobility) {
  Eigen::MatrixXd matrix(mobility.unknowns(), mobility.unknowns());
  for (int i = 0; i < matrix.rows(); ++i) {
    for (int j = 0; j < matrix.cols(); ++j) matrix(i, j) = mobility.at(i / 3, j / 3, i % 3, j % 3);
  }
  return matrix;
}

inline Eigen::VectorXd vector_of(const NodeVectors& vectors) {
  Eigen::VectorXd vector(3 * vectors.nodes());
  for (int i = 0; i < vector.size(); ++i) vector(i) = vectors.component(i % 3)[i / 3];
  return vector;
}

inline NodeVectors node_vectors(const Eigen::VectorXd& vector) {
  NodeVectors vectors(static_cast<int>(vector.size() / 3));
  for (int i = 0; i < vector.size(); ++i) vectors.component(i % 3)[i / 3] = vector(i);
  return vectors;
}

}  // namespace rodeo::fluid
