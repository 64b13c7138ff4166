#include "relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "rodeo/coupling/modes.hpp"
#include "rodeo/der/static_member.hpp"
#include "rodeo/method/static_member.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "vibrations.hpp"
#include "whole_motions.hpp"

namespace rodeo::der {

namespace {

constexpr double shortest_part = 1e-3;  ///< of that of the softest rod
constexpr double shorter = 0.25;
constexpr double longer = 4.0;
constexpr int most_steps = 500;
constexpr int most_vain_steps = 3;  ///< of the longest, which leave as much unbalanced
constexpr double vain = 0.5;
constexpr double sure_of_sign = 100.0;  ///< times the rounding of the matrix
constexpr double refinement_part =
    1e-3;                            ///< of a rod's length: the longest step of Newton's method at the end
constexpr double few_digits = 1e-2;  ///< of an eigenvalue, relative
constexpr double all_digits = 1e-9;
constexpr double rounding_part = 1e-8;  ///< and the longest of its last step where rounding hides forces

double longest_rod(const MemberSpec& spec) {
  double length = 0.0;
  for (int k = 0; k < spec.rod_count(); ++k) length = std::max(length, rod_alone(spec, k).rod.length);
  return length;
}

/// Detects rods that nothing holds and that fall for ever: the unbalanced force on all of them together stays
/// the same wherever they go.
class FreeFall {
 public:
  explicit FreeFall(LoadedRods& rods) : rods_(rods) {}

  /// Whether the rods fall on after a step, with the unbalanced forces then.
  bool goes_on(const std::vector<double>& unbalanced) {
    constexpr double same = 1e-6;
    constexpr int steps_that_tell = 5;
    if (rods_.ground() || !rods_.solver().constraints().hold_nothing()) return false;
    const Vec3 before = std::exchange(total_, {});
    for (const RodStep& rod : rods_.rods()) {
      for (int i = 0; i <= rod.rod.elements; ++i) {
        const double* const force = unbalanced.data() + rod.first + static_cast<std::ptrdiff_t>(4) * i;
        total_ = total_ + Vec3{force[0], force[1], force[2]};
      }
    }
    // Rods at rest leave no more than this.
    const double rest =
        2.0 * std::sqrt(static_cast<double>(unbalanced.size())) * rods_.solver().force_limit();
    steps_ = norm(total_) > rest && norm(total_ - before) <= same * norm(total_) ? steps_ + 1 : 0;
    return steps_ == steps_that_tell;
  }

