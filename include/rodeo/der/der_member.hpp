#pragma once

#include <cstdint>
#include <memory>

#include "rodeo/der/loaded_rods.hpp"
#include "rodeo/der/scheme.hpp"

namespace rodeo::der {

/// A member of discrete elastic rods: the arrays, loads and ends of Cosserat rods, advanced by a scheme with
/// an adaptive step. A step of the deck is halved, and its halves again, until Newton's method converges;
/// after some that do, steps grow back.
class DerMember {
 public:
  /// The arrays have to stay where they are.
  DerMember(const MemberSpec& spec, const MemberArrays& arrays, std::unique_ptr<Scheme> scheme);

  /// Takes the task's steps, as far as they converge; returns how many were taken. The arrays then hold the
  /// last state that was reached.
  std::int64_t advance(const SliceTask& task);

  /// Sums over the rods at present, and what Newton's method did so far; sets the fluxes through the rods'
  /// ends that observables read.
  Sample sample() const { return rods_.sample(control_.counts); }

  /// Nothing without connections.
  std::optional<LinkForces>& links() { return rods_.links(); }

  /// Nothing without ground.
  std::optional<GroundContact>& ground() { return rods_.ground(); }

  /// Saves or restores what stays from one step to the next besides the arrays.
  void visit_state(StateArchive& archive) {
    archive.visit(control_);
    rods_.visit_state(archive);
  }

 private:
  /// Plain, for it is saved and restored as it is.
  struct StepControl {
    int halvings = 0;      ///< of the present step
    int since_change = 0;  ///< steps since it last changed
    ImplicitSample counts;
  };

  bool advance_step(double index);
  bool converges(double end, double step);
  void count_contacts(const NewtonOutcome& outcome);
  void change_halvings(int by);

  std::unique_ptr<Scheme> scheme_;
  LoadedRods rods_;
  double step_;  ///< the deck's, s
  int most_halvings_;
  StepControl control_;
};

}  // namespace rodeo::der
