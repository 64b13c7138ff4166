#pragma once

#include <array>
#include <span>

namespace rodeo {

/// Polynomials p_0 = 1, p_1, ... of each degree that are orthonormal for a distribution, by their three-term
/// recurrence: root_(k+1) p_(k+1)(x) = (x - centre_k) p_k(x) - root_k p_(k-1)(x).
class OrthonormalPolynomials {
 public:
  static constexpr int most_degree = 20;

  /// For numbers uniform in [-1, 1] (Legendre's).
  static OrthonormalPolynomials of_uniform();

  /// For standard normal numbers (Hermite's).
  static OrthonormalPolynomials of_normal();

  /// For standard normal numbers between two bounds, either of which may be infinite: by the Stieltjes
  /// procedure (Gautschi 2004).
  static OrthonormalPolynomials of_normal_between(double lower, double upper);

  /// p_0(x), p_1(x), ... as many as there is room for, at most most_degree + 1.
  void values(double x, std::span<double> polynomials) const;

 private:
  std::array<double, most_degree + 1> centre_{};
  std::array<double, most_degree + 1> root_{};  ///< the first one is not used
};

}  // namespace rodeo
