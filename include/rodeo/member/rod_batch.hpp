#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "rodeo/member/member_run.hpp"
#include "rodeo/member/rod_arrays.hpp"
#include "rodeo/member/stepper.hpp"

namespace rodeo {

/// Members of rods, side by side: builds their arrays, has them advanced slice by slice by a stepper, and
/// lets each member's observers look between slices.
template <Stepper S>
class RodBatch final : public Batch {
 public:
  explicit RodBatch(std::span<const MemberJob> jobs)
      : arrays_(jobs),
        stepper_(jobs, arrays_.views()),
        outcomes_(jobs.size()),
        tasks_(jobs.size()),
        samples_(jobs.size()) {
    runs_.reserve(jobs.size());
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      runs_.emplace_back(jobs[k], outcomes_[k]);
      running_.push_back(static_cast<int>(k));
    }
  }

  bool advance() override {
    bool at_end_of_slice = false;
    while (!running_.empty() && !at_end_of_slice) at_end_of_slice = advance_to_next_look();
    return !running_.empty();
  }

  std::span<const MemberOutcome> outcomes() const override { return outcomes_; }

  void visit_state(std::size_t member, StateArchive& archive) override {
    runs_[member].visit_state(archive);
    arrays_.visit_state(member, archive);
    stepper_.visit_state(member, archive);
  }

  void time_out(std::size_t member) override {
    outcomes_[member].status = MemberStatus::timed_out;
    std::erase(running_, static_cast<int>(member));
  }

 private:
  MemberRun& run_of(int member) { return runs_[static_cast<std::size_t>(member)]; }

  /// What the stepper has found to touch; null if it does not say.
  const std::vector<contact::Touch>* touches_of(std::size_t member) const {
    if constexpr (FindsTouches<S>) return stepper_.touches(member);
    return nullptr;
  }

  /// Advances each running member to where its observers look or glance at it next; whether one came to the
  /// end of a slice.
  bool advance_to_next_look() {
    const std::size_t count = running_.size();
    double total = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      const MemberRun& run = run_of(running_[k]);
      const MemberRun::Slice next = run.next_slice();
      tasks_[k] = {running_[k], run.steps(), next.steps, next.looked_at};
      total += run.element_steps(tasks_[k].steps);
    }
    const std::span<SliceTask> tasks = std::span(tasks_).first(count);
    // Not of std::ranges: clang 14 does not compile what returns a subrange there.
    std::partition(tasks.begin(), tasks.end(), [](const SliceTask& task) { return task.sampled; });
    const auto start = std::chrono::steady_clock::now();
    stepper_.advance(tasks, std::span(samples_).first(count));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    bool at_end_of_slice = false;
    for (std::size_t k = 0; k < count; ++k) {
      const SliceTask& task = tasks_[k];
      MemberRun& run = run_of(task.member);
      const double share = total > 0.0 ? run.element_steps(task.steps) / total : 0.0;
      const auto member = static_cast<std::size_t>(task.member);
      typename RodArrays<typename S::Scalar>::OnHost arrays(arrays_, member, touches_of(member));
      if (task.sampled) {
        run.look(task.steps, samples_[k], share * seconds, arrays);
      } else {
        run.glance(task.steps, share * seconds, arrays);
      }
      at_end_of_slice |= run.at_end_of_slice();
    }
    std::erase_if(running_, [this](int member) {
      return outcomes_[static_cast<std::size_t>(member)].status != MemberStatus::pending;
    });
    return at_end_of_slice;
  }

  RodArrays<typename S::Scalar> arrays_;
  S stepper_;
  std::vector<MemberOutcome> outcomes_;  ///< as many as jobs: they stay where they are
  std::vector<MemberRun> runs_;
  std::vector<int> running_;
  std::vector<SliceTask> tasks_;  ///< [jobs]; the first are this slice's
  std::vector<Sample> samples_;
};

}  // namespace rodeo
