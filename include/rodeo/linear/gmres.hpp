#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace rodeo {

// Functions of vectors of equal length. The order of sums is fixed: neither the compiler nor the place of
// entries in memory changes a result.

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  const std::size_t whole = a.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (std::size_t i = whole; i < a.size(); ++i) sums[i - whole] += a[i] * b[i];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

inline double norm(const std::vector<double>& a) { return std::sqrt(dot(a, a)); }

/// y <- y + factor x
inline void add(double factor, const std::vector<double>& x, std::vector<double>& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

/// y <- x - y
inline void subtract_from(const std::vector<double>& x, std::vector<double>& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] - y[i];
}

inline void scale(double factor, std::vector<double>& v) {
  for (double& entry : v) entry *= factor;
}

/// result <- L vector, for a linear map L.
using LinearMap = std::function<void(const std::vector<double>& vector, std::vector<double>& result)>;

struct GmresOutcome {
  bool converged = false;
  int iterations = 0;  ///< matrix products, not counting the one for the first residual
};

/// The generalised minimal residual method (Saad & Schultz 1986) for A x = b, preconditioned from the right,
/// so that the residual it minimises is that of the system itself. For systems that a good preconditioner
/// solves in a few iterations: no restarts. Eigen's GMRES stops by the residual relative to the first one,
/// with which a good first guess saves nothing.
class Gmres {
 public:
  Gmres(std::size_t size, int most_iterations);

  /// Improves x until |b - A x| <= tolerance |b|; `inverse` is about A^-1. Without convergence x is the best
  /// that was found.
  GmresOutcome solve(const LinearMap& matrix, const LinearMap& inverse, const std::vector<double>& b,
                     double tolerance, std::vector<double>& x);

  /// Improves x from the known residual b - A x, which must be in residual(), until its norm is at most
  /// `goal`.
  GmresOutcome improve(const LinearMap& matrix, const LinearMap& inverse, double goal,
                       std::vector<double>& x);
  std::vector<double>& residual() { return basis_.front(); }

 private:
  void orthogonalise(int column);
  void rotate(int column);
  void add_to(std::vector<double>& x, int columns) const;
  double& hessenberg(int i, int j);
  double hessenberg(int i, int j) const;

  int most_iterations_;
  std::vector<std::vector<double>> basis_;           ///< orthonormal
  std::vector<std::vector<double>> preconditioned_;  ///< inverse of each vector of the basis
  std::vector<double> hessenberg_;                   ///< upper triangle, as rotations make it
  std::vector<double> cosines_;
  std::vector<double> sines_;
  std::vector<double> right_;  ///< right-hand side of the least-squares problem
};

}  // namespace rodeo
