#include "rodeo/der/at_rest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "rodeo/coupling/modes.hpp"
#include "rodeo/der/der_member.hpp"
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
constexpr double refinement_part =
    1e-3;                               ///< of a rod's length: the longest step of Newton's method at the end
constexpr double rounding_part = 1e-8;  ///< and the longest of its last step where rounding hides forces

std::vector<double> state_of(const LoadedRods& rods) {
  const RodView& all = rods.member().all;
  return {all.base, all.base + static_cast<std::ptrdiff_t>(field::state_count) * all.pitch};
}

void restore(LoadedRods& rods, const std::vector<double>& state) {
  std::ranges::copy(state, rods.member().all.base);
  rods.solver().stand();
}

/// The positions of the nodes of all rods, one rod after the other.
std::vector<Vec3> node_positions(LoadedRods& rods) {
  std::vector<Vec3> positions;
  for (const RodStep& step : rods.rods()) {
    for (int i = 0; i <= step.rod.elements; ++i) positions.push_back(step.rod.vec3(field::position, i));
  }
  return positions;
}

/// Whether an element has come past the middle of a solid of the ground on a straight way from such
/// positions.
bool have_crossed(LoadedRods& rods, std::span<const Vec3> before) {
  for (const RodStep& step : rods.rods()) {
    if (rods.ground()->is_crossed(step.rod.as_const(), before)) return true;
    before = before.subspan(static_cast<std::size_t>(step.rod.nodes()));
  }
  return false;
}

void begin_step(LoadedRods& rods, double time, double share) {
  rods.start();
  rods.place_ends(time);
  rods.set_loads_at_rest(time, share);
}

double product(const std::vector<double>& a, const std::vector<double>& weight,
               const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * weight[i] * b[i];
  return sum;
}

/// The rods linearized at rest, and the modes that have no stiffness.
class Spectrum {
 public:
  explicit Spectrum(ImplicitEuler& solver) : solver_(solver), inertia_(solver.inertia()) {}

  /// How many eigenvalues are below minus a share of the inertia.
  std::optional<int> below(double share) {
    share_ = share;
    return solver_.linearize(1.0 / std::sqrt(share), unbalanced_);
  }

  /// The eigenvalue nearest to minus the last share, but those left out.
  double nearest(double digits, std::vector<double>& mode) const {
    const auto solve = [this](std::vector<double>& vector) {
      solver_.constraints().constrain(vector);
      solver_.solve(vector);
    };
    const auto leave_out = [this](std::vector<double>& vector) {
      for (const std::vector<double>& other : left_out_) {
        const double part = product(other, inertia_, vector);
        for (std::size_t i = 0; i < vector.size(); ++i) vector[i] -= part * other[i];
      }
    };
    return nearest_eigenvalue(inertia_, {share_, digits, solver_.rounding()}, solve, leave_out, mode);
  }

  void leave_out(const std::vector<double>& mode) { left_out_.push_back(mode); }
  std::size_t left_out() const { return left_out_.size(); }

  /// Where iterations for a mode begin, another one each time: of modes of one eigenvalue those that are left
  /// have no part in the vector that led to the first.
  std::vector<double> any_mode() const {
    std::vector<double> mode(inertia_.size());
    const double rate = 1.0 + 0.37 * static_cast<double>(left_out_.size());
    for (std::size_t i = 0; i < mode.size(); ++i) mode[i] = std::sin(1.0 + rate * static_cast<double>(i));
    solver_.constraints().constrain(mode);
    return mode;
  }

 private:
  ImplicitEuler& solver_;
  std::vector<double> inertia_;
  double share_ = 0.0;
  std::vector<double> unbalanced_;
  std::vector<std::vector<double>> left_out_;
};

/// Tells of rods that nothing holds, and that fall for ever: what is unbalanced on all of them together stays
/// the same wherever they go.
class FreeFall {
 public:
  explicit FreeFall(LoadedRods& rods) : rods_(rods) {}

  /// After a step, with what is unbalanced then.
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
    // Of rods at rest no more than this is left.
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

/// Breaks those that bear too much; whether any did.
bool breaks_bonds(LoadedRods& rods) {
  if (!rods.links()) return false;
  const double before = rods.links()->broken();
  rods.links()->break_overloaded();
  return rods.links()->broken() > before;
}

/// Of all nodes, kg.
double mass_of(const std::vector<RodStep>& rods) {
  double mass = 0.0;
  for (const RodStep& rod : rods) {
    for (int i = 0; i <= rod.rod.elements; ++i) mass += rod.rod.array(field::mass)[i];
  }
  return mass;
}

}  // namespace

AtRest::AtRest(const MemberSpec& spec)
    : first_step_(spec.time.step),
      slowest_(slowest_rate(spec)),
      neutral_(neutral_part * slowest_),
      softest_(1.0 / std::sqrt(slowest_)),
      longest_(1.0 / std::sqrt(neutral_)),
      shortest_(shortest_part * softest_),
      longest_refinement_(refinement_part * spec.rod.length) {
  if (spec.modes == 0) return;
  for (int k = 0; k < spec.rod_count(); ++k) densities_.push_back(rod_alone(spec, k).rod.density);
}

/// What is unbalanced at the very start, as the weight of a rod that was not loaded before, comes on with the
/// parts of the first step.
SolveOutcome AtRest::advance(LoadedRods& rods, double end, double step) {
  const std::vector<double> before = state_of(rods);
  const std::vector<Vec3> nodes = rods.ground() ? node_positions(rods) : std::vector<Vec3>();
  rods.spread_ends(end - step, end);
  if (rods.ground() && have_crossed(rods, nodes)) {
    restore(rods, before);
    return {};
  }
  if (rods.ground()) rods.ground()->place_platen(end - step, end);
  const double share = std::min(1.0, end / first_step_);
  SolveOutcome outcome = relax(rods, end, share);
  while (outcome.converged && breaks_bonds(rods)) {
    const SolveOutcome next = relax(rods, end, share);
    outcome = {next.converged, outcome.iterations + next.iterations};
  }
  if (outcome.converged) {
    begin_step(rods, end, share);
    rods.note_at_rest(end - step);
  } else {
    restore(rods, before);
  }
  return outcome;
}

