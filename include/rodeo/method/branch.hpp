#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "rodeo/member/placements.hpp"
#include "rodeo/member/stability.hpp"
#include "rodeo/member/state_archive.hpp"
#include "rodeo/method/nearby_criterion.hpp"
#include "rodeo/observe/equilibrium.hpp"
#include "rodeo/spec/member_spec.hpp"
#include "rodeo/spec/method.hpp"

namespace rodeo::method {

/// Follows a branch of equilibria as a number of the deck changes, by pseudo-arclength continuation (Keller
/// 1977; Seydel, Practical Bifurcation and Stability Analysis, 2010): a step along the tangent, then Newton's
/// iterations across it, in which the number is an unknown too, so that folds are no obstacle.
///
/// The length of a step is the root of the mean square displacement over the rods' length, plus the mean
/// square turn of elements, plus the square of the number's change over that from branch.from to branch.to.
///
/// A fold is where the number turns round, a bifurcation where another number of eigenvalues changes its sign
/// than a fold explains. A step across either is repeated so that it ends there. The branch that crosses is
/// found on the way along the mode whose stiffness has become zero; of several such modes along one of them.
/// Where an element begins or ends to touch the ground the branch has a kink, and eigenvalues jump: if they
/// change their sign so, that is no bifurcation.
///
/// Under loads that have no energy eigenvalues of the matrix tell less: rods leave an equilibrium where a
/// vibration begins to grow, as two of one frequency do (Beck 1952; Bolotin 1963). Beside that point the
/// square of the rate at which it grows is linear.
///
/// An equilibrium has
///   become(spec, time): makes its rods those of another member, which leaves them where they are;
///   factor_at_rest(time, pull): at an equilibrium, factors the matrix and sets the unbalanced forces;
///   returns the number of negative eigenvalues; neutral(): the share of the inertia with which the matrix is
///   solved, 1/s^2; nearest_mode(mode), after that: the eigenvalue nearest to zero, 1/s^2, and its mode;
///   stability(); modes(count): its slowest vibrations, which the rods stay linearized by.
/// Its rods have
///   set_loads(time, part), balance(pull), linearize(pull, predicted), take(step, part): sets loads and
///   unbalanced forces, their derivative, and takes a step;
///   solve(share, pull, step), solve_again(vector): the step by such forces, with a share of the inertia;
///   have_energy(), are_moved_freely(pull), leave_out_free_motions(vector): of motions that cost no energy;
///   length_product(a, b), size(step) (coupling::StepSize), distance(state): measures;
///   may_kink(), touches(), rate_of_touching(since, way): of the ground;   unknowns(), state(), restore().
template <class Equilibrium>
class Branch {
 public:
  /// The equilibrium at the spec's own number has been found before begin(). `modes`: number of modes of
  /// which one may grow.
  Branch(const BranchSpec& spec, double time, int modes, Equilibrium& equilibrium);

  /// Goes to where the points begin: at branch.from, or at the last of the branch's turns. False if that is
  /// not found.
  bool begin();

  /// Goes to the next point. False if none is found; then the rods stay where they are.
  bool advance();

  /// Stability of the present point.
  Stability stability();

  /// Whether the branch has come to where it stops.
  bool ended() const { return now_.ended; }
  /// Whether the present point is a fold, a bifurcation, or where a vibration begins to grow. A stiffness is
  /// zero there, which may be less than rounding leaves of it where the rods stand.
  bool is_critical() const { return now_.is_critical; }

  /// Number of the deck at the present point; at a fold or bifurcation its own, which the rods have passed by
  /// a fortieth of a step at most, as no equilibrium is found well where it branches.
  double value() const { return now_.shown; }
  /// Events on the branch so far; bifurcations are not known of loads without an energy.
  double bifurcations() const;
  double folds() const { return now_.folds; }
  double first_critical_value() const { return now_.first_critical; }
  int iterations() const { return now_.iterations; }

  /// Saves or restores what stays from point to point besides the rods' state.
  void visit_state(StateArchive& archive);

