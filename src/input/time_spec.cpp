#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "rodeo/forces/own_laws.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/member/settling.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "deck_checks.hpp"
#include "line_reader.hpp"
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

ParameterAddress Deck::branch_address() const {
  constexpr Key key = "branch.key"_key;
  const std::string& name = texts(key).front();
  const ParameterAddress address = reading(key, [&] {
    ParameterAddress named = parse_parameter_address(name);
    check_varied(named);
    if (named.index >= 0) number(named);
    return named;
  });
  const ValueType type = key_info(address.key).type;
  if (type == ValueType::integer || type == ValueType::choice) {
    throw error(key, in_quotes(name) + " cannot change step by step: it is no real number");
  }
  const bool is_own = name.starts_with("time.") || name.starts_with("branch.");
  if (is_own) throw error(key, in_quotes(name) + " is what branches are followed with, not what changes");
  return address;
}

namespace {

std::string_view key_of(const ActuationSpec& actuation) {
  switch (actuation.kind) {
    case ActuationKind::force:
      return actuation.in_laboratory ? "" : "actuation.force along a director";
    case ActuationKind::couple:
      return "actuation.couple";
    case ActuationKind::internal_couple:
      return "actuation.internal_couple";
    case ActuationKind::curvature:
    case ActuationKind::stretch:
      break;
  }
  return "";
}

/// The key of a law of one's own that has no energy; empty if all have one.
template <class... Laws>
std::string_view own_load_without_energy([[maybe_unused]] const MemberSpec& rod, const LawList<Laws...>*) {
  std::string_view key;
  ((key = LawList<Laws>::of(rod).has_energy() ? key : Laws::asked), ...);
  return key;
}

/// The key of a load on a rod that has no energy, as coupling::LoadTangent says; empty if all have one.
std::string_view load_without_energy(const MemberSpec& rod) {
  if (norm(rod.load.end_couple) > 0.0) return "load.end_couple";
  if (norm(rod.load.distributed_couple) > 0.0) return "load.distributed_couple";
  if (norm(rod.load.follower_force) > 0.0) return "load.follower_force";
  if (rod.muscle.kind == MuscleKind::couple) return "muscle.kind = couple";
  if (rod.muscle.kind == MuscleKind::force && rod.muscle.in_laboratory) return "muscle.kind = force";
  for (const ActuationSpec& actuation : rod.actuation) {
    if (const std::string_view key = key_of(actuation); !key.empty()) return key;
  }
  return own_load_without_energy(rod, static_cast<const own::Laws*>(nullptr));
}

std::string_view load_without_energy_of(const MemberSpec& spec) {
  for (int k = 0; k < spec.rod_count(); ++k) {
    if (const std::string_view key = load_without_energy(rod_alone(spec, k)); !key.empty()) return key;
  }
  return "";
}

/// Throws if the control of a member depends on the number that changes along its branch, where it no longer
/// acts.
void check_control(const Deck& deck) {
  if (!deck.has_value("control.interval"_key)) return;
  const ParameterAddress address = deck.branch_address();
  const std::string name =
      address.variable.empty() ? std::string(key_info(address.key).name) : address.variable;
  const auto refuse = [&](const std::string& why) {
    throw deck.error("branch.key"_key, why +
                                           ", and control acts in time, which stands still along a branch; "
                                           "formulas of actuation and motion may name what changes");
  };
  if (name.starts_with("control.")) refuse("= " + name + " is a number of the control");
  for (const KeyInfo& info : key_table()) {
    if (!info.name.starts_with("control.") || info.type != ValueType::text) continue;
    const std::vector<std::string>& lines = deck.texts(info.key);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (!names_word(lines[k], name)) continue;
      refuse("= " + address.name() + " stands in " + std::string(info.name) + " (" +
             deck.places(info.key)[k] + ")");
    }
  }
}

}  // namespace

void set_branch(const Deck& deck, const MemberSpec& end, MemberSpec& spec) {
  check_control(deck);
  BranchSpec& branch = spec.branch;
  deck.fill(branch);
  if (branch.to == branch.from) throw deck.error("branch.to"_key, "is branch.from: nothing changes");
  branch.turns = deck.list("branch.turns"_key);
  for (const double turn : branch.turns) {
    if (turn != std::round(turn))
      throw deck.error("branch.turns"_key, format_real(turn) + " is no number of a bifurcation");
  }
  const bool turns = branch.turns.front() != 0.0;
  const bool of_study = deck.choice("study.kind"_key) == "branch";
  const bool needs_energy = turns || of_study || branch.stop == BranchStop::first_bifurcation;
  std::string_view load = load_without_energy_of(spec);
  if (load.empty()) load = load_without_energy_of(end);
  if (branch.stop == BranchStop::first_flutter) {
    if (load.empty()) {
      throw deck.error("branch.stop"_key,
                       "= first_flutter is for loads that have no energy, as a force that follows the rod; "
                       "those of this deck have one: first_bifurcation");
    }
    if (spec.modes == 0) {
      throw deck.error(
          "branch.stop"_key,
          "= first_flutter looks for the vibration that grows among modes.count of them; it is 0");
    }
  }
  if (needs_energy && !load.empty()) {
    throw deck.error(
        turns      ? "branch.turns"_key
        : of_study ? "study.kind"_key
                   : "branch.stop"_key,
        "asks for bifurcations, which are not told from other points with " + std::string(load) +
            ", a load that has no energy; without it, or with branch.stop = range, the branch is followed as "
            "far as it goes, and its folds are found; first_flutter finds where rods begin to flutter");
  }
}

}  // namespace rodeo
