#include "rodeo/member/settling.hpp"

#include <cmath>
#include <string>

#include "rodeo/input/number_text.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

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