 private:
  static constexpr double least_length = 1e-6;        ///< of branch.step
  static constexpr double value_difference = 1e-5;    ///< of the range, for derivatives
  static constexpr double least_cosine = 0.9;         ///< of the angle between the tangents of two points
  static constexpr double most_predicted_turn = 0.8;  ///< rad
  static constexpr double bracketed_part = 0.25;  ///< of a step, between points that tell of a bifurcation
  static constexpr double beside_part =
      0.1;  ///< of the distance of such points, by which a step ends behind it
  static constexpr double located_part = 1e-6;       ///< of a step within which a bifurcation is looked for
  static constexpr double fold_part = 1e-3;          ///< of a step within which a fold is bracketed
  static constexpr double flutter_part = 1e-3;       ///< and where a vibration begins to grow
  static constexpr int most_at_once = 2;             ///< eigenvalues: a pair of round sections
  static constexpr double least_turn_length = 1e-3;  ///< of branch.step

  /// Plain, for it is saved and restored as it is.
  struct Now {
    double value = 0.0;  ///< of the number, for the present rods
    double shown = 0.0;
    double length = 0.0;      ///< of the next step
    double value_rate = 0.0;  ///< of the tangent
    double next_side = 0.0;   ///< side to which the next step leaves the branch; 0: none
    double first_critical = std::nan("");
    int negative = 0;  ///< eigenvalues
    int bifurcations = 0;
    int folds = 0;
    int iterations = 0;  ///< in all
    bool easy = false;   ///< the last step was
    bool at_bifurcation = false;
    bool is_critical = false;  ///< at a fold, a bifurcation, or where a vibration begins to grow
    bool grows = false;        ///< a vibration does, where that is looked for
    bool ended = false;
  };

  /// A point and the tangent there.
  struct Point {
    std::vector<Placement> state;
    std::vector<double> tangent;
    Now now;
    std::vector<bool> touches;  ///< which pairs of elements and surfaces do
  };

  class Correction;

  bool stand_at(double value);
  Point point() const { return {rods_.state(), tangent_, now_, rods_.touches()}; }
  void go_back_to(const Point& point);
  /// Product of two displacements with changes of the value, in the measure of lengths.
  double product(const std::vector<double>& a, double value_a, const std::vector<double>& b,
                 double value_b) const;
  void set_value_pull();
  void move(const std::vector<double>& direction, double length);
  bool correct(const std::vector<double>* direction, double value_rate);
  double finish_point(const std::vector<double>& direction, double value_rate);
  void linearize();
  bool reach(const Point& from, double length);
  bool face_onwards(const Point& from);
  bool is_near(const Point& from, double length) const;
  bool pass_kink(const Point& from, double length);
  bool pass_kink_towards(const Point& from, double length, double rate);
  bool try_step(const Point& from, double length);
  bool take_next_point();
  bool stop_at_events(const Point& from, double length);
  bool stop_at_fold(const Point& from, double length);
  bool stop_at_bifurcation(const Point& from, double length);
  double growth();
  bool stop_at_flutter(const Point& from, double length);
  void note_event(BranchStop kind);
  bool go_to_bifurcation(int which);
  bool turn();

  using Rods = std::remove_cvref_t<decltype(std::declval<Equilibrium&>().rods())>;

