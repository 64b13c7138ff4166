#include "rodeo/plan/result.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rodeo {

std::size_t scenarios_counted(std::size_t scenarios, double share) {
  // Rounding must not add a scenario to a share that is a whole number of them.
  const double counted = std::ceil(share * static_cast<double>(scenarios) - 1e-9);
  return static_cast<std::size_t>(std::max(1.0, counted));
}

double Result::over_worst(std::size_t place, double share, bool largest_is_worst) const {
  if (scenarios.empty() || share == 1.0) return observables[place];
  std::vector<double> values;
  for (const std::vector<double>& scenario : scenarios) values.push_back(scenario[place]);
  if (std::ranges::any_of(values, [](double value) { return std::isnan(value); }))
    return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  if (largest_is_worst) std::ranges::reverse(values);
  const std::size_t count = scenarios_counted(values.size(), share);
  double sum = 0.0;
  for (std::size_t k = 0; k < count; ++k) sum += values[k];
  return sum / static_cast<double>(count);
}

void ResultSum::add(MemberStatus status, std::span<const double> observables) {
  const bool well = ended_well(status);
  if (added_ == 0) {
    sums_.status = status;
    sums_.observables.resize(observables.size(), 0.0);
    if (scenarios_ > 1) sums_.scenarios.assign(scenarios_, sums_.observables);
  } else if (!well && ended_well(sums_.status)) {
    sums_.status = status;
  }
  const bool counts = well || (unfinished_branches_ && status == MemberStatus::out_of_points);
  for (std::size_t k = 0; k < sums_.observables.size(); ++k) {
    const double value =
        counts && k < observables.size() ? observables[k] : std::numeric_limits<double>::quiet_NaN();
    sums_.observables[k] += value;
    if (scenarios_ > 1) sums_.scenarios[added_ / (members_ / scenarios_)][k] += value;
  }
  ++added_;
}

Result ResultSum::result(std::uint64_t candidate) const {
  Result result = sums_;
  result.candidate = candidate;
  for (double& observable : result.observables) observable /= members_;
  for (std::vector<double>& scenario : result.scenarios) {
    for (double& observable : scenario) observable /= members_ / scenarios_;
  }
  return result;
}

}  // namespace rodeo
