#pragma once

#include <optional>
#include <vector>

#include "rodeo/coupling/assembly.hpp"
#include "rodeo/coupling/contacts.hpp"
#include "rodeo/coupling/ground_contact.hpp"
#include "rodeo/coupling/ties.hpp"

namespace rodeo::implicit {

struct MovingRod;

/// What presses on the rods of a member in a step: each other and the ground. Its forces are those
/// of the end of the step.
class Pressing {
 public:
  /// The ties have to stay where they are.
  Pressing(const MemberSpec& spec, const RodView& all, const coupling::Ties& ties);

  /// Whether there is anything that may press, in whatever step.
  bool exists() const { return contacts_ || ground_; }
  /// Whether anything may press in this one.
  bool may_act() const { return (contacts_ || has_ground()) && !is_left_out_; }

  /// Begins a step of so many seconds to `end` from `start`, where the arrays stand. The ground takes no part
  /// in it where none of it is in reach, unless it has pressed in the step before.
  void begin_step(const std::vector<MovingRod>& rods, const std::vector<double>& start, double end,
                  double step, bool has_pressed);
  /// Goes on with `guess` as the first iterate, where the arrays stand. False if driven ends are in the way.
  bool begin_iteration(const std::vector<double>& guess, double step);
  /// Whether rods have come to the ground on their way to q although it took no part. It does from then on.
  bool take_ground_if_reached(const std::vector<double>& q);

  /// Sets minus the forces at q, on nodes that are one those on all of them. `pull` is what pulls the rods
  /// without them.
  void find(const std::vector<double>& q, const std::vector<double>& pull, std::vector<double>& force);

  /// What of the forces that the last find() set is the ground's.
  const std::vector<double>& of_ground(const std::vector<double>& force) const {
    return contacts_ ? of_ground_ : force;
  }

  /// Whether anything presses in the state of the last find().
  bool acts() const { return acts_ && !is_left_out_; }

  /// Has all that presses take no part, or take part again.
  void leave_out(bool is_left_out) { is_left_out_ = is_left_out; }

  /// Whether rods rub on each other, and how that changes with the slip in the matrices below from now on
  /// (contact::FrictionTangent).
  bool rubs() const { return contacts_ && contacts_->has_friction(); }
  void take_change(coupling::FrictionChange change) { change_ = change; }

  /// Adds the derivative of what that has set, times `share`.
  void add_matrix(double share, coupling::Assembly& matrix);
  bool is_symmetric() const;

  /// The largest part of the move p from the state of the last find() that may be taken.
  double bound(const std::vector<double>& p);

  /// Takes the step to q, where the arrays are; false if rods have passed through each other on the way.
  bool accept(const std::vector<double>& q);

  /// What follows depends on the arrays alone.
  void forget();

  /// Counts the contacts of a step after so many iterations.
  void count(bool converged, int iterations, ImplicitSample& counts) const;

  /// Of rods, as the last find() left them; nothing without any.
  const std::optional<coupling::Contacts>& contacts() const { return contacts_; }

  /// The record of the platen; null without ground.
  std::vector<double>* platen_record() { return ground_ ? &ground_->platen_record() : nullptr; }

  /// What the springs of the ground hold at the end of the last step, J.
  double ground_energy(const RodView& all) const { return ground_ ? ground_->energy(all, end_) : 0.0; }

  /// What slip and dashpots of the ground have taken so far, J.
  double ground_loss() const { return ground_ ? ground_->loss() : 0.0; }

  void visit_state(StateArchive& archive);

 private:
  bool has_ground() const { return ground_ && !is_out_of_reach_; }

  const coupling::Ties& ties_;
  std::optional<coupling::Contacts> contacts_;
  std::optional<coupling::GroundContact> ground_;
  std::optional<BandedMatrix> band_;  ///< of the ground
  std::vector<double> at_;            ///< of the last find()
  std::vector<double> of_ground_;
  std::vector<double> without_contact_;
  std::vector<double> start_;
  double end_ = 0.0;  ///< s
  bool acts_ = false;
  bool is_left_out_ = false;
  bool is_out_of_reach_ = false;  ///< the ground
  coupling::FrictionChange change_ = coupling::FrictionChange::exact;
};

}  // namespace rodeo::implicit
