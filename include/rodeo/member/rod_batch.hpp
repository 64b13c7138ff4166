#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "rodeo/member/member_run.hpp"
#include "rodeo/member/rod_arrays.hpp"
#include "rodeo/member/seen_steps.hpp"
#include "rodeo/member/stepper.hpp"
#include "rodeo/member/team.hpp"
#include "rodeo/observe/energies.hpp"

namespace rodeo {

/// Members of rods, side by side: builds their arrays, has them advanced slice by slice by a stepper, and
/// lets each member's observers look between slices.
template <Stepper S>
class RodBatch final : public LiveBatch {
 public:
  explicit RodBatch(std::span<const MemberJob> jobs)
      : arrays_(jobs),
        stepper_(jobs, arrays_.views()),
        outcomes_(jobs.size()),
        limits_(jobs.size(), MemberRun::no_limit),
        slices_(jobs.size()),
        tasks_(jobs.size()),
        samples_(jobs.size()) {
    runs_.reserve(jobs.size());
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      runs_.emplace_back(jobs[k], outcomes_[k]);
      running_.push_back(static_cast<int>(k));
    }
    if constexpr (ShowsSteps<S>) {
      for (std::size_t k = 0; k < jobs.size(); ++k) {
        if (!are_steps_seen(jobs[k].spec)) continue;
        stepper_.have_seen(k, [run = &runs_[k]](std::int64_t steps, const auto& sample, HostRods& rods) {
          run->see_within(steps, sample, rods);
        });
      }
    }
  }

  bool advance() override {
    const auto start = std::chrono::steady_clock::now();
    bool at_end_of_slice = false;
    while (!running_.empty() && !at_end_of_slice) {
      moving_ = running_;
      at_end_of_slice = advance_to_next_look();
      if (std::chrono::steady_clock::now() - start > patience) break;
    }
    return !running_.empty();
  }

  std::span<const MemberOutcome> outcomes() const override { return outcomes_; }

  void visit_state(std::size_t member, StateArchive& archive) override {
    runs_[member].visit_state(archive);
    arrays_.visit_state(member, archive);
    stepper_.visit_state(member, archive);
    if (archive.restores() && !runs_[member].live().empty()) arrays_.set_live(member, runs_[member].live());
  }

  void advance_to(std::span<const std::int64_t> ends, const std::function<bool()>& goes_on) override {
    limits_.assign(ends.begin(), ends.end());
    for (;;) {
      moving_.clear();
      for (const int member : running_) {
        const MemberRun& run = run_of(member);
        if (run.steps() < limits_[static_cast<std::size_t>(member)] || !run.has_started())
          moving_.push_back(member);
      }
      if (moving_.empty() || !goes_on()) break;
      advance_to_next_look();
    }
    std::ranges::fill(limits_, MemberRun::no_limit);
  }

  std::span<double> inputs(std::size_t member) override { return runs_[member].inputs(); }
  std::span<const double> numbers(std::size_t member) override { return runs_[member].numbers(); }

  void look_at(std::size_t member, const std::function<void(HostRods& rods)>& look) override {
    arrays_.will_be_looked_at(1);
    typename RodArrays<typename S::Scalar>::OnHost rods(arrays_, member, touches_of(member));
    look(rods);
  }

  void visit_live_state(std::size_t member, StateArchive& archive) override {
    visit_state(member, archive);
    if (!archive.restores()) return;
    runs_[member].go_on();
    const auto place = std::ranges::lower_bound(running_, static_cast<int>(member));
    if (place == running_.end() || *place != static_cast<int>(member))
      running_.insert(place, static_cast<int>(member));
  }

  void time_out(std::size_t member) override {
    outcomes_[member].status = MemberStatus::timed_out;
    std::erase(running_, static_cast<int>(member));
  }

 private:
  /// Time after which advance() returns although no member has come to the end of a slice.
  static constexpr std::chrono::milliseconds patience{200};

  MemberRun& run_of(int member) { return runs_[static_cast<std::size_t>(member)]; }

  /// Pairs of elements that the stepper has found to touch; null if it does not say.
  const std::vector<contact::Touch>* touches_of(std::size_t member) const {
    if constexpr (FindsTouches<S>) return stepper_.touches(member);
    return nullptr;
  }

