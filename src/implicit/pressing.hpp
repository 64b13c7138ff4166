#pragma once

#include <optional>
#include <vector>

#include "rodeo/coupling/assembly.hpp"
#include "rodeo/coupling/contacts.hpp"
#include "rodeo/coupling/cosserat_rod.hpp"
#include "rodeo/coupling/ground_contact.hpp"
#include "rodeo/coupling/ties.hpp"

namespace rodeo::implicit {

using coupling::CosseratRod;

/// Contact of a member's rods with each other and the ground in a step. Its forces are those at the end of
/// the step.
class Pressing {
 public:
  /// The ties have to stay where they are.
  Pressing(const MemberSpec& spec, const RodView& all, const coupling::Ties& ties);

  /// True if the member has rod contact or ground at all.
  bool exists() const { return contacts_ || ground_; }
  /// True if contact may act in this step.
  bool may_act() const { return (contacts_ || has_ground()) && !is_left_out_; }

  /// Begins a step (s) to `end` from `start`, the state of the arrays. The ground is left out of it if none
  /// of it is in reach, unless it pressed in the step before.
  void begin_step(const std::vector<CosseratRod>& rods, const std::vector<double>& start, double end,
                  double step, bool has_pressed);
  /// Takes `guess`, the state of the arrays, as the first iterate; false if driven ends are in the way.
  bool begin_iteration(const std::vector<double>& guess, double step);
  /// True if rods have reached the ground on their way to q although it was left out; from then on it acts.
  bool take_ground_if_reached(const std::vector<double>& q);

  /// Sets minus the forces at q, summed over tied nodes. `pull` is the force on the rods without contact.
  void find(const std::vector<double>& q, const std::vector<double>& pull, std::vector<double>& force);

  /// Part of the forces of the last find() that is due to the ground.
  const std::vector<double>& of_ground(const std::vector<double>& force) const {
    return contacts_ ? of_ground_ : force;
  }

  /// True if any contact force acts in the state of the last find().
  bool acts() const { return acts_ && !is_left_out_; }

  /// Turns all contact off, or on again.
  void leave_out(bool is_left_out) { is_left_out_ = is_left_out; }

  /// True if rods have friction on each other; how its derivative by the slip is taken in later matrices
  /// (contact::FrictionTangent).
  bool rubs() const { return contacts_ && contacts_->has_friction(); }
  void take_change(coupling::FrictionChange change) { change_ = change; }

  /// Adds the derivative of the forces of the last find(), times `share`.
  void add_matrix(double share, coupling::Assembly& matrix);
  bool is_symmetric() const;

  /// Largest fraction of the move p from the state of the last find() that may be taken.
  double bound(const std::vector<double>& p);

  /// Accepts the step to q, the state of the arrays; false if rods have passed through each other on the way.
  bool accept(const std::vector<double>& q);

  /// Discards contact history, so that later results depend on the arrays alone.
  void forget();

  /// Counts the contacts of a step after so many iterations.
  void count(bool converged, int iterations, ImplicitSample& counts) const;

  /// Contacts of rods as the last find() left them; nothing without any.
  const std::optional<coupling::Contacts>& contacts() const { return contacts_; }

  /// The record of the platen; null without ground.
  std::vector<double>* platen_record() { return ground_ ? &ground_->platen_record() : nullptr; }

  /// Energy of the springs of the ground at the end of the last step, J.
  double ground_energy(const RodView& all) const { return ground_ ? ground_->energy(all, end_) : 0.0; }

  /// Energy that slip and dashpots of the ground have dissipated so far, J.
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
