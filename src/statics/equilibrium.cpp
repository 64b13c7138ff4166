#include "equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/coupling/modes.hpp"

#include "eigenvalue_search.hpp"

namespace rodeo::statics {

namespace {

/// Share of the slowest square with which the matrix is inverted where loads have no energy. With a small one
/// rounding would roll rods far, and following forces would turn with them.
constexpr double share_of_pushed = 0.1;

/// Relative rounding of the slowest square above which modes are found in the mixed form.
constexpr double most_rounding_of_modes = 1e-6;

/// Gives rods the mixed form during its lifetime, if they can have it.
class MixedForm {
 public:
  MixedForm(RestingRods& rods, bool wanted) : rods_(rods), before_(rods.has_mixed_form()) {
    if (wanted) rods_.take_mixed_form(true);
  }
  ~MixedForm() { rods_.take_mixed_form(before_); }
  MixedForm(const MixedForm&) = delete;
  MixedForm& operator=(const MixedForm&) = delete;

 private:
  RestingRods& rods_;
  bool before_;
};

/// Vibrations of the rods of an equilibrium, with the damping of a time.
class RodVibrations final : public coupling::Vibrating {
 public:
  /// `along`: with masses and drag along elements, else those at nodes with which the rods are linearized.
  RodVibrations(RestingRods& rods, double time, bool along) : rods_(rods), drag_(rods.drag(time)) {
    if (!along) return;
    masses_along_ = rods.masses_along();
    drag_along_ = rods.drag_along(time);
  }

  const std::vector<double>& inertia() const override { return rods_.inertia(); }
  const std::vector<coupling::AlongElement>& masses_along() const override { return masses_along_; }
  int factor(double share) override {
    if (!masses_along_.empty()) rods_.linearize_vibrations(share);
    return rods_.factor(share);
  }
  void solve(std::vector<DoublePack>& vectors) const override { rods_.solve_again(vectors); }
  std::vector<std::vector<double>> free_motions() const override { return rods_.free_motions(); }
  std::vector<std::vector<double>> whole_motions() const override { return rods_.whole_motions(); }
  std::vector<double> telling_weights() const override { return rods_.telling_weights(); }
  std::vector<double> resistance(const std::vector<double>& velocity) const override {
    std::vector<double> force = drag_;
    for (std::size_t k = 0; k < force.size(); ++k) force[k] *= velocity[k];
    for (const coupling::AlongElement& drag : drag_along_) drag.correct(velocity.data(), force.data());
    rods_.add_material_drag(velocity, force);
    return force;
  }
  std::vector<double> at_nodes(const std::vector<double>& shape) const override {
    return rods_.at_nodes(shape);
  }

 private:
  RestingRods& rods_;
  std::vector<double> drag_;
  std::vector<coupling::AlongElement> masses_along_;
  std::vector<coupling::AlongElement> drag_along_;
};

}  // namespace

Equilibrium::Equilibrium(const MemberSpec& spec, const MemberArrays& arrays)
    : rods_(spec, arrays),
      most_iterations_(spec.newton.iterations),
      neutral_(neutral_part * rods_.slowest()),
      strained_(rods_.unknowns()) {}

void Equilibrium::become(const MemberSpec& spec, double time) {
  const double slowest = rods_.slowest();
  rods_.become(spec, time);
  if (rods_.slowest() != slowest) neutral_ = neutral_part * rods_.slowest();
}

void Equilibrium::begin(double time, bool from_rest, bool released) {
  time_ = time;
  from_rest_ = from_rest;
  rods_.stand();
  std::ranges::fill(strained_, 0.0);
  if (!from_rest && !released) return;
  rods_.set_loads(time, from_rest ? 0.0 : 1.0);
  rods_.balance(strained_);
}

SolveOutcome Equilibrium::solve(double time, double share, bool can_be_halved) {
  const std::vector<Placement> before = rods_.state();
  std::optional<RestCriterion> criterion = begin_search(time, can_be_halved);
  if (!criterion) return {};
  iterate(time, share, *criterion);
  return end_search(time, *criterion, before);
}

std::optional<RestCriterion> Equilibrium::begin_search(double time, bool can_be_halved) {
  if (!rods_.place(time_, time)) return std::nullopt;
  rods_.note_stress();
  const int of_one_buckling = 2 * static_cast<int>(rods_.count());  // round rods buckle in two planes
  return RestCriterion(most_iterations_, neutral_,
                       can_be_halved ? of_one_buckling : RestCriterion::any_number);
}

SolveOutcome Equilibrium::end_search(double time, const RestCriterion& criterion,
                                     const std::vector<Placement>& before) {
  if (criterion.outcome().converged) {
    time_ = time;
  } else {
    rods_.restore(before);
  }
  return criterion.outcome();
}

/// Newton's system for the way to an equilibrium (method::solve_by_newton).
class Equilibrium::Iteration {
 public:
  Iteration(Equilibrium& own, double time, double share, const RestCriterion& criterion)
      : own_(own), time_(time), share_(share), criterion_(criterion), inertia_(criterion.inertia()) {}

