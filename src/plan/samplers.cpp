#include "samplers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include <Eigen/Cholesky>
#include <boost/random/sobol.hpp>

#include "rodeo/math/random.hpp"

#include "normal_distribution.hpp"

namespace rodeo {

namespace {

/// Numbers of one axis of a design: the axis is the stream's `member`, so axes are independent.
class AxisRandom {
 public:
  AxisRandom(std::uint64_t seed, std::size_t axis)
      : stream_{member_seed(seed, axis, 0), RandomUse::sampler} {}

  double uniform(std::uint64_t index) const {
    double values[4];
    stream_.uniform(index, values);
    return values[0] + values[1] * 0x1.0p-32;
  }

 private:
  RandomStream stream_;
};

/// Turns over each of the first 16 binary digits by a random bit that the digits before it choose; those
/// behind them, which no two of 2^16 points share, are random.
std::uint32_t scrambled(std::uint32_t digits, std::uint64_t seed) {
  constexpr std::uint32_t nested = 16;
  std::uint32_t result = 0;
  for (std::uint32_t place = 0; place < nested; ++place) {
    const std::uint64_t before = std::uint64_t{digits} >> (32 - place);
    const auto turned = static_cast<std::uint32_t>(member_seed(seed, before, place) & 1);
    result = (result << 1) | (((digits >> (31 - place)) & 1) ^ turned);
  }
  const std::uint64_t rest = member_seed(seed, digits >> nested, nested);
  return (result << nested) | static_cast<std::uint32_t>(rest & 0xffff);
}

/// Points of a Sobol sequence, whose digits `number` makes a coordinate of, with a seed of the axis; `use`
/// keeps the seeds of samplers apart.
template <class Number>
std::vector<double> sobol_points(std::size_t count, std::size_t dimension, std::uint64_t seed,
                                 std::uint32_t use, const Number& number) {
  boost::random::sobol sequence(dimension);
  std::vector<std::uint64_t> seeds(dimension);
  for (std::size_t axis = 0; axis < dimension; ++axis) seeds[axis] = member_seed(seed, axis, use);
  std::vector<double> points(count * dimension);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t axis = 0; axis < dimension; ++axis) {
      // Boost leaves out the origin, without which 2^k points are no net.
      const std::uint64_t bits = i == 0 ? 0 : sequence();
      points[i * dimension + axis] = number(bits, seeds[axis]);
    }
  }
  return points;
}

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Key correlation_key = "study.correlation"_key;

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

std::vector<double> latin_hypercube(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  std::vector<double> points(count * dimension);
  std::vector<std::size_t> cell(count);
  for (std::size_t axis = 0; axis < dimension; ++axis) {
    const AxisRandom random(seed, axis);
    std::iota(cell.begin(), cell.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) {  // Fisher and Yates
      const auto j = static_cast<std::size_t>(random.uniform(i) * static_cast<double>(i));
      std::swap(cell[i - 1], cell[j]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const double inside = random.uniform(count + 1 + i);
      points[i * dimension + axis] = (static_cast<double>(cell[i]) + inside) / static_cast<double>(count);
    }
  }
  return points;
}

std::vector<double> sobol(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  return sobol_points(count, dimension, seed, 1, [](std::uint64_t bits, std::uint64_t shift) {
    return static_cast<double>((bits ^ shift) >> 11) * 0x1.0p-53;
  });
}

std::vector<double> scrambled_sobol(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  return sobol_points(count, dimension, seed, 2, [](std::uint64_t bits, std::uint64_t own) {
    return (scrambled(static_cast<std::uint32_t>(bits >> 32), own) + 0.5) * 0x1.0p-32;
  });
}

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
    throw DeckError(deck.places(correlation_key)[line] + ": study.correlation: " + address.name() +
                    " is none of what the study draws: " + (names.empty() ? "nothing" : names));
  };
  const auto size = static_cast<Index>(drawn.size());
  matrix_ = MatrixXd::Identity(size, size);
  for (std::size_t line = 0; line < pairs.size(); ++line) {
    const Index first = place_of(line, pairs[line].first);
    const Index second = place_of(line, pairs[line].second);
    if (first == second) {
      throw DeckError(deck.places(correlation_key)[line] +
                      ": study.correlation: " + pairs[line].first.name() + " and " +
                      pairs[line].second.name() + " move together already");
    }
    matrix_(first, second) = matrix_(second, first) = pairs[line].coefficient;
  }
  const Eigen::LLT<MatrixXd> cholesky(matrix_);
  if (cholesky.info() != Eigen::Success) {
    throw deck.error(correlation_key,
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

std::vector<double> mean_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    for (std::size_t k = first; k < end; ++k) ranks[order[k]] = 0.5 * static_cast<double>(first + end + 1);
    first = end;
  }
  return ranks;
}

double rank_correlation(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 2) return std::nan("");
  const std::vector<double> ranks_a = mean_ranks(a);
  const std::vector<double> ranks_b = mean_ranks(b);
  const double mean = 0.5 * static_cast<double>(a.size() + 1);
  double covariance = 0.0;
  double variance_a = 0.0;
  double variance_b = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double deviation_a = ranks_a[k] - mean;
    const double deviation_b = ranks_b[k] - mean;
    covariance += deviation_a * deviation_b;
    variance_a += deviation_a * deviation_a;
    variance_b += deviation_b * deviation_b;
  }
  const double product = variance_a * variance_b;
  return product > 0.0 ? covariance / std::sqrt(product) : std::nan("");
}

}  // namespace rodeo
