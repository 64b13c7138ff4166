#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rodeo/der/implicit_euler.hpp"
#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/member/member_data.hpp"
#include "rodeo/member/rods.hpp"
#include "rodeo/member/state_archive.hpp"
#include "rodeo/observe/sample.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::der {

/// What the kernels of Cosserat rods have of a member, here to be advanced by other steps.
struct MemberArrays {
  RodView all;  ///< arrays of all its rods
  Rods rods;
  MemberData data;
};

/// With contact.kind = ipc: how deep the rods of a member overlap at t = 0, m, if elements touch there. The
/// barrier is infinite then, and no step is possible.
std::optional<double> barrier_crossed_at_start(const MemberSpec& spec);

/// Memory that the implicit steps of a member take besides its arrays and its fluid, bytes, about.
std::size_t implicit_memory(const MemberSpec& spec);

/// A member of discrete elastic rods: the arrays, loads and ends of Cosserat rods, advanced by implicit Euler
/// with an adaptive step. A step of the deck is halved, and its halves again, until Newton's method
/// converges; after some that do, steps grow back.
class DerMember {
 public:
  /// The arrays have to stay where they are.
  DerMember(const MemberSpec& spec, const MemberArrays& arrays);

  /// Takes the task's steps, as far as they converge; returns how many were taken. The arrays then hold the
  /// last state that was reached.
  std::int64_t advance(const SliceTask& task);

  /// Sums over the rods at present, and what Newton's method did so far; sets the fluxes through the rods'
  /// ends that observables read.
  Sample sample() const;

  /// Saves or restores what stays from one step to the next besides the arrays.
  void visit_state(StateArchive& archive) {
    archive.visit(control_);
    if (stokeslets_) stokeslets_->visit_state(archive);
  }

 private:
  /// Plain, for it is saved and restored as it is.
  struct StepControl {
    int halvings = 0;      ///< of the present step
    int since_change = 0;  ///< steps since it last changed
    ImplicitSample counts;
  };

  bool advance_step(double index);
  void prepare(double time);
  bool converges(double step);
  void count_contacts(const NewtonOutcome& outcome);
  void change_halvings(int by);

  MemberArrays member_;
  ImplicitEuler solver_;
  std::optional<fluid::StokesletDrag> stokeslets_;
  int most_halvings_;
  StepControl control_;
};

}  // namespace rodeo::der