  void evaluate() {
    own_.rods_.set_loads(time_, own_.from_rest_ ? share_ : 1.0);
    own_.rods_.linearize(own_.pull_, criterion_.iteration() > 1);
    if (share_ < 1.0) {
      for (std::size_t i = 0; i < own_.pull_.size(); ++i) own_.pull_[i] -= (1.0 - share_) * own_.strained_[i];
    }
    own_.neutral_ = std::max(own_.neutral_, own_.least_neutral());
  }

  bool find_step(int /*iteration*/) {
    inertia_ = own_.find_step(inertia_);
    const bool is_unstable = inertia_ > own_.neutral_ && criterion_.counts_unstable();
    unstable_ = is_unstable ? own_.rods_.factor(own_.neutral_) : 0;
    return true;
  }

  double largest_part() const {
    return own_.rods_.part_in_contact(own_.pull_, own_.step_, criterion_.most_part());
  }

  void take(double part) { own_.rods_.take(own_.step_, part); }

  std::vector<Vec3> unheld_pulls() const { return own_.rods_.unheld_pulls(); }
  double turn() const { return own_.rods_.size(own_.step_).turn; }
  double shift() const { return own_.rods_.size(own_.step_).shift; }
  double inertia() const { return inertia_; }
  int unstable() const { return unstable_; }
  bool is_idle() const { return own_.rods_.is_idle(own_.pull_, own_.step_); }
  double neutral() const { return own_.neutral_; }
  void hide(double inertia) {
    if (inertia > own_.neutral_) own_.hide(inertia, own_.rods_.rounding());
  }
  bool touches() const { return own_.rods_.contacts() != nullptr; }
  bool is_pressed() const { return own_.rods_.in_contact(); }
  void renew_contact() { own_.rods_.renew_contact(); }

