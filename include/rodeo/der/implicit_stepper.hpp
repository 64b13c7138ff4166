#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rodeo/der/der_member.hpp"
#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/member/batch.hpp"
#include "rodeo/member/batch_views.hpp"

namespace rodeo::der {

/// Implicit steps of discrete elastic rods on host cores.
class ImplicitStepper {
 public:
  using Scalar = double;

  ImplicitStepper(std::span<const MemberJob> jobs, const BatchViews& batch,
                  std::unique_ptr<Scheme> (*make_scheme)());
  void advance(std::span<SliceTask> tasks, std::span<Sample> samples);
  void visit_state(std::size_t member, StateArchive& archive) { members_[member].visit_state(archive); }

 private:
  boundary::Motions motions_of(const MemberData& member);
  void copy_motion_states(bool to_host);
  void copy_links(std::span<const SliceTask> tasks, bool to_host);
  void copy_platen_records(std::span<const SliceTask> tasks, bool to_host);

  BatchViews batch_;
  Kokkos::View<double*>::HostMirror arrays_;
  Kokkos::View<RodData*>::HostMirror rods_;
  std::vector<boundary::Motion> motions_;
  std::vector<boundary::MotionState> motion_states_;
  std::vector<double> motion_tables_;
  std::vector<forces::ActuationTable> actuation_;     ///< of the members, where host code can read it
  std::vector<connection::Connections> connections_;  ///< of members, in the memory of the execution space
  std::vector<std::size_t> first_records_;            ///< of the platens of members, if any has one
  std::vector<DerMember> members_;
};

/// Those of a scheme: a rodeo::Stepper.
template <class S>
class StepperOf : public ImplicitStepper {
 public:
  StepperOf(std::span<const MemberJob> jobs, const BatchViews& batch)
      : ImplicitStepper(jobs, batch, []() -> std::unique_ptr<Scheme> { return std::make_unique<S>(); }) {}
};

}  // namespace rodeo::der
