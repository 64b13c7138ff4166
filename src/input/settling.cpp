#include <cmath>
#include <string>

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

/// Of observe.settle_interval, or of muscle.period.
std::int64_t settling_steps(const Deck& deck, const MemberSpec& spec) {
  constexpr Key interval = "observe.settle_interval"_key;
  const bool has_period = spec.muscle.period > 0.0;
  if (has_period && deck.has_value(interval)) {
    throw deck.error(interval, "has no effect: the periods are those of muscle.period, which the deck gives");
  }
  if (!has_period) require(deck, interval, "needed for observe.settle without muscle.period");
  const double period = has_period ? spec.muscle.period : deck.number(interval);
  const auto steps = static_cast<std::int64_t>(std::round(period / spec.time.step));
  if (steps < 1) throw deck.error(interval, "is less than half of time.step");
  return steps;
}

}  // namespace

void set_settling(const Deck& deck, MemberSpec& spec) {
  constexpr Key key = "observe.settle"_key;
  if (!deck.has_value(key)) return;
  SettleSpec& settle = spec.settle;
  deck.fill(settle);
  const bool named = deck.has_value("observe.settle_in"_key);
  if (!named) require(deck, "study.objective"_key, "needed for observe.settle without observe.settle_in");
  const Key of = named ? "observe.settle_in"_key : "study.objective"_key;
  settle.observable = named_observable(deck, of, deck.texts(of).front());
  settle.period_steps = settling_steps(deck, spec);
  const std::int64_t periods = spec.time.steps / settle.period_steps;
  // Where a study varies the end, some of its members may well settle.
  if (periods > settle.periods + 1 || deck.place("time.end"_key) == "the study") return;
  throw deck.error(key, "can end no member: time.end has " + std::to_string(periods) +
                            " whole periods, of which the first two or more are compared and " +
                            std::to_string(settle.periods) + " have to be calm");
}

}  // namespace rodeo
