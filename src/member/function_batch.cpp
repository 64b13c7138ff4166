#include "rodeo/member/function_batch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rodeo/math/formula.hpp"
#include "rodeo/math/random.hpp"
#include "rodeo/observe/observables.hpp"

namespace rodeo {

namespace {

double square(double a) { return a * a; }

/// Sum of weight(i) x_i^2.
template <class Weight>
double weighted_squares(const std::vector<double>& x, const Weight& weight) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += weight(i) * square(x[i]);
  return sum;
}

double rosenbrock(const std::vector<double>& x) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    sum += 100.0 * square(square(x[i]) - x[i + 1]) + square(1.0 - x[i]);
  }
  return sum;
}

double rastrigin(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double xi : x) sum += 10.0 + square(xi) - 10.0 * std::cos(2.0 * std::numbers::pi * xi);
  return sum;
}

/// Numbers of a member, uniform in [0, 1).
struct Draws {
  double noise;
  double wait;
  double of_normal[2];
};

Draws draw(std::uint64_t seed) {
  double uniform[4];
  RandomStream{seed, RandomUse::function}.uniform(0, uniform);
  return {uniform[0], uniform[1], {uniform[2], uniform[3]}};
}

std::vector<double> waits_of(std::span<const MemberJob> jobs) {
  std::vector<double> seconds;
  for (const MemberJob& job : jobs) {
    const FunctionSpec& function = job.spec.function;
    seconds.push_back(function.seconds * (1.0 + (function.slowest - 1.0) * draw(job.seed).wait));
  }
  return seconds;
}

/// A measure of a member whose function value, and the measures before this one, are known. All that it may
/// name besides is the function value.
double value_of(const MeasureSpec& measure, std::span<const double> known) {
  const std::span<const double> earlier = known.subspan(1);
  Expression expression(measure.formula, earlier.size() + measure.reductions.size());
  std::ranges::fill(expression.variables(), known.front());
  std::ranges::copy(earlier, expression.variables().begin());
  return expression.value();
}

/// The value without the noise that is added.
double plain_value(const FunctionSpec& function, const Draws& draws) {
  const std::vector<double>& x = function.x;
  switch (function.kind) {
    case FunctionKind::sphere:
      return weighted_squares(x, [](std::size_t) { return 1.0; });
    case FunctionKind::ellipsoid: {
      const double last = std::max(1.0, static_cast<double>(x.size()) - 1.0);
      return weighted_squares(x, [&](std::size_t i) { return std::pow(1e6, static_cast<double>(i) / last); });
    }
    case FunctionKind::rosenbrock:
      return rosenbrock(x);
    case FunctionKind::rastrigin:
      return rastrigin(x);
    case FunctionKind::cigar:
      return weighted_squares(x, [](std::size_t i) { return i == 0 ? 1.0 : 1e6; });
    case FunctionKind::tablet:
      return weighted_squares(x, [](std::size_t i) { return i == 0 ? 1e6 : 1.0; });
    case FunctionKind::noise:
      break;
  }
  return draws.noise;
}

}  // namespace

double function_value(const FunctionSpec& function, std::uint64_t seed) {
  const Draws draws = draw(seed);
  const double value = plain_value(function, draws);
  if (function.deviation == 0.0) return value;
  return value + function.deviation * normal_pair(draws.of_normal[0], draws.of_normal[1])[0];
}

FunctionBatch::FunctionBatch(std::span<const MemberJob> jobs)
    : WaitingBatch(waits_of(jobs), jobs.front().spec.measures.size()) {
  for (const MemberJob& job : jobs) {
    std::vector<double>& values =
        values_.emplace_back(std::vector{function_value(job.spec.function, job.seed)});
    for (const MeasureSpec& measure : job.spec.measures) values.push_back(value_of(measure, values));
  }
}

void FunctionBatch::finish(std::size_t member, MemberOutcome& outcome) const {
  constexpr std::size_t index = observable_index(observe::function_value.name);
  const std::span<const double> values = values_[member];
  outcome.observables[index] = values.front();
  std::ranges::copy(values.subspan(1), outcome.observables.begin() + observables.size());
  outcome.status = std::isfinite(values.front()) ? MemberStatus::done : MemberStatus::diverged;
}

}  // namespace rodeo