  int at_once() const {
    if constexpr (KnowsHowManyAtOnce<S>) return stepper_.at_once();
    return members_at_once();
  }

  /// Number of moving members that take their next steps together: as many as the clock may wait for. Which
  /// ones makes no difference to any of them.
  std::size_t next_count() const {
    constexpr double most_element_steps = 2e7;  // of a thread
    const auto threads = static_cast<std::size_t>(at_once());
    double sum = 0.0;
    std::size_t count = 0;
    while (count < moving_.size() &&
           (count < threads || sum < most_element_steps * static_cast<double>(threads))) {
      const auto member = static_cast<std::size_t>(moving_[count++]);
      const MemberRun& run = runs_[member];
      sum += run.element_steps(run.next_slice(limits_[member]).steps);
    }
    return count;
  }

  double energy_of(int member) {
    SliceTask task = {member, run_of(member).steps(), 0, true};
    Sample sample;
    stepper_.advance({&task, 1}, {&sample, 1});
    return observe::sum_of_energies(sample);
  }

  /// Lets the control of a member act, if it has to before its next steps.
  void control(int number) {
    const auto member = static_cast<std::size_t>(number);
    MemberRun& run = runs_[member];
    if (!run.has_to_act()) return;
    const bool measures = run.measures_work();
    const double before = measures ? energy_of(number) : 0.0;
    const MemberRun::DriveChange change = run.act();
    const auto set = [&] { arrays_.set_live(member, run.live(), run.time()); };
    if (change != MemberRun::DriveChange::none) {
      if constexpr (HearsOfDrives<S>) {
        stepper_.change_drives(member, change == MemberRun::DriveChange::begins_anew, set);
      } else {
        set();
      }
    }
    if (!measures) return;
    const double jump = energy_of(number) - before;
    look_at(member, [&](HostRods& rods) { run.begin_interval(jump, rods); });
  }

  /// Advances members that move to where their observers look or glance at them next, or to where they come
  /// back before; whether one came to the end of a slice.
  bool advance_to_next_look() {
    const std::size_t count = next_count();
    for (std::size_t k = 0; k < count; ++k) {
      const int member = moving_[k];
      control(member);
      const MemberRun& run = run_of(member);
      const MemberRun::Slice next = run.next_slice(limits_[static_cast<std::size_t>(member)]);
      slices_[static_cast<std::size_t>(member)] = next;
      tasks_[k] = {member, run.steps(), next.steps, next.is_sampled};
    }
    const std::span<SliceTask> tasks = std::span(tasks_).first(count);
    // Not of std::ranges: clang 14 does not compile what returns a subrange there.
    std::partition(tasks.begin(), tasks.end(), [](const SliceTask& task) { return task.sampled; });
    const auto start = std::chrono::steady_clock::now();
    stepper_.advance(tasks, std::span(samples_).first(count));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    double total = 0.0;
    for (const SliceTask& task : tasks) total += run_of(task.member).element_steps(task.steps);

    arrays_.will_be_looked_at(count);
    bool at_end_of_slice = false;
    for (std::size_t k = 0; k < count; ++k) {
      const SliceTask& task = tasks_[k];
      MemberRun& run = run_of(task.member);
      const double share =
          total > 0.0 ? run.element_steps(task.steps) / total : 1.0 / static_cast<double>(count);
      const auto member = static_cast<std::size_t>(task.member);
      const MemberRun::Slice& slice = slices_[member];
      typename RodArrays<typename S::Scalar>::OnHost arrays(arrays_, member, touches_of(member));
      using End = MemberRun::Slice::End;
      if (task.sampled && (slice.end == End::look || !MemberRun::is_well(samples_[k]))) {
        run.look(task.steps, samples_[k], share * seconds, arrays);
      } else if (slice.end == End::glance && task.steps == slice.steps) {
        run.glance(task.steps, share * seconds, arrays);
      } else {
        run.pass(task.steps, share * seconds);
        continue;
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
  std::vector<int> moving_;               ///< those of them that are advanced now
  std::vector<std::int64_t> limits_;      ///< [jobs]; steps that a member takes at most
  std::vector<MemberRun::Slice> slices_;  ///< [jobs]; that a member runs next
  std::vector<SliceTask> tasks_;          ///< [jobs]; the first are those of this time
  std::vector<Sample> samples_;
};

}  // namespace rodeo