 private:
  LoadedRods& rods_;
  Vec3 total_;
  int steps_ = 0;
};

}  // namespace

Relaxation::Relaxation(const MemberSpec& spec, const MemberArrays& arrays)
    : slowest_(slowest_rate(spec)),
      neutral_(neutral_part * slowest_),
      rods_(spec, arrays, shortest_part / std::sqrt(slowest_)),
      longest_refinement_(refinement_part * longest_rod(spec)) {
  if (spec.modes == 0) return;
  for (int k = 0; k < spec.rod_count(); ++k) densities_.push_back(rod_alone(spec, k).rod.density);
}

void Relaxation::become(const MemberSpec& spec, double time) {
  slowest_ = slowest_rate(spec);
  neutral_ = neutral_part * slowest_;
  rods_.become(spec, time);
}

void Relaxation::begin(double time, bool from_rest, bool /*released*/) {
  time_ = time;
  from_rest_ = from_rest;
}

SolveOutcome Relaxation::solve(double time, double share, bool /*can_be_halved*/) {
  if (rods_.are_driven_too_far(time_, time)) return {};
  LoadedRods& loaded = rods_.loaded();
  const std::vector<Placement> before = rods_.state();
  const std::vector<Vec3> nodes = coupling::node_positions(rods_.views());
  loaded.spread_ends(time_, time);
  if (rods_.ground().is_crossed(rods_.views(), nodes)) {
    rods_.restore(before);
    return {};
  }
  if (loaded.ground()) loaded.ground()->place_platen(time_, time);
  rods_.set_loads(time, from_rest_ ? share : 1.0);
  const SolveOutcome outcome = relax();
  if (outcome.converged) {
    time_ = time;
  } else {
    rods_.restore(before);
  }
  return outcome;
}

/// Takes steps of Newton's method alone, down to rounding, where they shrink no more. They are not judged by
/// the unbalanced forces, which in a slender rod that turns grow at first. Where the first of them would go
/// far, little may be unbalanced, but nothing there holds the rods, and this is no equilibrium. Where
/// unbalanced forces may be rounding alone, the length of the steps tells whether it is one.
bool Relaxation::refine() {
  constexpr int most_refinements = 5;
  ImplicitEuler& solver = rods_.solver();
  std::vector<double> unbalanced;
  double longest = longest_refinement_;
  double size = 0.0;
  for (int k = 0; k < most_refinements && solver.linearize(neutral_, unbalanced); ++k) {
    size = solver.refine(unbalanced, longest);
    rods_.set_loads();
    if (k == 0 && !(size < longest)) return false;
    if (!(size < longest)) break;
    longest = vain * size;
  }
  return !solver.is_rounded() || size <= longest_refinement_ * rounding_part / refinement_part;
}

/// Rods that may touch would be stopped on ways longer than those in which the softest swings by a radian: by
/// each other, and by the bound on moves in a step. Where something far softer than the rods holds them, even
/// the longest steps come nearer to rest by little each, and get longer as far as rounding lets them.
SolveOutcome Relaxation::relax() {
  LoadedRods& rods = rods_.loaded();
  ImplicitEuler& solver = rods.solver();
  SolveOutcome outcome;
  std::vector<double> unbalanced;
  const double softest = 1.0 / std::sqrt(slowest_);
  double longest = 1.0 / std::sqrt(neutral_);
  double step = rods.contacts() ? softest : longest;
  double last_norm = std::numeric_limits<double>::infinity();
  int in_vain = 0;
  FreeFall fall(rods);
  for (int k = 0; k < most_steps && step >= shortest_part * softest && in_vain < most_vain_steps; ++k) {
    const std::vector<Placement> before = rods_.state();
    if (k > 0) rods_.set_loads();
    const SolveOutcome solve = rods.relax(step);
    outcome.iterations += solve.iterations;
    if (solve.converged) rods_.set_loads();
    const std::optional<int> negative =
        solve.converged ? solver.linearize(1.0 / (step * step), unbalanced) : std::optional<int>();
    const bool stays = solve.converged && solve.iterations == 1;
    if (!stays && negative != 0) {
      rods_.restore(before);
      step *= shorter;
      continue;
    }
    const double norm = solver.norm(unbalanced);
    if (norm <= solver.force_limit() && refine()) {
      outcome.converged = true;
      return outcome;
    }
    if (fall.goes_on(unbalanced)) break;
    if (step == longest && norm > vain * last_norm) {
      const bool has_digits = sure_of_sign * solver.rounding() * longest * longest < 1.0;
      if (norm < last_norm && has_digits) {
        longest *= longer;
      } else {
        ++in_vain;
      }
    }
    last_norm = norm;
    step = std::min(longest, longer * step);
  }
  return outcome;
}

/// Least eigenvalue, by inverse iteration from below all, or by the slowest modes where that is slow or comes
/// to another one. Motions of rods as wholes and rolls that cost no energy come first, and are left out.
/// Other eigenvalues within rounding are not known.
Stability Relaxation::stability() {
  rods_.set_loads();
  if (!rods_.have_energy() || !rods_.factor(neutral_)) return {};
  const double no_sign = this->no_sign();
  double share = no_sign;
  const std::optional<int> unstable = rods_.factor(share);
  if (!unstable) return {};
  if (*unstable > 0)
    share = definite_share(4.0 * share, [this](double more) { return rods_.factor(more).value_or(1); });
  if (!std::isfinite(share)) return {};
  std::vector<double> mode;
  double least = rods_.find_free_motions(share, no_sign, mode);
  if (std::abs(least) <= no_sign) return {};
  if (std::isfinite(least)) least = refined_least(share, least, mode);
  if (std::isnan(least)) least = least_of_modes(no_sign);
  if (std::abs(least) <= no_sign) return {};  // few digits did not see it
  if (std::isnan(least)) return {.has_digits = false};
  return {static_cast<double>(*unstable), least * rods_.mass()};
}

/// Least eigenvalue with more digits; NaN where another one has been found.
double Relaxation::refined_least(double share, double roughly, std::vector<double>& mode) {
  bool is_least = true;
  const double least = refined<double>(
      {share, few_digits, rods_.solver().rounding()}, roughly,
      [&](double closer) {
        const std::optional<int> below = rods_.factor(closer);  // free motions may be on either side of zero
        is_least = is_least && below && *below <= static_cast<int>(rods_.free_motions());
        return closer;
      },
      [&](double closer, double digits) { return rods_.nearest_mode(closer, digits, mode); });
  return is_least ? least : std::nan("");
}

/// Least eigenvalue with masses at nodes, as in inverse iteration; NaN if it is not found.
double Relaxation::least_of_modes(double no_sign) {
  Vibrations vibrations(rods_.loaded(), rods_.loaded().time(), {});
  const coupling::LowestModes lowest = coupling::lowest_modes(vibrations, slowest_, no_sign, 1);
  return lowest.are_all && !lowest.modes.empty() ? lowest.modes.front().square : std::nan("");
}

FoundModes Relaxation::modes(int count) {
  rods_.set_loads();
  Vibrations vibrations(rods_.loaded(), rods_.loaded().time(), densities_);
  if (!rods_.have_energy())
    return coupling::find_nonconservative_modes(vibrations, neutral_part * slowest_, no_sign(), count);
  return coupling::find_modes(vibrations, slowest_, no_sign(), count);
}

/// Least size at which eigenvalues of the matrix that was factored last have a sign, 1/s^2.
double Relaxation::no_sign() const { return std::max(neutral_, sure_of_sign * rods_.solver().rounding()); }

int Relaxation::factor_at_rest(double time, std::vector<double>& pull) {
  rods_.set_loads(time, 1.0);
  rods_.balance(pull);
  rods_.factor(neutral_);
  const double no_sign = this->no_sign();
  rods_.factor(no_sign);
  std::vector<double> mode;
  rods_.find_free_motions(no_sign, no_sign, mode);
  return rods_.factor(neutral_).value_or(1) - rods_.negative_free_motions();
}

double Relaxation::nearest_mode(std::vector<double>& mode) {
  mode = rods_.any_mode();
  return rods_.nearest_mode(neutral_, all_digits, mode);
}

/// Counts the matrix of a band and its factors, and vectors.
std::size_t static_memory(const MemberSpec& spec) {
  constexpr std::size_t numbers = 2 * (elastic_bandwidth + 1) + 16;
  std::size_t unknowns = 0;
  for (const RodPlace& rod : rod_places(spec))
    unknowns += static_cast<std::size_t>(degrees_of_freedom(rod.elements));
  return unknowns * numbers * sizeof(double);
}

std::unique_ptr<HostMember> make_static_member(const MemberSpec& spec, const MemberArrays& arrays) {
  return std::make_unique<method::StaticMember<Relaxation>>(spec, arrays);
}

}  // namespace rodeo::der
