#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "rodeo/connection/links.hpp"
#include "rodeo/contact/touch.hpp"
#include "rodeo/member/batch.hpp"
#include "rodeo/member/batch_views.hpp"
#include "rodeo/member/host_rods.hpp"
#include "rodeo/member/member_arrays.hpp"
#include "rodeo/member/state_archive.hpp"
#include "rodeo/member/stepper.hpp"

namespace rodeo {

/// A member that host code advances.
class HostMember {
 public:
  virtual ~HostMember() = default;

  /// Takes the task's steps, or as many as do not take long; returns how many were taken. The arrays then
  /// hold the last state that was reached, which may be within a step.
  virtual std::int64_t advance(const SliceTask& task) = 0;

  /// Whether it came back before the end of its task for no other reason than that its steps took long.
  bool was_cut() const { return was_cut_; }

  /// Whether both may take their steps together in less time, with the same bits. A member that never does so
  /// does not go with itself either.
  virtual bool goes_with(const HostMember& /*other*/) const { return false; }

  /// Advances these members, of which this is the first, as advance() does. Each task becomes the steps that
  /// were taken.
  virtual void advance_together(std::span<HostMember* const> /*members*/,
                                std::span<SliceTask* const> /*tasks*/) {}
  static constexpr std::size_t most_together = 8;
  static constexpr std::size_t fewest_together = 4;  ///< fewer do better one by one

  /// Calls `set`, which changes the drives of the member; `anew`: it forgets how it went on before.
  virtual void change_drives(bool /*anew*/, const std::function<void()>& set) { set(); }

  /// Sums over the rods at present and over the steps so far; sets the fluxes through the rods' ends that
  /// observables read.
  virtual Sample sample() const = 0;

  /// Saves or restores the state between steps besides the arrays.
  virtual void visit_state(StateArchive& archive) = 0;

  /// Links between points of its rods; null without any.
  virtual std::vector<connection::PointLink>* links() { return nullptr; }

  /// Record of its platen; null without one.
  virtual std::vector<double>* platen_record() { return nullptr; }

  /// The pairs of elements that touched at the end of its last step; null where steps know of no contact.
  virtual const std::vector<contact::Touch>* touches() const { return nullptr; }

  /// Has `see` called after each whole step, with the steps since its start. The arrays then hold the state.
  void have_seen(std::function<void(std::int64_t steps)> see) { see_ = std::move(see); }

 protected:
  void be_seen(std::int64_t steps) const {
    if (see_) see_(steps);
  }

  /// Iterations after which a member comes back from its steps at the latest: the clock is looked at then,
  /// and its state may be saved. That is after a second or two, and counted in work, so that results never
  /// depend on a clock. An iteration costs as much by itself as some elements do, and far more where rods
  /// meet something.
  static std::int64_t most_iterations(const MemberSpec& spec, const MemberArrays& arrays) {
    constexpr std::int64_t of_elements = 200'000;
    constexpr std::int64_t for_itself = 16;
    constexpr std::int64_t longer = 10;
    const bool is_coupled = spec.has_impacts() || !spec.connections.empty();
    return of_elements / ((is_coupled ? longer : 1) * (for_itself + arrays.all.elements));
  }

  bool was_cut_ = false;

 private:
  std::function<void(std::int64_t)> see_;
};

/// Makes a member of arrays that stay where they are.
using MakeHostMember = std::unique_ptr<HostMember> (*)(const MemberSpec& spec, const MemberArrays& arrays);

/// Advances members on host cores, whatever memory the batch's arrays are in.
class HostStepper {
 public:
  using Scalar = double;

  HostStepper(std::span<const MemberJob> jobs, const BatchViews& batch, MakeHostMember make);
  void advance(std::span<SliceTask> tasks, std::span<Sample> samples);
  void visit_state(std::size_t member, StateArchive& archive) { members_[member]->visit_state(archive); }
  const std::vector<contact::Touch>* touches(std::size_t member) const { return members_[member]->touches(); }
  void change_drives(std::size_t member, bool anew, const std::function<void()>& set) {
    members_[member]->change_drives(anew, set);
  }
  void have_seen(std::size_t member, SeeStep see);

 private:
  HostMember& member_of(const SliceTask& task) { return *members_[static_cast<std::size_t>(task.member)]; }
  std::vector<std::vector<std::size_t>> groups(std::span<const SliceTask> tasks);
  boundary::Motions motions_of(const MemberData& member);
  void point_to_host(forces::Actuation& actuation) const;
  void copy_drives();
  void copy_motion_states(bool to_host);
  void copy_links(std::span<const SliceTask> tasks, bool to_host);
  void copy_platen_records(std::span<const SliceTask> tasks, bool to_host);

  BatchViews batch_;
  Kokkos::View<double*>::HostMirror arrays_;
  Kokkos::View<RodData*>::HostMirror rods_;
  std::vector<boundary::Motion> motions_;
  std::vector<boundary::MotionState> motion_states_;
  Kokkos::View<double*>::HostMirror motion_tables_;
  std::vector<forces::Actuator> actuators_;              ///< where host code cannot read the batch's
  Kokkos::View<double*>::HostMirror actuation_numbers_;  ///< theirs, or the batch's
  std::vector<connection::Connections> connections_;     ///< of members, in the memory of the execution space
  std::vector<std::size_t> first_records_;               ///< of the platens of members, if any has one
  std::vector<MemberArrays> member_arrays_;              ///< of each member
  std::vector<std::unique_ptr<HostMember>> members_;
};

/// A rodeo::Stepper of the members that `make` makes.
template <MakeHostMember make>
class HostStepperOf : public HostStepper {
 public:
  HostStepperOf(std::span<const MemberJob> jobs, const BatchViews& batch) : HostStepper(jobs, batch, make) {}
};

}  // namespace rodeo
