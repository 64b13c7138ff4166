#include "method_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/models/models.hpp"

namespace rodeo {

namespace {

/// Steps of generalized_alpha in a period that leave an error of 1e-3 after it (inputs/validation/README.md).
constexpr double steps_in_period = 226.0;

bool turns(EndCondition end) { return end != EndCondition::clamped && end != EndCondition::clamped_sliding; }

/// omega L^2 sqrt(m'/B) of the slowest bending of a beam with such ends that is no motion as a whole.
double bending_number(const BoundarySpec& ends) {
  const bool first = turns(ends.first);
  const bool last = turns(ends.last);
  const bool any_free = ends.first == EndCondition::free || ends.last == EndCondition::free;
  if (!first && !last) return 22.37;
  if (first != last) return any_free ? 3.516 : 15.42;
  if (!any_free) return 9.870;
  return ends.first == ends.last ? 22.37 : 15.42;
}

/// The period of a rod's slowest bending, s; where damping is so strong that it does not swing, the time in
/// which it comes back, times 2 pi.
double bending_period(const MemberSpec& one) {
  const RodSpec& rod = one.rod;
  const double line_mass = rod.density * std::numbers::pi * rod.radius * rod.radius;
  const double rate =
      bending_number(one.boundary) * std::sqrt(rod.bend_stiffness / line_mass) / (rod.length * rod.length);
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
bool allows(const Deck& deck, std::vector<std::string> instead) {
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
  if (spec.model != ModelKind::cosserat) return std::nullopt;
  MethodForecast forecast;
  const double end = spec.time.step * static_cast<double>(spec.time.steps);
  forecast.period = motion_period(spec);
  const double periods = std::max(1.0, end / forecast.period);  // over which errors add up
  if (allows(deck, {"time.method=dynamic", "time.scheme=backward_euler"})) {
    const double bound = cosserat::step_bounds(spec).all.step;
    forecast.by_explicit = cost_of(spec, TimeMethod::dynamic, 0.9 * bound);
  }
  if (allows(deck, {"time.method=implicit", "time.scheme=generalized_alpha", "model.section=rigid"})) {
    forecast.by_implicit =
        cost_of(spec, TimeMethod::implicit, forecast.period / (steps_in_period * std::sqrt(periods)));
  }
  if (allows(deck, {"time.method=static", "time.scheme=backward_euler", "model.section=rigid"}))
    forecast.at_rest = cost_of(spec, TimeMethod::equilibrium, end);
  return forecast;
}

std::string method_lines(const Deck& deck, const MemberSpec& spec) {
  const std::optional<MethodForecast> forecast = forecast_methods(deck, spec);
  if (!forecast || (!forecast->by_implicit && !forecast->at_rest)) return {};
  std::ostringstream text;
  text.precision(2);
  const char* begin = "# methods          ";
  const auto line = [&](const std::optional<MethodCost>& cost, const char* method, const std::string& why) {
    if (!cost) return;
    text << begin << method << ' ' << cost->seconds << " s a member or so" << why << '\n';
    begin = "#                  ";
  };
  const auto steps_of = [](const MethodCost& cost, const std::string& which) {
    std::ostringstream why;
    why.precision(2);
    why << ", in steps of " << cost.step << " s" << which;
    return why.str();
  };
  std::ostringstream period;
  period.precision(2);
  period << " (motion with a period of " << forecast->period << " s to 1e-3)";
  const auto forecast_only = [&](TimeMethod method, const std::string& which) {
    return spec.method == method ? std::string(", as the deck has them") : which;
  };
  if (forecast->by_explicit) {
    line(forecast->by_explicit, "explicit",
         steps_of(*forecast->by_explicit,
                  forecast_only(TimeMethod::dynamic, " (0.9 of the stable step, whatever the motion)")));
  }
  if (forecast->by_implicit) {
    line(forecast->by_implicit, "implicit",
         steps_of(*forecast->by_implicit, forecast_only(TimeMethod::implicit, period.str())));
  }
  line(forecast->at_rest, "static", ", for the equilibrium alone");
  const bool implicit_wins =
      forecast->by_implicit &&
      (!forecast->by_explicit || forecast->by_implicit->seconds < forecast->by_explicit->seconds);
  text << begin << "cheapest: " << (implicit_wins ? "implicit" : "explicit") << " for motion"
       << (forecast->at_rest ? ", static where only the rest counts" : "")
       << "; a first member, no waves of stretch or shear\n";
  return text.str();
}

}  // namespace rodeo