  const BranchSpec& spec_;
  double time_;
  int modes_;
  Equilibrium& equilibrium_;
  Rods& rods_;
  double range_;  ///< to - from
  std::vector<double> tangent_;
  std::vector<double> value_pull_;  ///< derivative of the unbalanced forces by the number
  std::vector<double> pull_;
  std::vector<double> step_;
  std::vector<double> crossing_mode_;  ///< mode of the last bifurcation
  std::vector<double> answer_;         ///< to value_pull_
  bool linear_ = false;                ///< first-order data are those of the present point
  bool stands_ = false;                ///< the rods are those of now_.value
  bool balanced_ = true;               ///< at the present point loads do not move the rods as wholes
  Now now_;
};

template <class Equilibrium>
Branch<Equilibrium>::Branch(const BranchSpec& spec, double time, int modes, Equilibrium& equilibrium)
    : spec_(spec),
      time_(time),
      modes_(modes),
      equilibrium_(equilibrium),
      rods_(equilibrium.rods()),
      range_(spec.to - spec.from),
      tangent_(rods_.unknowns()) {
  now_.value = now_.shown = spec.from;
  now_.length = spec.step;
}

template <class Equilibrium>
double Branch<Equilibrium>::bifurcations() const {
  return rods_.have_energy() ? now_.bifurcations : std::nan("");
}

template <class Equilibrium>
bool Branch<Equilibrium>::begin() {
  if (!stand_at(spec_.from)) return false;
  finish_point(std::vector<double>(rods_.unknowns()), range_);  // towards branch.to
  if (spec_.stop == BranchStop::first_flutter) now_.grows = growth() > 0.0;
  for (const double which : spec_.turns) {
    if (which == 0.0) break;
    if (now_.next_side != 0.0 && !turn()) return false;
    if (!go_to_bifurcation(static_cast<int>(std::abs(which)))) return false;
    now_.next_side = which > 0.0 ? 1.0 : -1.0;
  }
  return true;
}

template <class Equilibrium>
bool Branch<Equilibrium>::advance() {
  if (!stands_) {
    // To become what they are at a value moves held and sliding ends by what is rounded.
    const std::vector<Placement> state = rods_.state();
    if (!stand_at(now_.value)) return false;
    rods_.restore(state);
  }
  if (!linear_) linearize();
  return now_.next_side != 0.0 ? turn() : take_next_point();
}

template <class Equilibrium>
Stability Branch<Equilibrium>::stability() {
  linear_ = false;
  return equilibrium_.stability();
}

template <class Equilibrium>
bool Branch<Equilibrium>::stand_at(double value) {
  const std::optional<MemberSpec> spec = spec_.family->at(value);
  if (!spec) return false;
  equilibrium_.become(*spec, time_);
  now_.value = value;
  stands_ = true;
  return true;
}

/// Factors the matrix, and sets the derivative by the value, at the present point.
template <class Equilibrium>
void Branch<Equilibrium>::linearize() {
  equilibrium_.factor_at_rest(time_, pull_);
  set_value_pull();
  linear_ = true;
}

template <class Equilibrium>
void Branch<Equilibrium>::go_back_to(const Point& point) {
  const int iterations = now_.iterations;
  tangent_ = point.tangent;
  now_ = point.now;
  now_.iterations = iterations;
  stand_at(now_.value);
  rods_.restore(point.state);
  if (!linear_) linearize();
}

template <class Equilibrium>
double Branch<Equilibrium>::product(const std::vector<double>& a, double value_a,
                                    const std::vector<double>& b, double value_b) const {
  return value_a * value_b / (range_ * range_) + rods_.length_product(a, b);
}

/// Sets the derivative of the unbalanced forces by the value, in the present state.
template <class Equilibrium>
void Branch<Equilibrium>::set_value_pull() {
  const double value = now_.value;
  const auto pull_at = [&](double other, std::vector<double>& pull) {
    if (!stand_at(other)) return false;
    rods_.set_loads(time_, 1.0);
    rods_.balance(pull);
    return true;
  };
  const std::vector<Placement> state = rods_.state();
  double upper = value + value_difference * std::abs(range_);
  if (!pull_at(upper, value_pull_)) pull_at(upper = value, value_pull_);
  double lower = value - value_difference * std::abs(range_);
  if (!pull_at(lower, pull_)) pull_at(lower = value, pull_);
  stand_at(value);
  rods_.restore(state);
  const double inverse = 1.0 / (upper - lower);
  for (std::size_t i = 0; i < value_pull_.size(); ++i) value_pull_[i] = inverse * (value_pull_[i] - pull_[i]);
}

/// Moves by a whole step, as the predicted stress is that of its end.
template <class Equilibrium>
void Branch<Equilibrium>::move(const std::vector<double>& direction, double length) {
  step_ = direction;
  for (double& entry : step_) entry *= length;
  rods_.take(step_, 1.0);
}

/// Newton's system for the equilibrium across a direction from here; without one for that of the present
/// value. The gauge alone keeps free motions out of it: those that the last point had are strains for rods
/// which have moved on.
template <class Equilibrium>
class Branch<Equilibrium>::Correction {
 public:
  Correction(Branch& own, const std::vector<double>* direction, double value_rate)
      : own_(own), direction_(direction), value_rate_(value_rate) {}

  void evaluate() {
    own_.rods_.set_loads(own_.time_, 1.0);
    own_.rods_.linearize(own_.pull_, true);
  }

  bool find_step(int /*iteration*/) {
    std::vector<double>& step = own_.step_;
    own_.rods_.solve(own_.equilibrium_.neutral(), own_.pull_, step);
    if (direction_ == nullptr) return true;
    own_.answer_ = own_.value_pull_;
    own_.rods_.solve_again(own_.answer_);
    change_ = -own_.product(*direction_, 0.0, step, 0.0) /
              own_.product(*direction_, value_rate_, own_.answer_, 1.0);
    for (std::size_t i = 0; i < step.size(); ++i) step[i] += change_ * own_.answer_[i];
    return true;
  }

