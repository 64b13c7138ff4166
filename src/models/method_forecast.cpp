#include "rodeo/models/method_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/rod/bending_mode.hpp"

namespace rodeo {

namespace {

/// Steps of generalized_alpha in a period that leave an error of 1e-3 after it (inputs/validation/README.md).
constexpr double steps_in_period = 450.0;

/// The period of a rod's slowest bending, s; where damping is so strong that it does not swing, the time in
/// which it comes back, times 2 pi.
double bending_period(const MemberSpec& one) {
  const RodSpec& rod = one.rod;
  const double line_mass = rod.density * std::numbers::pi * rod.radius * rod.radius;
  const double rate =
      slowest_bending_frequency(rod, BeamEnd::of(one.boundary.first), BeamEnd::of(one.boundary.last));
  const double damping = rod.damping / line_mass + rod.damping_rate;
  return 2.0 * std::numbers::pi / rate * std::max(1.0, damping / rate);
}

/// Shortest period of what moves the rods as a whole, s.
double motion_period(const MemberSpec& spec) {
  double period = std::numeric_limits<double>::infinity();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const MemberSpec one = rod_alone(spec, k);
    period = std::min(period, bending_period(one));
    if (one.muscle.period > 0.0) period = std::min(period, one.muscle.period);
    if (one.load.frequency > 0.0) period = std::min(period, 1.0 / one.load.frequency);
  }
  return period;
}

MethodCost cost_of(MemberSpec spec, TimeMethod method, double step) {
  const double end = spec.time.step * static_cast<double>(spec.time.steps);
  if (method != spec.method || (method == TimeMethod::dynamic && step < spec.time.step)) {
    spec.time.steps = static_cast<std::int64_t>(std::clamp(std::ceil(end / step), 1.0, 1e15));
    spec.time.step = end / static_cast<double>(spec.time.steps);
    spec.method = method;
    spec.scheme = TimeScheme::generalized_alpha;
  }
  return {1e-9 * predicted_cost(spec), spec.time.step};
}

}  // namespace

std::optional<MethodForecast> forecast_methods(
    const MemberSpec& spec, const std::function<bool(const std::vector<std::string>&)>& allows) {
  constexpr int most_rods = 100;  // that are read again for each method
  if (spec.model != ModelKind::cosserat || spec.rests() || spec.rod_count() > most_rods) return std::nullopt;
  MethodForecast forecast;
  forecast.is_implicit = !spec.steps_explicitly() && !spec.rests();
  const double end = spec.time.step * static_cast<double>(spec.time.steps);
  if (allows({"time.method=dynamic"})) {
    const double bound = cosserat::step_bounds(spec).all.step;
    forecast.is_stable = spec.steps_explicitly() && spec.time.step <= bound;
    const double step = forecast.is_stable ? spec.time.step : 0.9 * bound;
    forecast.by_explicit = cost_of(spec, TimeMethod::dynamic, step);
  }
  if (allows({"time.method=implicit", "time.scheme=generalized_alpha", "model.section=rigid"})) {
    forecast.period = motion_period(spec);
    const double periods = std::max(1.0, end / forecast.period);  // over which errors add up
    forecast.by_implicit =
        cost_of(spec, TimeMethod::implicit, forecast.period / (steps_in_period * std::sqrt(periods)));
  }
  if (allows({"time.method=static", "model.section=rigid"}))
    forecast.at_rest = cost_of(spec, TimeMethod::equilibrium, end);
  return forecast;
}

}  // namespace rodeo
