#include "equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "modes.hpp"

namespace rodeo::statics {

namespace {

constexpr double most_turn = 1.0;        ///< of an element in an iteration, rad
constexpr double saddle_turn = 0.3;      ///< the same where the Hessian is not positive definite
constexpr int saddle_iterations = 2000;  ///< most of those
constexpr double smallest_step = 1e-11;  ///< turns (rad), and displacements over the length, that are none
constexpr double rounding_step = 1e-6;   ///< from which on steps that do not shrink are rounding
constexpr double few_digits = 1e-2;      ///< of an eigenvalue, relative
constexpr double some_digits = 1e-4;
constexpr double all_digits = 1e-9;
constexpr double close_share = 1.2;  ///< to the least one with which a step may be taken: near enough

}  // namespace

Equilibrium::Equilibrium(const MemberSpec& spec, const MemberArrays& arrays)
    : rods_(spec, arrays),
      most_iterations_(spec.newton.iterations),
      slowest_(slowest_rate(spec)),
      neutral_(neutral_part * slowest_),
      strained_(rods_.unknowns()) {}

void Equilibrium::begin(double time, bool from_rest, bool released) {
  time_ = time;
  from_rest_ = from_rest;
  std::ranges::fill(strained_, 0.0);
  if (!from_rest && !released) return;
  rods_.set_loads(time, from_rest ? 0.0 : 1.0);
  rods_.balance(strained_);
}

SolveOutcome Equilibrium::solve(double time, double share) {
  const std::vector<double> before = rods_.state();
  rods_.place_ends(time_, time);
  rods_.place_motions(time_, time);
  const SolveOutcome outcome = iterate(time, share);
  if (outcome.converged) {
    time_ = time;
  } else {
    rods_.restore(before);
  }
  return outcome;
}

SolveOutcome Equilibrium::iterate(double time, double share) {
  SolveOutcome outcome;
  rods_.note_stress();
  double inertia = neutral_;
  double last_length = std::numeric_limits<double>::infinity();
  for (int from_saddles = 0; outcome.iterations - from_saddles < most_iterations_;) {
    rods_.set_loads(time, from_rest_ ? share : 1.0);
    rods_.linearize(pull_, outcome.iterations > 0);
    for (std::size_t i = 0; i < pull_.size(); ++i) pull_[i] -= (1.0 - share) * strained_[i];
    // The ground leaves rods free to go along it, which rounding alone would make them do.
    if (rods_.ground().exists()) neutral_ = std::max(neutral_, rods_.rounding());
    inertia = find_step(inertia);
    ++outcome.iterations;
    const double turn = rods_.largest_turn(step_);
    const double length = std::max(turn, rods_.largest_shift(step_));
    if (!std::isfinite(length)) return outcome;
    rods_.take(step_, rods_.part_on_ground(pull_, step_, turn > most_turn ? most_turn / turn : 1.0));
    if (length <= rounding_step && inertia <= rods_.rounding()) neutral_ = std::max(neutral_, inertia);
    const bool at_saddle = inertia > neutral_;
    const bool is_rounding = !at_saddle && length <= rounding_step && length > 0.5 * last_length;
    outcome.converged = length <= smallest_step || is_rounding;
    if (outcome.converged) return outcome;
    if (at_saddle && ++from_saddles > saddle_iterations) return outcome;
    last_length = length;
  }
  return outcome;
}

/// Sets the step, and returns the share of the inertia that it took. `last_share` is where to begin.
double Equilibrium::find_step(double last_share) {
  if (rods_.solve(neutral_, pull_, step_) == 0) return neutral_;
  double too_small = neutral_;
  double enough = std::numeric_limits<double>::infinity();
  double share = std::max(last_share, 2.0 * neutral_);
  while (enough > close_share * too_small && std::isfinite(share)) {
    const bool definite = rods_.solve(share, pull_, trial_) == 0;
    const double turn = definite ? rods_.largest_turn(trial_) : 0.0;
    if (definite && turn <= saddle_turn) {
      enough = share;
      step_.swap(trial_);
      if (turn > 0.3 * saddle_turn) break;
    } else {
      too_small = share;
    }
    if (!std::isfinite(enough)) {
      share *= 4.0;
    } else {
      share = std::max(std::sqrt(too_small * enough), too_small > neutral_ ? 0.0 : 0.25 * share);
    }
  }
  return enough;
}

/// The least eigenvalue that has a sign, by inverse iteration from below all. Motions that cost no energy, as
/// those of a rod that nothing holds, come first: where there are any, the mode after them is asked for.
Stability Equilibrium::stability() {
  if (!rods_.have_energy()) return {};
  rods_.forget_free_motions();
  rods_.set_loads(time_, 1.0);
  rods_.linearize(pull_, false);
  double share = no_sign();
  trial_.assign(rods_.unknowns(), 0.0);
  const int unstable = rods_.solve(share, trial_, step_);
  for (int negative = unstable; negative > 0; negative = rods_.solve(share, trial_, step_)) share *= 4.0;
  start_mode(trial_);
  double least = least_eigenvalue(share, few_digits, trial_);
  if (std::abs(least) <= no_sign()) {
    const std::vector<Mode> modes = lowest_modes(rods_, slowest_, no_sign(), 1);
    least = modes.empty() ? std::nan("") : modes.front().square;
  } else {
    // From closer below it the iteration goes faster.
    const double distance = least + share;
    for (const auto& [part, digits] : {std::pair{0.1, some_digits}, std::pair{0.01, all_digits}}) {
      double closer = part * distance - least;
      if (rods_.solve(closer, trial_, step_) > 0) rods_.solve(closer = share, trial_, step_);
      least = least_eigenvalue(closer, digits, trial_);
    }
  }
  return {static_cast<double>(unstable), least * rods_.mass()};
}

FoundModes Equilibrium::modes(int count) {
  const auto wanted = static_cast<std::size_t>(count);
  FoundModes found;
  if (rods_.have_energy()) {
    rods_.set_loads(time_, 1.0);
    rods_.linearize(pull_, false);
    // Modes that damping couples need others beyond the last.
    constexpr std::size_t further = 8;
    const std::vector<Mode> modes = lowest_modes(rods_, slowest_, no_sign(), wanted + further);
    DampedModes damped = damp(modes, rods_.drag(time_));
    found.frequencies = std::move(damped.frequencies);
    found.decay_rates = std::move(damped.decay_rates);
    for (std::size_t k = 0; k < std::min(wanted, modes.size()); ++k) {
      const std::vector<double> shape = rods_.at_nodes(modes[k].shape);
      found.shapes.insert(found.shapes.end(), shape.begin(), shape.end());
    }
  }
  found.frequencies.resize(wanted, std::nan(""));
  found.decay_rates.resize(wanted, std::nan(""));
  found.shapes.resize(wanted * rods_.at_nodes(pull_).size(), std::nan(""));
  return found;
}

double Equilibrium::nearest_mode(std::vector<double>& mode) {
  start_mode(mode);
  return least_eigenvalue(neutral_, all_digits, mode);
}

/// Where iterations for a mode begin.
void Equilibrium::start_mode(std::vector<double>& mode) const {
  mode.resize(rods_.unknowns());
  for (std::size_t i = 0; i < mode.size(); ++i) mode[i] = std::sin(1.0 + static_cast<double>(i));
  rods_.hold(mode);
}

/// Rounding of the state adds to that of the matrix.
double Equilibrium::no_sign() const { return std::max(neutral_, 100.0 * rods_.rounding()); }

/// Of the matrix over the inertia the eigenvalue nearest to minus a share of it, with which it has been
/// solved, and its mode, of unit norm.
double Equilibrium::least_eigenvalue(double share, double digits, std::vector<double>& mode) {
  const auto solve = [this](std::vector<double>& vector) { rods_.solve_again(vector); };
  const auto leave_out = [this](std::vector<double>& vector) { rods_.leave_out_free_motions(vector); };
  return nearest_eigenvalue(rods_.inertia(), {share, digits, rods_.rounding()}, solve, leave_out, mode);
}

}  // namespace rodeo::statics