 private:
  Equilibrium& own_;
  double time_;
  double share_;
  const RestCriterion& criterion_;
  double inertia_;
  int unstable_ = 0;
};

/// Iterates by Newton's method; EquilibriaInLanes::iterate() does so with several members.
void Equilibrium::iterate(double time, double share, RestCriterion& criterion) {
  if (!criterion.goes_on()) return;
  Iteration iteration(*this, time, share, criterion);
  method::solve_by_newton(iteration, criterion);
}

/// Least neutral share. Rods that touch are free to slide, which rounding alone would make them do.
double Equilibrium::least_neutral() const {
  const double part = neutral_part * rods_.slowest();
  return rods_.may_touch() ? std::max(part, rods_.rounding()) : part;
}

/// Sets the step, and returns the share of the inertia that it took. `last_share` is where to begin. A pivot
/// of zero, as that of a roll that nothing resists, is not positive either.
double Equilibrium::find_step(double last_share) {
  const auto is_finite = [&](const std::vector<double>& step) {
    return std::isfinite(rods_.size(step).turn);
  };
  if (rods_.solve_if_definite(neutral_, pull_, step_) && is_finite(step_)) return neutral_;
  method::InertiaSearch search(last_share, neutral_, rods_.slowest());
  while (search.goes_on()) {
    const bool definite = rods_.solve_if_definite(search.share(), pull_, trial_) && is_finite(trial_);
    if (search.judge(definite, definite ? rods_.size(trial_).turn : 0.0)) step_.swap(trial_);
  }
  if (!std::isfinite(search.enough())) std::ranges::fill(step_, std::nan(""));  // ends the search
  return search.enough();
}

/// Finds stability by the mixed form where eigenvalues are below the rounding of the plain one.
Stability Equilibrium::stability() {
  if (!rods_.have_energy()) return {};
  rods_.forget_free_motions();
  rods_.set_loads(time_, 1.0);
  if (rods_.has_mixed_form()) return slow_stability(0);
  rods_.linearize(pull_, false);
  const int unstable = rods_.factor(no_sign());
  if (const auto told = told_by_inertia(no_sign(), unstable)) return *told;
  return slow_stability(unstable);
}

/// Stability in the mixed form. Without free motions Sylvester's law of inertia is tried first. Else
/// `expected` modes and one more are found, except motions that cost no energy: known ones, and those whose
/// square is rounding while that is far below the slowest vibration, as where a buckled ring goes along its
/// own centre line.
Stability Equilibrium::slow_stability(int expected) {
  const MixedForm mixed(rods_, true);
  rods_.linearize_at_rest();
  rods_.find_free_motions(free_square());
  const double rounding = slow_rounding();
  const double hidden = least_sign(0.0, rounding);
  const double nothing = hidden <= neutral_part * rods_.slowest() ? hidden : 0.0;
  RodVibrations vibrations(rods_, time_, false);
  if (vibrations.free_motions().empty()) {
    constexpr double least =
        std::numeric_limits<double>::epsilon();  // of a rod of one element nothing is rounded
    const double told_from = std::max({nothing, rounding, least * rods_.slowest()});
    const auto told = told_by_inertia(told_from, rods_.factor(told_from));
    if (told) return *told;
  }
  coupling::LowestModes lowest;
  std::vector<coupling::Mode>& modes = lowest.modes;
  for (auto count = static_cast<std::size_t>(expected) + 1;; count *= 4) {
    lowest = coupling::lowest_modes(vibrations, rods_.slowest(), rounding, count, 0);
    if (modes.size() < count || modes.back().square > nothing) break;
  }
  rods_.forget_free_motions();
  if (!lowest.are_all) return {.has_digits = false};
  std::erase_if(modes, [&](const coupling::Mode& mode) { return std::abs(mode.square) <= nothing; });
  const auto has_digits = [&](const coupling::Mode& mode) { return std::abs(mode.square) > rounding; };
  if (modes.empty()) return {};
  if (!std::ranges::all_of(modes, has_digits)) return {.has_digits = false};
  const auto unstable = std::ranges::count_if(modes, [](const auto& mode) { return mode.square < 0.0; });
  return {static_cast<double>(unstable), modes.front().square * rods_.mass()};
}

/// Least eigenvalue, by inverse iteration from below all, of a matrix factored by `no_sign` with `unstable`
/// negative eigenvalues; nothing where some of these are no larger than no_sign in size, or where the
/// iteration finds another one.
std::optional<Stability> Equilibrium::told_by_inertia(double no_sign, int unstable) {
  if (unstable > 0 && rods_.factor(-no_sign) != unstable) return std::nullopt;
  const auto factor = [this](double share) { return rods_.factor(share); };
  const double share = unstable > 0 ? definite_share(4.0 * no_sign, factor) : no_sign;
  if (!std::isfinite(share)) return std::nullopt;
  start_mode(trial_, rods_.unknowns(), [this](auto& mode) { rods_.hold(mode); });
  const double roughly = least_eigenvalue(share, few_digits, trial_);
  if (!(std::abs(roughly) > no_sign)) return std::nullopt;
  bool is_least = true;
  const double least = refined<double>(
      {share, few_digits, rods_.rounding()}, roughly,
      [&](double closer) {
        is_least = is_least && rods_.factor(closer) == 0;
        return closer;
      },
      [&](double closer, double digits) { return least_eigenvalue(closer, digits, trial_); });
  if (!is_least || std::isnan(least)) return std::nullopt;
  return Stability{static_cast<double>(unstable), least * rods_.mass()};
}

/// Finds modes in the mixed form where rounding of the plain one counts. It always does in an unsymmetric
/// matrix, whose pivots mix what is stiff with what is not.
FoundModes Equilibrium::modes(int count) {
  const bool have_energy = rods_.have_energy();
  const MixedForm mixed(rods_, !have_energy || rods_.relative_rounding() > most_rounding_of_modes);
  RodVibrations vibrations(rods_, time_, true);
  rods_.set_loads(time_, 1.0);
  rods_.linearize_at_rest();
  if (!rods_.has_mixed_form()) rods_.note_stress();
  rods_.find_free_motions(free_square());
  const double slowest = rods_.slowest();
  const FoundModes found = have_energy ? coupling::find_modes(vibrations, slowest, slow_rounding(), count)
                                       : coupling::find_nonconservative_modes(
                                             vibrations, share_of_pushed * slowest, slow_rounding(), count);
  rods_.forget_free_motions();
  return found;
}

int Equilibrium::factor_at_rest(double time, std::vector<double>& pull) {
  rods_.forget_free_motions();
  rods_.take_form_by_rounding(RestingRods::rounding_of_branches);
  rods_.set_loads(time, 1.0);
  rods_.linearize_at_rest();
  rods_.balance(pull);
  rods_.find_free_motions(free_square());
  rods_.hold_free_motions();
  neutral_ = least_neutral();  // a share that hid rounding far away would hide unstable turns here too
  return rods_.factor(neutral_);
}

double Equilibrium::nearest_mode(std::vector<double>& mode) {
  start_mode(mode, rods_.unknowns(), [this](auto& start) { rods_.hold(start); });
  return least_eigenvalue(neutral_, all_digits, mode);
}

double Equilibrium::no_sign() const { return least_sign(neutral_, rods_.rounding()); }

/// Rounding of the squares of slow modes, 1/s^2.
double Equilibrium::slow_rounding() const {
  return rods_.has_mixed_form() ? rods_.rounding() : rods_.relative_rounding() * rods_.slowest();
}

double Equilibrium::free_square() const {
  return least_sign(neutral_part * rods_.slowest(), slow_rounding());
}

/// Eigenvalue of the matrix over the inertia nearest to minus a share of it, by which the matrix has been
/// factored, and its mode, of unit norm.
double Equilibrium::least_eigenvalue(double share, double digits, std::vector<double>& mode) {
  const auto solve = [this](std::vector<double>& vector) { rods_.solve_again(vector); };
  const auto leave_out = [this](std::vector<double>& vector) { rods_.leave_out_free_motions(vector); };
  return nearest_eigenvalue(rods_.inertia(), {share, digits, rods_.rounding()}, solve, leave_out, mode);
}

}  // namespace rodeo::statics
