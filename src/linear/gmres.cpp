#include "rodeo/linear/gmres.hpp"

#include <cmath>

namespace rodeo {

Gmres::Gmres(std::size_t size, int most_iterations)
    : most_iterations_(most_iterations),
      basis_(static_cast<std::size_t>(most_iterations) + 1, std::vector<double>(size)),
      preconditioned_(static_cast<std::size_t>(most_iterations), std::vector<double>(size)),
      hessenberg_(basis_.size() * basis_.size()),
      cosines_(basis_.size()),
      sines_(basis_.size()),
      right_(basis_.size()) {}

double& Gmres::hessenberg(int i, int j) {
  return hessenberg_[static_cast<std::size_t>(j) * basis_.size() + static_cast<std::size_t>(i)];
}

double Gmres::hessenberg(int i, int j) const {
  return hessenberg_[static_cast<std::size_t>(j) * basis_.size() + static_cast<std::size_t>(i)];
}

GmresOutcome Gmres::solve(const LinearMap& matrix, const LinearMap& inverse, const std::vector<double>& b,
                          double tolerance, std::vector<double>& x) {
  matrix(x, residual());
  subtract_from(b, residual());
  return improve(matrix, inverse, tolerance * norm(b), x);
}

GmresOutcome Gmres::improve(const LinearMap& matrix, const LinearMap& inverse, double goal,
                            std::vector<double>& x) {
  const double first = norm(residual());
  if (!(first > goal)) return {first <= goal, 0};  // NaN compares as not above the goal
  scale(1.0 / first, residual());
  right_.front() = first;
  for (int k = 0; k < most_iterations_; ++k) {
    const auto column = static_cast<std::size_t>(k);
    inverse(basis_[column], preconditioned_[column]);
    matrix(preconditioned_[column], basis_[column + 1]);
    orthogonalise(k);
    rotate(k);
    const double left = std::abs(right_[column + 1]);
    if (!std::isfinite(left)) return {false, k + 1};
    if (left <= goal || k + 1 == most_iterations_) {
      add_to(x, k + 1);
      return {left <= goal, k + 1};
    }
  }
  return {false, 0};
}

/// Orthogonalises by modified Gram-Schmidt.
void Gmres::orthogonalise(int column) {
  std::vector<double>& next = basis_[static_cast<std::size_t>(column) + 1];
  for (int i = 0; i <= column; ++i) {
    const std::vector<double>& before = basis_[static_cast<std::size_t>(i)];
    hessenberg(i, column) = dot(next, before);
    add(-hessenberg(i, column), before, next);
  }
  const double length = norm(next);
  hessenberg(column + 1, column) = length;
  if (length == 0.0) return;  // the solution lies in the space so far
  scale(1.0 / length, next);
}

/// Makes the last column of the Hessenberg matrix upper triangular by Givens rotations.
void Gmres::rotate(int column) {
  for (int i = 0; i < column; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double upper = hessenberg(i, column);
    const double lower = hessenberg(i + 1, column);
    hessenberg(i, column) = cosines_[k] * upper + sines_[k] * lower;
    hessenberg(i + 1, column) = cosines_[k] * lower - sines_[k] * upper;
  }
  const auto k = static_cast<std::size_t>(column);
  const double length = std::hypot(hessenberg(column, column), hessenberg(column + 1, column));
  cosines_[k] = hessenberg(column, column) / length;
  sines_[k] = hessenberg(column + 1, column) / length;
  hessenberg(column, column) = length;
  right_[k + 1] = -sines_[k] * right_[k];
  right_[k] *= cosines_[k];
}

/// Adds the combination of the first columns that makes the residual smallest.
void Gmres::add_to(std::vector<double>& x, int columns) const {
  std::vector<double> weights(right_.begin(), right_.begin() + columns);
  for (int i = columns - 1; i >= 0; --i) {
    const auto k = static_cast<std::size_t>(i);
    for (int j = i + 1; j < columns; ++j)
      weights[k] -= hessenberg(i, j) * weights[static_cast<std::size_t>(j)];
    weights[k] /= hessenberg(i, i);
    add(weights[k], preconditioned_[k], x);
  }
}

}  // namespace rodeo
