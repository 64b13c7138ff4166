#include "rank_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rodeo {

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
