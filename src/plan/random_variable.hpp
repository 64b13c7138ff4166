#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

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

/// A parameter of a sensitivity study as a random variable. Its values follow from coordinates in (0, 1),
/// each the probability of smaller values, and from germs, for which there are orthonormal polynomials.
class RandomVariable {
 public:
  explicit RandomVariable(const RandomParameter& parameter);

  double value(double coordinate) const;

  /// Germ of a uniform variable, or of its logarithm: a number in [-1, 1]; of a normal one: the distance from
  /// its mean in standard deviations.
  double germ(double coordinate) const;

  const OrthonormalPolynomials& polynomials() const { return polynomials_; }

  /// "rod.length normal(0.2, 0.01) in [0.15, 0.25]"
  std::string text() const;

 private:
  bool is_normal() const;
  bool is_logarithmic() const;

  RandomParameter parameter_;
  double lower_ = 0.0;  ///< germ at the lower end, may be minus infinity
  double upper_ = 0.0;
  OrthonormalPolynomials polynomials_;
};

/// The text of each line of the deck that gives parameters: "variable.w[0:82] normal(0, 1)".
std::vector<std::string> texts_of(std::span<const RandomParameter> parameters);

}  // namespace rodeo
