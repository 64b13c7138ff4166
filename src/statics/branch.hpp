#pragma once

#include <cmath>
#include <vector>

#include "rodeo/member/state_archive.hpp"
#include "rodeo/spec/branch_spec.hpp"

#include "equilibrium.hpp"

namespace rodeo::statics {

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
class Branch {
 public:
  /// The equilibrium is that of the spec's own number, which has been found before begin().
  Branch(const BranchSpec& spec, double time, Equilibrium& equilibrium);

  /// Goes to where the points begin: at branch.from, or at the last of the branch's turns. False if that is
  /// not found.
  bool begin();

  /// Goes to the next point. False if none is found; then the rods stay where they are.
  bool advance();

  /// Of the present point.
  Stability stability();

  /// Whether the branch has come to where it stops.
  bool ended() const { return now_.ended; }

  /// Of the present point; of a fold or bifurcation its own, which the rods have passed by a fortieth of a
  /// step at most, as no equilibrium is found well where it branches.
  double value() const { return now_.shown; }
  /// What the branch has come across so far; bifurcations are not known of loads without an energy.
  double bifurcations() const;
  double folds() const { return now_.folds; }
  double first_critical_value() const { return now_.first_critical; }
  int iterations() const { return now_.iterations; }

  /// What it keeps from a point to the next besides the rods' state.
  void visit_state(StateArchive& archive);

 private:
  /// Plain, for it is saved and restored as it is.
  struct Now {
    double value = 0.0;  ///< for which the rods stand
    double shown = 0.0;
    double length = 0.0;      ///< of the next step
    double value_rate = 0.0;  ///< of the tangent
    double next_side = 0.0;   ///< to which the next step leaves the branch; 0: it does not
    double first_critical = std::nan("");
    int negative = 0;  ///< eigenvalues
    int bifurcations = 0;
    int folds = 0;
    int iterations = 0;  ///< in all
    bool easy = false;   ///< the last step was
    bool at_bifurcation = false;
    bool ended = false;
  };

  /// A point and the tangent there.
  struct Point {
    std::vector<double> state;
    std::vector<double> tangent;
    Now now;
    std::vector<bool> touches;  ///< RestingRods::touches
  };

  class Correction;

  bool stand_at(double value);
  Point point() const { return {rods_.state(), tangent_, now_, rods_.touches()}; }
  void go_back_to(const Point& point);
  /// In the measure of lengths, of two displacements with changes of the value.
  double product(const std::vector<double>& a, double value_a, const std::vector<double>& b,
                 double value_b) const;
  void set_value_pull();
  void move(const std::vector<double>& direction, double length);
  bool correct(const std::vector<double>* direction, double value_rate);
  int factor();
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
  void note_event(BranchStop kind);
  bool go_to_bifurcation(int which);
  bool turn();

  const BranchSpec& spec_;
  double time_;
  Equilibrium& equilibrium_;
  RestingRods& rods_;
  double range_;                 ///< to - from
  std::vector<double> weights_;  ///< of unknowns in lengths
  std::vector<double> tangent_;
  std::vector<double> value_pull_;  ///< derivative of what pulls by the number
  std::vector<double> pull_;
  std::vector<double> step_;
  std::vector<double> crossing_mode_;  ///< that of the last bifurcation
  std::vector<double> answer_;         ///< to value_pull_
  bool linear_ = false;                ///< what is known to the first order is that of the present point
  bool stands_ = false;                ///< the rods are those of now_.value
  bool balanced_ = true;               ///< at the present point loads do not move the rods as wholes
  Now now_;
};

}  // namespace rodeo::statics
