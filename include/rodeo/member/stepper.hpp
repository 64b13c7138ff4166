#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rodeo/contact/touch.hpp"
#include "rodeo/member/batch.hpp"
#include "rodeo/member/batch_views.hpp"
#include "rodeo/member/host_rods.hpp"
#include "rodeo/observe/sample.hpp"

namespace rodeo {

/// A numerical method that advances rods in time, and nothing else. All steppers work on the same arrays
/// (rod/rod_fields.hpp) under the same laws (MemberData, RodData). Slices, health, observers, frames and
/// checkpoints belong to RodBatch.
///
/// - `Scalar` is what its steps compute with, and so what its arrays hold.
/// - It is made of the jobs of a batch and the batch's views, in which the members stand at t = 0 as
///   build_rods() made them. The views stay where they are: it may keep them.
/// - `advance(tasks, samples)` takes the steps of each task (none at t = 0), then a sample of its member if
///   the task is `sampled`, as the first ones are. Both lists are of equal length, in host memory. A task's
///   steps become those that were taken: fewer if one failed, which the sample then says, and the task
///   becomes `sampled`; or fewer, even none, if they take long and the task is not `sampled` then. State that
///   it keeps from step to step to save work must not change results after a restart.
/// - `visit_state(member, archive)` saves or restores what it keeps of a member besides the arrays.
template <class S>
concept Stepper = requires(S stepper, std::span<const MemberJob> jobs,
                           const BasicBatchViews<typename S::Scalar>& batch, std::span<SliceTask> tasks,
                           std::span<Sample> samples, std::size_t member, StateArchive& archive) {
  S(jobs, batch);
  { stepper.advance(tasks, samples) } -> std::same_as<void>;
  { stepper.visit_state(member, archive) } -> std::same_as<void>;
};

/// A stepper whose steps find touching pairs, as implicit contact does: `touches(member)` are those at the
/// end of the member's last step, or null. For others they follow from the arrays.
template <class S>
concept FindsTouches = requires(const S& stepper, std::size_t member) {
  { stepper.touches(member) } -> std::same_as<const std::vector<contact::Touch>*>;
};

/// A stepper whose members keep state of their drives: it calls `set` to change that, by jumps or without.
template <class S>
concept HearsOfDrives = requires(S& stepper, std::size_t member, bool jumps,
                                 const std::function<void()>& set) {
  { stepper.change_drives(member, jumps, set) } -> std::same_as<void>;
};

/// Sees a member within a slice, after so many steps since its start; `sample` takes one.
using SeeStep =
    std::function<void(std::int64_t steps, const std::function<Sample()>& sample, HostRods& rods)>;

/// A stepper whose members are seen after each whole step, before what it does next, and go on as if they
/// were not. It may do so in several threads, for several members.
template <class S>
concept ShowsSteps = requires(S& stepper, std::size_t member, SeeStep see) {
  { stepper.have_seen(member, see) } -> std::same_as<void>;
};

/// A stepper that knows how many members it advances at once, where that is not members_at_once().
template <class S>
concept KnowsHowManyAtOnce = requires(const S& stepper) {
  { stepper.at_once() } -> std::same_as<int>;
};

}  // namespace rodeo
