#pragma once

#include <memory>
#include <vector>

#include "rodeo/der/scheme.hpp"
#include "rodeo/member/host_stepper.hpp"
#include "rodeo/method/alpha_numbers.hpp"

namespace rodeo::der {

/// Generalised alpha (Chung and Hulbert 1993), of second order with one solve. With the velocities v, their
/// derivatives v' of the equations of motion, and the acceleration-like a:
///   q1 = q0 + h v0 + h^2 ((1/2 - beta) a0 + beta a1),  v1 = v0 + h ((1 - gamma) a0 + gamma a1),
///   (1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) v1' + alpha_f v0'.
/// Without v1' the state would be q*, v*. The change of them by v1' makes the step one of backward Euler in
/// eta = (beta / gamma) h seconds from q* - eta v*, with velocities v*: of rods whose inertia is beta (1 -
/// alpha_m) / (gamma^2 (1 - alpha_f)) of their own. Loads that depend on the state are those where v0 and a0
/// take the rods. Where loads have jumped, a and v' jump by the a' for which q0 + h^2 a' and v0 + h a' fulfil
/// the equations of motion with the accelerations v' + a': a step of backward Euler from q0 - h v0, with
/// velocities v0 - h v'. At the start they jump from nothing; where other places are held than before, a is
/// v' first.
class GeneralizedAlpha final : public Scheme {
 public:
  explicit GeneralizedAlpha(const method::AlphaNumbers& numbers) : c_(numbers) {}

  double shortest_solve() const override;
  SolveOutcome advance(LoadedRods& rods, double end, double step) override;
  double loss() const override { return loss_; }
  void begin_anew() override { begins_anew_ = true; }
  void hold_anew() override {
    begins_anew_ = true;
    smooth_ = acceleration_;
  }
  void forget() override {}  // all data kept are saved
  void visit_state(StateArchive& archive) override;

 private:
  SolveOutcome add_push(LoadedRods& rods, double start, double step);
  SolveOutcome take_step(LoadedRods& rods, double end, double step);
  void set_loads(LoadedRods& rods, double end, double step);
  void go_to_start_of_solve(LoadedRods& rods, double end, double step);
  void note_accelerations(LoadedRods& rods, double step);

  /// The step of a solve, over that of the scheme.
  double part_of_step() const { return c_.position / c_.velocity; }
  /// The inertia with which rods resist in a solve, over their own.
  double inertia_part() const { return part_of_step() * part_of_step() * c_.share_of_forces(); }

  method::AlphaNumbers c_;
  // Kept from step to step.
  double last_step_ = 0.0;            ///< s; 0: none was taken
  bool begins_anew_ = false;          ///< loads, or held places, have jumped since
  std::vector<double> smooth_;        ///< a
  std::vector<double> acceleration_;  ///< v'
  // Used within a step.
  /// Loss in the last step, J: work of all forces by the trapezoidal rule, less the gain of motion.
  double loss_ = 0.0;
  std::vector<double> start_;               ///< the arrays that it starts from
  std::vector<double> rates_;               ///< v0
  std::vector<double> way_;                 ///< from the start to where the solve begins
  std::vector<double> rates_before_solve_;  ///< v*
};

/// A member whose steps are those of generalised alpha: a rodeo::MakeHostMember.
std::unique_ptr<HostMember> make_generalized_alpha_member(const MemberSpec& spec, const MemberArrays& arrays);

}  // namespace rodeo::der
