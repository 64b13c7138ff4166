#pragma once

#include <span>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

#include "orthonormal_polynomials.hpp"

namespace rodeo {

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
