#include "correlation.hpp"

#include <algorithm>
#include <string>

#include <Eigen/Cholesky>

#include "normal_distribution.hpp"

namespace rodeo {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Key key = "study.correlation"_key;

/// No normal number is at a coordinate of 0 or 1.
constexpr double least_coordinate = 0x1p-34;

VectorXd normal_numbers(std::span<const double> coordinates) {
  VectorXd numbers(static_cast<Index>(coordinates.size()));
  for (Index k = 0; k < numbers.size(); ++k) {
    const double coordinate = coordinates[static_cast<std::size_t>(k)];
    numbers[k] = normal_quantile(std::clamp(coordinate, least_coordinate, 1.0 - least_coordinate));
  }
  return numbers;
}

void take_probabilities(const VectorXd& numbers, std::span<double> coordinates) {
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    coordinates[k] = normal_probability(numbers[static_cast<Index>(k)]);
}

}  // namespace

Correlation::Correlation(const Deck& deck, const std::vector<std::vector<ParameterAddress>>& drawn) {
  const std::vector<CorrelatedPair> pairs = deck.correlated_pairs();
  if (pairs.empty()) return;
  const auto place_of = [&](std::size_t line, const ParameterAddress& address) {
    const auto found = std::ranges::find_if(
        drawn, [&](const auto& together) { return std::ranges::count(together, address) > 0; });
    if (found != drawn.end()) return static_cast<Index>(found - drawn.begin());
    std::string names;
    for (const std::vector<ParameterAddress>& together : drawn)
      names.append(names.empty() ? "" : ", ").append(together.front().name());
    throw DeckError(deck.places(key)[line] + ": study.correlation: " + address.name() +
                    " is none of what the study draws: " + (names.empty() ? "nothing" : names));
  };
  const auto size = static_cast<Index>(drawn.size());
  matrix_ = MatrixXd::Identity(size, size);
  for (std::size_t line = 0; line < pairs.size(); ++line) {
    const Index first = place_of(line, pairs[line].first);
    const Index second = place_of(line, pairs[line].second);
    if (first == second) {
      throw DeckError(deck.places(key)[line] + ": study.correlation: " + pairs[line].first.name() + " and " +
                      pairs[line].second.name() + " move together already");
    }
    matrix_(first, second) = matrix_(second, first) = pairs[line].coefficient;
  }
  const Eigen::LLT<MatrixXd> cholesky(matrix_);
  if (cholesky.info() != Eigen::Success) {
    throw deck.error(key,
                     "no numbers have such coefficients: two that both go along with a third cannot go "
                     "against each other");
  }
  factor_ = cholesky.matrixL();
  precision_ = cholesky.solve(MatrixXd::Identity(size, size));
}

std::vector<std::vector<ParameterAddress>> each_alone(std::span<const RandomParameter> parameters) {
  std::vector<std::vector<ParameterAddress>> addresses;
  for (const RandomParameter& parameter : parameters) addresses.push_back({parameter.address});
  return addresses;
}

void Correlation::apply(std::span<double> coordinates) const {
  if (any()) take_probabilities(factor_ * normal_numbers(coordinates), coordinates);
}

void Correlation::share(std::span<double> other, std::span<const double> point, std::size_t shared,
                        bool alone) const {
  // Normal numbers deviate from their mean given some of them independently of the values of these.
  const auto k = static_cast<Index>(shared);
  VectorXd numbers = factor_ * normal_numbers(other);
  const VectorXd difference = factor_ * normal_numbers(point) - numbers;
  if (alone) {
    numbers += matrix_.col(k) * difference[k];
  } else {
    numbers += difference;
    numbers[k] -= precision_.row(k).dot(difference) / precision_(k, k);
  }
  take_probabilities(factor_.triangularView<Eigen::Lower>().solve(numbers), other);
}

}  // namespace rodeo
