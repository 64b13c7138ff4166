#include "stop_criteria.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rodeo {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double largest_growth = 1e4;
constexpr double largest_condition = 1e14;
constexpr std::size_t longest_history = 20000;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The median of the newest three tenths is not below that of the oldest three tenths.
bool no_better(const std::deque<double>& history, std::size_t length) {
  const auto part = static_cast<std::ptrdiff_t>(0.3 * static_cast<double>(length));
  const auto start = history.end() - static_cast<std::ptrdiff_t>(length);
  return median_of({history.end() - part, history.end()}) >= median_of({start, start + part});
}

double generations_per_population(const CmaEs& search) {
  return 30.0 * static_cast<double>(search.mean().size()) / search.population();
}

/// Whether adding a tenth of a standard deviation along one axis, another each generation, changes nothing.
bool axis_without_effect(const CmaEs& search) {
  const Index k = search.generation() % search.mean().size();
  const VectorXd moved = search.mean() + 0.1 * search.sigma() * search.covariance().axis(k);
  return moved == search.mean();
}

bool coordinate_without_effect(const CmaEs& search, const VectorXd& deviations) {
  const VectorXd moved = search.mean() + 0.2 * search.sigma() * deviations;
  return (moved.array() == search.mean().array()).any();
}

}  // namespace

StopCriteria::StopCriteria(const CmaEs& search, const StopTolerances& tolerances)
    : tolerances_(tolerances), first_sigma_(search.sigma()) {}

bool StopCriteria::within_tolerance(const CmaEs& search, std::span<const double> sorted,
                                    double tolerance) const {
  const auto length = static_cast<std::ptrdiff_t>(10.0 + std::ceil(generations_per_population(search)));
  if (std::ssize(best_) < length) return false;
  const auto [least, greatest] = std::minmax_element(best_.end() - length, best_.end());
  const double low = sorted.empty() ? *least : std::min(*least, sorted.front());
  const double high = sorted.empty() ? *greatest : std::max(*greatest, sorted.back());
  return high - low < tolerance;
}

bool StopCriteria::stagnates(const CmaEs& search) const {
  const auto least = static_cast<std::size_t>(120.0 + generations_per_population(search));
  const auto fifth = static_cast<std::size_t>(0.2 * search.generation());
  const std::size_t length = std::min(std::max(least, fifth), longest_history);
  return best_.size() >= length && no_better(best_, length) && no_better(median_, length);
}

StopReason StopCriteria::after(const CmaEs& search, std::span<const double> fitness) {
  std::vector<double> sorted;
  for (const double value : fitness) {
    if (!std::isnan(value)) sorted.push_back(value);
  }
  std::ranges::sort(sorted);
  best_.push_back(sorted.front());
  median_.push_back(sorted[sorted.size() / 2]);
  if (best_.size() > longest_history) {
    best_.pop_front();
    median_.pop_front();
  }

  const VectorXd deviations = search.covariance().variances().cwiseSqrt();
  const VectorXd eigenvalues = search.covariance().eigenvalues();
  const double shortest = eigenvalues[0];
  const double longest = eigenvalues[eigenvalues.size() - 1];
  const double largest_deviation = std::max(deviations.maxCoeff(), search.path().cwiseAbs().maxCoeff());
  if (within_tolerance(search, sorted, tolerances_.fitness)) return StopReason::tolfun;
  if (within_tolerance(search, {}, 0.1 * tolerances_.fitness)) return StopReason::tolfunhist;
  if (search.sigma() * largest_deviation < tolerances_.x * first_sigma_) return StopReason::tolx;
  if (search.sigma() * std::sqrt(longest) > largest_growth * first_sigma_) return StopReason::tolxup;
  if (longest > largest_condition * shortest) return StopReason::condition;
  if (axis_without_effect(search)) return StopReason::noeffectaxis;
  if (coordinate_without_effect(search, deviations)) return StopReason::noeffectcoord;
  if (stagnates(search)) return StopReason::stagnation;
  return StopReason::none;
}

}  // namespace rodeo
