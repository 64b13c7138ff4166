#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "rodeo/method/branch.hpp"
#include "rodeo/method/zeros.hpp"

// Events on a branch: kinks, folds, bifurcations, vibrations that begin to grow; and turns onto another
// branch.

namespace rodeo::method {

/// At a kink the branch may turn by more than a right angle: it goes on to where elements that have begun to
/// touch press more, and those that have left are farther away. Returns whether that is back along the
/// tangent.
template <class Equilibrium>
bool Branch<Equilibrium>::face_onwards(const Point& from) {
  if (!(rods_.rate_of_touching(from.touches, tangent_) < 0.0)) return false;
  for (double& rate : tangent_) rate = -rate;
  now_.value_rate = -now_.value_rate;
  return true;
}

template <class Equilibrium>
bool Branch<Equilibrium>::is_near(const Point& from, double length) const {
  return rods_.distance(from.state) <= 2.0 * length &&
         std::abs(now_.value - from.now.value) <= 2.0 * length * std::abs(range_);
}

/// Past a kink the branch may go nearly across the tangent before it, or back along it, where steps across it
/// find it far away or not at all. A step of the value finds it near by: towards where the value has gone,
/// or, where it turns round at the kink, back.
template <class Equilibrium>
bool Branch<Equilibrium>::pass_kink(const Point& from, double length) {
  if (!rods_.may_kink()) return false;
  return pass_kink_towards(from, length, from.now.value_rate) ||
         pass_kink_towards(from, length, -from.now.value_rate);
}

template <class Equilibrium>
bool Branch<Equilibrium>::pass_kink_towards(const Point& from, double length, double rate) {
  go_back_to(from);
  const auto [least, most] = std::minmax(spec_.from, spec_.to);
  const double wanted = now_.value + std::copysign(length * range_, rate);
  const double value = std::clamp(wanted, least, most);
  if (value == now_.value || !stand_at(value)) return false;
  move(from.tangent, length);
  if (!correct(nullptr, 0.0)) return false;
  if (rods_.touches() == from.touches || !is_near(from, length)) return false;
  finish_point(std::vector<double>(rods_.unknowns()), rate);
  if (!balanced_) return false;
  face_onwards(from);
  now_.ended = value != wanted;
  return true;
}

template <class Equilibrium>
bool Branch<Equilibrium>::go_to_bifurcation(int which) {
  for (int k = 0; k < spec_.points; ++k) {
    if (!take_next_point()) return false;
    if (now_.at_bifurcation && now_.bifurcations == which) return true;
    if (now_.ended) return false;
  }
  return false;
}

/// After a step: ends it at a fold or bifurcation on its way. False if the step is too long to tell which, or
/// has jumped to another branch.
template <class Equilibrium>
bool Branch<Equilibrium>::stop_at_events(const Point& from, double length) {
  if (spec_.stop == BranchStop::first_flutter) {
    now_.grows = growth() > 0.0;
    if (now_.grows && !from.now.grows) return stop_at_flutter(from, length);
  }
  const bool folds = (now_.value_rate > 0.0) != (from.now.value_rate > 0.0);
  const int change = rods_.have_energy() ? std::abs(now_.negative - from.now.negative) : folds ? 1 : 0;
  if (folds) return change == 1 && stop_at_fold(from, length);
  return change == 0 || stop_at_bifurcation(from, length);
}

template <class Equilibrium>
bool Branch<Equilibrium>::stop_at_fold(const Point& from, double length) {
  const int negative = now_.negative;  // behind
  Bracket bracket{0.0, length, from.now.value_rate, now_.value_rate};
  const bool found = bracket.narrow(fold_part * length, [&](double place, double& rate) {
    const bool stepped = try_step(from, place);
    rate = now_.value_rate;
    return stepped;
  });
  // Goes so far behind that rounding does not turn the branch round once more.
  const double zero = bracket.zero();
  const double behind = std::max(bracket.b, std::min(length, zero + fold_part * length));
  if (!found || !try_step(from, behind)) return false;
  if ((now_.value_rate > 0.0) == (from.now.value_rate > 0.0)) return false;
  now_.negative = negative;
  now_.shown -= 0.5 * now_.value_rate * (behind - zero);
  ++now_.folds;
  note_event(BranchStop::first_fold);
  return true;
}

/// Halves the part of the step in which the number of negative eigenvalues changes first, until there are
/// four points that tell where.
template <class Equilibrium>
bool Branch<Equilibrium>::stop_at_bifurcation(const Point& from, double length) {
  double before = 0.0;
  double behind = length;
  int negative = now_.negative;  // behind
  std::vector<bool> touches_before = from.touches;
  std::vector<bool> touches_behind = rods_.touches();
  while (behind - before > located_part * length) {
    const double middle = 0.5 * (before + behind);
    if (!try_step(from, middle)) return false;
    if (now_.negative == from.now.negative) {
      before = middle;
      touches_before = rods_.touches();
    } else {
      behind = middle;
      touches_behind = rods_.touches();
      negative = now_.negative;
    }
    const bool is_one = std::abs(negative - from.now.negative) <= most_at_once;
    if (!is_one || behind - before > bracketed_part * length) continue;
    Crossing crossing;
    for (std::size_t k = 0; k < crossing.places.size(); ++k) {
      const double place = before + (static_cast<double>(k) - 1.0) * (behind - before);
      if (!try_step(from, place)) return false;
      crossing.places[k] = place;
      crossing.values[k] = now_.value;
      crossing.eigenvalues[k] = equilibrium_.nearest_mode(crossing_mode_);
    }
    if (!crossing.goes_through_zero()) continue;
    const double beyond = beside_part * (behind - before);
    if (!try_step(from, crossing.zero_of(crossing.places) + beyond) && !try_step(from, behind)) return false;
    now_.negative = negative;
    now_.shown = crossing.zero_of(crossing.values);
    now_.at_bifurcation = true;
    ++now_.bifurcations;
    note_event(BranchStop::first_bifurcation);
    return true;
  }
  return touches_before != touches_behind && try_step(from, behind);
}

/// The square of the rate at which the fastest of the modes grows, 1/s^2; zero if none does.
template <class Equilibrium>
double Branch<Equilibrium>::growth() {
  const FoundModes found = equilibrium_.modes(modes_);
  linear_ = false;
  double square = 0.0;
  for (std::size_t k = 0; k < found.frequencies.size(); ++k) {
    const double rate = std::min({0.0, found.decay_rates[k], 2.0 * std::numbers::pi * found.frequencies[k]});
    square = std::max(square, rate * rate);
  }
  return square;
}

/// Ends a step in which a vibration begins to grow at the point where it does.
template <class Equilibrium>
bool Branch<Equilibrium>::stop_at_flutter(const Point& from, double length) {
  double before = 0.0;
  double behind = length;
  while (behind - before > flutter_part * length) {
    const double middle = 0.5 * (before + behind);
    if (!try_step(from, middle)) return false;
    (growth() > 0.0 ? behind : before) = middle;
  }
  std::array<double, 2> values{};
  std::array<double, 2> squares{};
  for (std::size_t k = 0; k < 2; ++k) {
    if (!try_step(from, behind + static_cast<double>(k) * flutter_part * length)) return false;
    values[k] = now_.value;
    squares[k] = growth();
  }
  if (!(squares[1] > squares[0])) return false;
  now_.shown = values[0] - squares[0] * (values[1] - values[0]) / (squares[1] - squares[0]);
  now_.grows = true;
  note_event(BranchStop::first_flutter);
  return true;
}

template <class Equilibrium>
void Branch<Equilibrium>::note_event(BranchStop kind) {
  now_.is_critical = true;
  if (std::isnan(now_.first_critical)) now_.first_critical = now_.shown;
  now_.ended = spec_.stop == kind;
}

/// Goes from a bifurcation to the first point of the branch that crosses there.
template <class Equilibrium>
bool Branch<Equilibrium>::turn() {
  const Point base = point();
  std::vector<double> direction = crossing_mode_;
  const double scale = now_.next_side / std::sqrt(product(direction, 0.0, direction, 0.0));
  for (double& entry : direction) entry *= scale;
  for (double length = 0.5 * spec_.step; length >= least_turn_length * spec_.step; length *= 0.5) {
    if (length * rods_.size(direction).turn > most_predicted_turn) continue;
    go_back_to(base);
    if (!stand_at(now_.shown)) continue;
    move(direction, length);
    set_value_pull();  // which is none across the branch at the bifurcation itself
    linear_ = false;
    if (!correct(&direction, 0.0)) continue;
    finish_point(direction, 0.0);
    if (!balanced_) continue;
    now_.length = length;
    now_.next_side = 0.0;
    now_.bifurcations = now_.folds = 0;
    now_.first_critical = std::nan("");
    return true;
  }
  go_back_to(base);
  return false;
}

}  // namespace rodeo::method
