#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "rodeo/input/number_text.hpp"
#include "rodeo/member/settling.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

/// The fewest steps that reach `end`, where a last step of less than a billionth of the whole is rounding.
std::int64_t step_count(const Deck& deck, double step, double end) {
  constexpr double most_steps = 1e15;  // a microsecond each: thirty years
  constexpr double rounding = 1e-9;
  const double ratio = end / step;
  if (!(ratio <= most_steps)) {
    throw deck.error("time.end"_key, "takes " + format_real(ratio) + " time steps of " + format_real(step) +
                                         " s; at most 1e15 are allowed");
  }
  const double nearest = std::round(ratio);
  const double steps = nearest >= ratio * (1.0 - rounding) ? nearest : std::ceil(ratio);
  return static_cast<std::int64_t>(std::max(1.0, steps));
}

/// Time a stretch wave takes along the rod at rest, s.
double crossing_time(const RodSpec& rod) {
  const double line_mass = rod.density * std::numbers::pi * rod.radius * rod.radius;
  return rod.length * std::sqrt(line_mass / rod.stretch_stiffness);
}

/// Time step of a member that ends at `end`; an equilibrium may be a single step.
double time_step(const Deck& deck, const MemberSpec& spec, double end) {
  refuse_both(deck, "time.step"_key, "time.step_per_crossing"_key);
  refuse_both(deck, "time.step_per_length"_key, "time.step_per_crossing"_key);
  const bool given = deck.has_value("time.step"_key) || deck.has_value("time.step_per_length"_key) ||
                     deck.has_value("time.step_per_crossing"_key);
  if (spec.rests() && !given) return end;
  if (deck.has_value("time.step_per_crossing"_key)) {
    return derived(deck, "time.step"_key,
                   deck.number("time.step_per_crossing"_key) * least_of_rods(spec, crossing_time));
  }
  if (gives_first(deck, "time.step"_key, "time.step_per_length"_key)) return deck.number("time.step"_key);
  const double per_length = deck.number("time.step_per_length"_key);
  return derived(deck, "time.step"_key, least_of_rods(spec, [&](const RodSpec& rod) {
                   return per_length * rod.length / rod.elements;
                 }));
}

double end_time(const Deck& deck, const MemberSpec& spec) {
  const bool given = deck.has_value("time.end"_key) || deck.has_value("time.end_per_crossing"_key);
  if (spec.rests() && !given) return 1.0;
  return gives_first(deck, "time.end"_key, "time.end_per_crossing"_key)
             ? deck.number("time.end"_key)
             : derived(deck, "time.end"_key,
                       deck.number("time.end_per_crossing"_key) * least_of_rods(spec, crossing_time));
}

/// Throws unless equilibria under swinging loads are at times that the deck gives, not all at their zeros.
void check_swinging_loads(const Deck& deck, const MemberSpec& spec, const TimeSpec& time) {
  constexpr std::int64_t most_looks = 1000;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const LoadSpec& load = spec.setup(k).load;
    if (load.frequency == 0.0) continue;
    if (!deck.has_value("time.end"_key) && !deck.has_value("time.end_per_crossing"_key)) {
      throw deck.error("load.frequency"_key,
                       "makes loads swing, and the deck does not say at which time.end they hold the rods "
                       "in equilibrium");
    }
    double most = 0.0;
    for (std::int64_t step = 1; step <= std::min(time.steps, most_looks); ++step) {
      const double turns = load.frequency * static_cast<double>(step) * time.step;
      most = std::max(most, std::abs(std::sin(2.0 * std::numbers::pi * (turns - std::round(turns)))));
    }
    if (most > 1e-6) continue;
    throw deck.error("load.frequency"_key,
                     "makes loads swing, and at the time of each equilibrium (time.step, time.end) they are "
                     "zero: sin(2 pi f t) of whole or half periods");
  }
}

}  // namespace

TimeSpec make_time_spec(const Deck& deck, const MemberSpec& spec) {
  TimeSpec time;
  deck.fill(time);
  const double end = end_time(deck, spec);
  time.step = time_step(deck, spec, end);
  constexpr double largest_share = 100.0;
  if (!spec.rests() && time.step > largest_share * end) {
    throw deck.error("time.step"_key, "is " + format_real(time.step) +
                                          " s, more than a hundred times the whole time of the member, " +
                                          format_real(end) + " s");
  }
  time.steps = step_count(deck, time.step, end);
  if (spec.rests()) check_swinging_loads(deck, spec, time);
  if (!deck.has_value("time.spectral_radius"_key)) time.spectral_radius = spec.has_impacts() ? 0.0 : 0.5;
  return time;
}

namespace {

/// Steps of muscle.period, or of observe.settle_interval without muscles.
std::int64_t settling_steps(const Deck& deck, const MemberSpec& spec) {
  constexpr Key interval = "observe.settle_interval"_key;
  const bool has_period = spec.muscle.period > 0.0;
  if (has_period && deck.has_value(interval)) {
    throw deck.error(interval, "has no effect: the periods are those of muscle.period, which the deck gives");
  }
  if (!has_period) require(deck, interval, "needed for observe.settle without muscle.period");
  const double period = has_period ? spec.muscle.period : deck.number(interval);
  const auto steps = static_cast<std::int64_t>(std::round(period / spec.time.step));
  if (steps >= 4) return steps;
  throw deck.error(has_period ? "muscle.period"_key : interval,
                   "has " + std::to_string(steps) +
                       " steps of time.step, and observe.settle looks at each quarter of it: at least 4");
}

}  // namespace

void set_settling(const Deck& deck, MemberSpec& spec) {
  constexpr Key key = "observe.settle"_key;
  if (deck.number(key) == 0.0) return;
  SettleSpec& settle = spec.settle;
  deck.fill(settle);
  if (4.0 * settle.periods != static_cast<double>(settle.quarters()))
    throw deck.error("observe.settle_periods"_key,
                     "must be a multiple of 0.25: values are those at quarters");
  const bool named = deck.has_value("observe.settle_in"_key);
  if (!named) require(deck, "study.objective"_key, "needed for observe.settle without observe.settle_in");
  const Key of = named ? "observe.settle_in"_key : "study.objective"_key;
  settle.observable = named_observable(deck, of, deck.texts(of).front());
  settle.period_steps = settling_steps(deck, spec);
  // Where a study varies the end, some of its members may well settle.
  if (can_settle(spec) || deck.place("time.end"_key) == "the study") return;
  const double periods = static_cast<double>(spec.time.steps) / static_cast<double>(settle.period_steps);
  throw deck.error(key, "can end no member: values over " + format_real(settle.periods) +
                            " periods are compared, the first of which is known after a whole one, and "
                            "time.end has " +
                            format_real(std::floor(4.0 * periods) / 4.0));
}

}  // namespace rodeo