/// Steps of Newton's method alone, down to rounding: then they do not shrink any more. They are not judged by
/// what is unbalanced, of which a slender rod that turns has more at first. Where that may be rounding alone,
/// it is their length that says whether this is an equilibrium.
bool AtRest::refine(LoadedRods& rods, double time, double share) const {
  constexpr int most_refinements = 5;
  ImplicitEuler& solver = rods.solver();
  std::vector<double> unbalanced;
  double longest = longest_refinement_;
  double size = 0.0;
  for (int k = 0; k < most_refinements && solver.linearize(longest_, unbalanced); ++k) {
    size = solver.refine(unbalanced, longest);
    begin_step(rods, time, share);
    if (!(size < longest)) break;
    longest = vain * size;
  }
  return !solver.is_rounded() || size <= longest_refinement_ * rounding_part / refinement_part;
}

SolveOutcome AtRest::relax(LoadedRods& rods, double time, double share) const {
  ImplicitEuler& solver = rods.solver();
  SolveOutcome outcome;
  std::vector<double> unbalanced;
  // Rods that may touch would be stopped on a longer way, by each other and by the bound on moves in a step.
  double step = rods.contacts() ? softest_ : longest_;
  double last_norm = std::numeric_limits<double>::infinity();
  int in_vain = 0;
  FreeFall fall(rods);
  for (int k = 0; k < most_steps && step >= shortest_ && in_vain < most_vain_steps; ++k) {
    const std::vector<double> before = state_of(rods);
    begin_step(rods, time, share);
    const SolveOutcome solve = rods.relax(step);
    outcome.iterations += solve.iterations;
    if (solve.converged) begin_step(rods, time, share);
    const std::optional<int> negative =
        solve.converged ? solver.linearize(step, unbalanced) : std::optional<int>();
    const bool stays = solve.converged && solve.iterations == 1;
    if (!stays && negative != 0) {
      restore(rods, before);
      step *= shorter;
      continue;
    }
    const double norm = solver.norm(unbalanced);
    if (norm <= solver.force_limit() && refine(rods, time, share)) {
      outcome.converged = true;
      return outcome;
    }
    if (fall.goes_on(unbalanced)) break;
    if (step == longest_ && norm > vain * last_norm) ++in_vain;
    last_norm = norm;
    step = std::min(longest_, longer * step);
  }
  return outcome;
}

/// The least eigenvalue, by inverse iteration from below all. Motions of rods as wholes and rolls that cost
/// no energy come first, and are left out. What else is no more than rounding is not known.
Stability AtRest::stability(LoadedRods& rods) const {
  constexpr double few_digits = 1e-2;  // relative
  constexpr double all_digits = 1e-9;
  ImplicitEuler& solver = rods.solver();
  if (!solver.have_energy()) return {};
  rods.start();
  Spectrum spectrum(solver);
  if (!spectrum.below(neutral_)) return {};
  const double no_sign = std::max(neutral_, 100.0 * solver.rounding());
  double share = no_sign;
  const std::optional<int> unstable = spectrum.below(share);
  if (!unstable) return {};
  for (std::optional<int> negative = unstable; negative != 0; negative = spectrum.below(share)) {
    if (!std::isfinite(share)) return {};
    share *= 4.0;
  }
  const WholeMotions whole(rods.rods(), solver.inertia().size());
  const std::size_t most_left_out = 7 * rods.rods().size();
  std::vector<double> mode = spectrum.any_mode();
  double least = spectrum.nearest(few_digits, mode);
  while (std::abs(least) <= no_sign && spectrum.left_out() < most_left_out) {
    spectrum.nearest(few_digits, mode);  // once more, so that nothing of the others is left out with it
    if (!whole.hold(mode)) return {.has_digits = false};
    spectrum.leave_out(mode);
    mode = spectrum.any_mode();
    least = spectrum.nearest(few_digits, mode);
  }
  if (least < 0.0) {
    // From closer below it the iteration goes faster.
    const double closer = 0.1 * (least + share) - least;
    if (spectrum.below(closer) != 0) spectrum.below(share);
  }
  least = spectrum.nearest(all_digits, mode);
  return {static_cast<double>(*unstable), least * mass_of(rods.rods())};
}

FoundModes AtRest::modes(LoadedRods& rods, int count) const {
  Vibrations vibrations(rods, rods.time(), densities_);
  if (!rods.solver().have_energy()) return coupling::unknown_modes(vibrations, count);
  const double no_sign = std::max(neutral_, 100.0 * rods.solver().rounding());
  return coupling::find_modes(vibrations, slowest_, no_sign, count);
}

/// The matrix of a band and its factors, and vectors.
std::size_t static_memory(const MemberSpec& spec) {
  constexpr std::size_t numbers = 2 * (elastic_bandwidth + 1) + 16;
  std::size_t unknowns = 0;
  for (const RodPlace& rod : rod_places(spec))
    unknowns += static_cast<std::size_t>(degrees_of_freedom(rod.elements));
  return unknowns * numbers * sizeof(double);
}

std::unique_ptr<HostMember> make_static_member(const MemberSpec& spec, const MemberArrays& arrays) {
  return make_member(spec, arrays, std::make_unique<AtRest>(spec));
}

}  // namespace rodeo::der
