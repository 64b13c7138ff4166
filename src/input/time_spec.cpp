#include <algorithm>
#include <cmath>
#include <numbers>

#include "rodeo/input/number_text.hpp"
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
    throw deck.error(Key::time_end, "takes " + format_real(ratio) + " time steps of " + format_real(step) +
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

double time_step(const Deck& deck, const MemberSpec& spec) {
  refuse_both(deck, Key::time_step, Key::time_step_per_crossing);
  refuse_both(deck, Key::time_step_per_length, Key::time_step_per_crossing);
  if (deck.has_value(Key::time_step_per_crossing)) {
    return derived(deck, Key::time_step,
                   deck.number(Key::time_step_per_crossing) * least_of_rods(spec, crossing_time));
  }
  if (gives_first(deck, Key::time_step, Key::time_step_per_length)) return deck.number(Key::time_step);
  const double per_length = deck.number(Key::time_step_per_length);
  return derived(deck, Key::time_step, least_of_rods(spec, [&](const RodSpec& rod) {
                   return per_length * rod.length / rod.elements;
                 }));
}

double end_time(const Deck& deck, const MemberSpec& spec) {
  return gives_first(deck, Key::time_end, Key::time_end_per_crossing)
             ? deck.number(Key::time_end)
             : derived(deck, Key::time_end,
                       deck.number(Key::time_end_per_crossing) * least_of_rods(spec, crossing_time));
}

}  // namespace

TimeSpec make_time_spec(const Deck& deck, const MemberSpec& spec) {
  TimeSpec time;
  time.step = time_step(deck, spec);
  time.steps = step_count(deck, time.step, end_time(deck, spec));
  time.slice_steps = deck.integer(Key::time_slice_steps);
  return time;
}

}  // namespace rodeo