  double step_length() const {
    return std::max(own_.rods_.size(own_.step_).largest(), std::abs(change_ / own_.range_));
  }
  double largest_part() const { return 1.0; }
  void take(double part) {
    is_lost_ = change_ != 0.0 && !own_.stand_at(own_.now_.value + part * change_);
    if (!is_lost_) own_.rods_.take(own_.step_, part);
  }
  bool is_lost() const { return is_lost_; }

 private:
  Branch& own_;
  const std::vector<double>* direction_;
  double value_rate_;
  double change_ = 0.0;  ///< of the value in a step
  bool is_lost_ = false;
};

template <class Equilibrium>
bool Branch<Equilibrium>::correct(const std::vector<double>* direction, double value_rate) {
  Correction correction(*this, direction, value_rate);
  NearbyCriterion criterion;
  const bool converged = solve_by_newton(correction, criterion);
  now_.iterations += criterion.iterations();
  if (converged || criterion.iterations() > 1) now_.easy = criterion.was_easy();
  return converged;
}

/// Sets tangent and matrix data of the present equilibrium; the tangent goes on as `direction` does. Returns
/// the cosine of the angle between them.
template <class Equilibrium>
double Branch<Equilibrium>::finish_point(const std::vector<double>& direction, double value_rate) {
  now_.negative = equilibrium_.factor_at_rest(time_, pull_);
  balanced_ = !rods_.are_moved_freely(pull_);
  set_value_pull();
  tangent_ = value_pull_;
  rods_.solve_again(tangent_);
  rods_.leave_out_free_motions(tangent_);
  linear_ = true;
  const double scale = 1.0 / std::sqrt(product(tangent_, 1.0, tangent_, 1.0));
  const double ahead = scale * product(direction, value_rate, tangent_, 1.0);
  now_.value_rate = std::copysign(scale, ahead);
  for (double& rate : tangent_) rate *= now_.value_rate;
  now_.shown = now_.value;
  now_.at_bifurcation = now_.is_critical = false;
  return std::abs(ahead);
}

/// Goes to the equilibrium a step along the tangent of a point, or to the end of the range if that is nearer.
template <class Equilibrium>
bool Branch<Equilibrium>::try_step(const Point& from, double length) {
  if (reach(from, length)) return true;
  linear_ = false;  // what the last iterations have seen may be far from any equilibrium
  return false;
}

template <class Equilibrium>
bool Branch<Equilibrium>::reach(const Point& from, double length) {
  go_back_to(from);
  const double bound = (now_.value_rate > 0.0) == (range_ > 0.0) ? spec_.to : spec_.from;
  const double to_bound = (bound - now_.value) / now_.value_rate;
  const bool ends = length >= to_bound;
  if (ends) length = to_bound;
  if (length * rods_.size(from.tangent).turn > most_predicted_turn) return false;
  if (!stand_at(ends ? bound : now_.value + length * now_.value_rate)) return false;
  move(from.tangent, length);
  const auto [least, most] = std::minmax(spec_.from, spec_.to);
  if (!correct(ends ? nullptr : &from.tangent, from.now.value_rate) || now_.value < least ||
      now_.value > most)
    return pass_kink(from, length);
  const double cosine = finish_point(from.tangent, from.now.value_rate);
  if (!balanced_) return false;
  now_.ended = ends;
  if (rods_.touches() == from.touches) return cosine >= least_cosine;
  const bool goes_back = face_onwards(from);
  return (cosine >= least_cosine && !goes_back) || is_near(from, length) || pass_kink(from, length);
}

template <class Equilibrium>
bool Branch<Equilibrium>::take_next_point() {
  const Point from = point();
  for (double length = now_.length; length >= least_length * spec_.step; length *= 0.5) {
    if (!try_step(from, length) || !stop_at_events(from, length)) continue;
    now_.length = std::min(spec_.step, now_.easy ? 2.0 * length : length);
    return true;
  }
  go_back_to(from);
  return false;
}

template <class Equilibrium>
void Branch<Equilibrium>::visit_state(StateArchive& archive) {
  archive.visit(now_);
  archive.visit(std::span(tangent_));
  if (archive.restores()) stands_ = linear_ = false;
}

}  // namespace rodeo::method

#include "rodeo/method/branch_events.hpp"
