#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/coupling/largest_step.hpp"
#include "rodeo/coupling/resting_ground.hpp"
#include "rodeo/der/loaded_rods.hpp"
#include "rodeo/member/changed_member.hpp"
#include "rodeo/member/placements.hpp"

namespace rodeo::der {

/// The rods of a member at rest, the loads on them at a time, and the matrix by which steps follow from
/// unbalanced forces.
class RodsAtRest {
 public:
  /// The arrays have to stay where they are. `shortest_step`: of a solve on the way to an equilibrium, s.
  RodsAtRest(const MemberSpec& spec, const MemberArrays& arrays, double shortest_step);

  /// Turns the rods into those of another member with as many elements and the same supports; only held ends
  /// move. The factors of their matrix stay.
  void become(const MemberSpec& spec, double time);

  LoadedRods& loaded() { return *loaded_; }
  ImplicitEuler& solver() { return loaded_->solver(); }
  const ImplicitEuler& solver() const { return loaded_->solver(); }
  std::size_t unknowns() const { return inertia_.size(); }
  /// Inertia of each unknown: mass of a node, moment of inertia of an element about its tangent.
  const std::vector<double>& inertia() const { return inertia_; }
  double mass() const;  ///< of all nodes, kg

  /// Begins and ends the motions that do so with the step after so many. Returns whether any does.
  bool begin_motions(std::int64_t steps);
  void hold_places(std::int64_t steps) { begin_motions(steps); }
  /// Whether ends or elements that are driven turn too far from one time to another for one step. Over rods
  /// that may touch each other turns are not spread.
  bool are_driven_too_far(double from, double to) const;

  /// Takes the present state as the start of steps, and sets a part of the loads on it at a time.
  void set_loads(double time, double part);
  /// Sets the loads of the last time and part in the present state.
  void set_loads() { set_loads(load_time_, load_part_); }

  // Functions with these loads.

  /// Sets the unbalanced forces.
  void balance(std::vector<double>& pull);
  /// Sets the unbalanced forces, and the matrix once it is factored. Its geometric terms have the tensions
  /// that take() predicted if `predicted`, else the true ones.
  void linearize(std::vector<double>& pull, bool predicted);
  /// Factors the matrix with a share of the inertia added, 1/s^2; returns the number of negative eigenvalues,
  /// without those that loads without energy leave complex. Nothing without factors.
  std::optional<int> factor(double share);
  /// Sets `step` to the solution for `pull` with a share of the inertia, but along known free motions, which
  /// rounding alone would make it go.
  void solve(double share, const std::vector<double>& pull, std::vector<double>& step);
  void solve_again(std::vector<double>& vector);
  /// Takes a part of a step.
  void take(std::span<const double> step, double part);
  bool have_energy() const { return have_energy_; }

  /// After factor(share): finds motions of the rods as wholes, and rolls about their centre lines, that cost
  /// less than `no_sign`, 1/s^2. Sets the mode whose eigenvalue is nearest to minus the share but these, and
  /// returns its eigenvalue, with few digits; NaN where iterations end at their limit.
  double find_free_motions(double share, double no_sign, std::vector<double>& mode);
  std::size_t free_motions() const { return free_motions_.size(); }  ///< how many are known
  /// Eigenvalue nearest to minus the share, with more digits, from a mode on.
  double nearest_mode(double share, double digits, std::vector<double>& mode);
  /// Vector with which iterations for a mode begin, another one for each known free motion: of modes of one
  /// eigenvalue those that are left have no part in the vector that led to the first.
  std::vector<double> any_mode() const;
  /// After factor(): number of known free motions to which rounding gives negative eigenvalues.
  int negative_free_motions();
  void leave_out_free_motions(std::vector<double>& vector) const;
  /// Whether loads move the rods by free motions, which solve() leaves out: then it is no equilibrium
  /// although nothing else is unbalanced.
  bool are_moved_freely(const std::vector<double>& pull) const;

  /// Product of two displacements in the mean square over the rods' length and turns of elements.
  double length_product(const std::vector<double>& a, const std::vector<double>& b) const;
  coupling::StepSize size(std::span<const double> step) const;

  const coupling::RestingGround& ground() const { return ground_; }
  std::vector<ConstRodView> views() const;
  /// Whether stiffnesses jump as elements begin or end to touch something.
  bool may_kink() const { return ground_.exists(); }
  std::vector<bool> touches() const { return ground_.touches(views()); }
  double rate_of_touching(const std::vector<bool>& since, std::span<const double> way) const;

  /// Positions and orientations.
  std::vector<Placement> state() const { return placements(member_.all); }
  void restore(const std::vector<Placement>& state);
  /// Takes the present state as the one to go on from.
  void stand() { solver().stand(); }
  /// Root of the mean square displacement of nodes from a state to the present one, over the rods' length.
  double distance(const std::vector<Placement>& from) const;

  /// Notes the forces of motions and the platen on the rods, and their work since a time.
  void note(double from);
  std::vector<double>* platen_record() { return loaded_->platen_record(); }
  LinkForces* links() { return loaded_->links() ? &*loaded_->links() : nullptr; }
  const coupling::Contacts* contacts() const { return loaded_->contacts() ? &*loaded_->contacts() : nullptr; }
  /// Whether an element has come past the middle of a ball or cylinder of the ground.
  bool has_crossed() const;

  Sample sample() const { return loaded_->sample({}); }
  void visit_state(StateArchive& archive) { loaded_->visit_state(archive); }

 private:
  const std::vector<RodStep>& rods() const { return solver().rods(); }

  MemberArrays member_;
  double shortest_step_;
  ChangedMember changed_;  ///< the member that they have become
  std::unique_ptr<LoadedRods> loaded_;
  coupling::RestingGround ground_;
  std::vector<double> inertia_;
  std::vector<std::vector<double>> free_motions_;  ///< of unit norm in the measure of the inertia
  std::vector<double> unbalanced_;
  std::vector<std::vector<double>> predicted_;  ///< tensions of each rod's elements, N
  std::int64_t held_step_ = 0;                  ///< step in which motions act, counted from 0
  double load_time_ = 0.0;                      ///< time of the loads, s
  double load_part_ = 1.0;
  bool have_energy_ = true;  ///< all that acts has one
  bool has_crossed_ = false;
};

}  // namespace rodeo::der
