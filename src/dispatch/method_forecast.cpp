#include "method_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/input/number_text.hpp"
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
  const double rate = slowest_bending_frequency(rod, one.boundary.first, one.boundary.last);
  const double damping = rod.damping / line_mass + rod.damping_rate;
  return 2.0 * std::numbers::pi / rate * std::max(1.0, damping / rate);
}

/// The shortest of what moves the rods as a whole.
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

/// Whether the deck could have this method instead.
bool allows(const Deck& deck, const std::vector<std::string>& instead) {
  try {
    make_member_spec(Deck::parse(deck.printed(), "deck", instead));
    return true;
  } catch (const DeckError&) {
    return false;
  }
}

MethodCost cost_of(MemberSpec spec, TimeMethod method, double step) {
  const double end = spec.time.step * static_cast<double>(spec.time.steps);
  if (method != spec.method) {
    spec.time.steps = static_cast<std::int64_t>(std::clamp(std::ceil(end / step), 1.0, 1e15));
    spec.time.step = end / static_cast<double>(spec.time.steps);
    spec.method = method;
    spec.scheme = TimeScheme::generalized_alpha;
  }
  return {1e-9 * predicted_cost(spec), spec.time.step};
}

}  // namespace

std::optional<MethodForecast> forecast_methods(const Deck& deck, const MemberSpec& spec) {
  constexpr int most_rods = 100;  // that are read again for each method
  if (spec.model != ModelKind::cosserat || spec.rod_count() > most_rods) return std::nullopt;
  MethodForecast forecast;
  const double end = spec.time.step * static_cast<double>(spec.time.steps);
  if (allows(deck, {"time.method=dynamic"})) {
    const double bound = cosserat::step_bounds(spec).all.step;
    forecast.by_explicit = cost_of(spec, TimeMethod::dynamic, 0.9 * bound);
  }
  if (allows(deck, {"time.method=implicit", "time.scheme=generalized_alpha", "model.section=rigid"})) {
    forecast.period = motion_period(spec);
    const double periods = std::max(1.0, end / forecast.period);  // over which errors add up
    forecast.by_implicit =
        cost_of(spec, TimeMethod::implicit, forecast.period / (steps_in_period * std::sqrt(periods)));
  }
  if (allows(deck, {"time.method=static", "model.section=rigid"}))
    forecast.at_rest = cost_of(spec, TimeMethod::equilibrium, end);
  return forecast;
}

std::vector<std::pair<std::string, std::string>> method_lines(const MethodForecast& forecast,
                                                              TimeMethod own) {
  if (!forecast.by_implicit) return {};
  const bool is_explicit = own == TimeMethod::dynamic;
  const bool is_implicit = own == TimeMethod::implicit;
  const auto in_steps = [](const MethodCost& cost) {
    std::ostringstream text;
    text.precision(2);
    text << ", in steps of " << cost.step << " s";
    return text.str();
  };
  std::vector<std::pair<std::string, std::string>> lines;
  if (const auto& cost = forecast.by_explicit) {
    lines.emplace_back("explicit", format_time(cost->seconds) + " a member or so" + in_steps(*cost) +
                                       (is_explicit ? "" : ": 0.9 of the stable one, whatever the motion"));
  }
  std::string implicit =
      format_time(forecast.by_implicit->seconds) + " or so" + in_steps(*forecast.by_implicit);
  if (!is_implicit)
    implicit += ": for errors of 1e-3 where motion has a period of " + format_time(forecast.period);
  lines.emplace_back("implicit", implicit);
  if (forecast.at_rest)
    lines.emplace_back("static",
                       format_time(forecast.at_rest->seconds) + " or so, for the equilibrium alone");
  lines.emplace_back("cheapest",
                     std::string(forecast.implicit_wins() ? "implicit" : "explicit") +
                         " steps for such motion; explicit ones for what waves of stretch and shear do" +
                         (forecast.at_rest ? "; static where only the rest counts" : ""));
  return lines;
}

}  // namespace rodeo
