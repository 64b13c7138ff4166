#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/coupling/contacts.hpp"
#include "rodeo/member/crushed_elements.hpp"
#include "rodeo/member/host_stepper.hpp"
#include "rodeo/method/branch.hpp"
#include "rodeo/method/solve_outcome.hpp"
#include "rodeo/observe/equilibrium.hpp"

namespace rodeo::method {

/// Equilibria that are found of several members side by side.
template <class Equilibrium>
concept StandsInLanes = requires {
  typename Equilibrium::Lanes;
};

/// A member that goes from equilibrium to equilibrium, step by step in time and then from point to point of a
/// branch. A step that does not converge is halved. An equilibrium is what Branch asks for, and has
///   forget(time): forgets what saves work from step to step, at a time;
///   begin(time, from_rest, released): the rods stand as at `time`, from where they go on. `from_rest`:
///   nothing acts on them there; `released`: a motion has ended;
///   solve(time, share, can_be_halved): takes the rods to their equilibrium at `time`, or to that with a
///   share of the loads that come on or fade; they stay where they are if there is none, or one of many where
///   the way can be halved; modes(count), visit_state(archive).
/// Its rods have
///   begin_motions(steps): lets motions begin and end after so many of the deck's steps; whether any ended;
///   hold_places(steps): holds the places of motions in the step after so many, which have begun;
///   note(from): notes what moves them and its work since a time;
///   links(), contacts(), platen_record(): null without any;
///   has_crossed(): whether an element has come past the middle of a ball or cylinder;
///   sample().
template <class Equilibrium>
class StaticMember final : public HostMember {
 public:
  /// The arrays have to stay where they are.
  StaticMember(const MemberSpec& spec, const MemberArrays& arrays)
      : spec_(spec.branch),
        equilibrium_(spec, arrays),
        most_iterations_(most_iterations(spec, arrays)),
        step_(spec.time.step),
        halvings_(spec.newton.halvings),
        steps_(spec.time.steps),
        modes_(spec.modes),
        steps_in_time_(spec.time.steps - spec.branch.points) {
    counts_.implicit.pressed_at_first = coupling::press_at_start(spec);
    for (int k = 0; k < arrays.rods.count; ++k) rods_.push_back(arrays.rods.data[k].part(arrays.all));
    if (spec_.exists()) branch_.emplace(spec_, time_at(steps_in_time_), modes_, equilibrium_);
  }

  std::int64_t advance(const SliceTask& task) override {
    const double part = static_cast<double>(counts_.done) / static_cast<double>(parts());
    equilibrium_.forget(time_at(task.first_step) + part * step_);
    begin_slice();
    std::int64_t taken = 0;
    while (taken < task.steps && !counts_.ended) {
      was_cut_ = taken > 0 && is_long();
      if (was_cut_) break;
      const std::int64_t step = task.first_step + taken;
      if (!(step < steps_in_time_ ? take_step_in_time(step) : take_step_of_branch(step))) break;
      ++taken;
      be_seen(step + 1);
    }
    if (was_cut_) return taken;
    if (taken > 0) counts_.stability = branch_ ? branch_->stability() : equilibrium_.stability();
    finish_slice(task, taken);
    return taken;
  }

  bool goes_with(const HostMember& other) const override {
    if constexpr (StandsInLanes<Equilibrium>) {
      const auto* const that = dynamic_cast<const StaticMember*>(&other);
      return that != nullptr && fits_in_lanes() && that->fits_in_lanes() &&
             equilibrium_.rods().go_beside(that->equilibrium_.rods());
    } else {
      return false;
    }
  }

  void advance_together(std::span<HostMember* const> members, std::span<SliceTask* const> tasks) override {
    if constexpr (StandsInLanes<Equilibrium>) {
      typename Equilibrium::Lanes lanes(equilibrium_);
      std::vector<Advance> all;
      for (std::size_t k = 0; k < members.size(); ++k) {
        all.push_back({static_cast<StaticMember*>(members[k]), tasks[k]});
        all.back().member->begin_slice();
      }
      while (take_steps(lanes, all)) {
      }
      find_stability(lanes, all);
      for (const Advance& advance : all) {
        advance.member->was_cut_ = advance.is_cut();
        advance.member->finish_slice(*advance.task, advance.taken);
        advance.task->steps = advance.taken;
      }
    }
  }

  Sample sample() const override {
    Sample sample = equilibrium_.rods().sample();
    sample.implicit = counts_.implicit;
    sample.unstable_modes = counts_.stability.unstable_modes;
    sample.least_stiffness = counts_.stability.least_stiffness;
    if (found_) sample.modes = &*found_;
    if (counts_.on_branch) {
      sample.branch = {branch_->value(), branch_->bifurcations(), branch_->folds(),
                       branch_->first_critical_value()};
    }
    sample.ended = counts_.ended;
    sample.contact.touching = counts_.implicit.contact_pairs;
    sample.contact.deepest = counts_.implicit.deepest_overlap;
    sample.contact.passed_through = counts_.implicit.passed_through;
    return sample;
  }

  std::vector<double>* platen_record() override { return equilibrium_.rods().platen_record(); }
  std::vector<connection::PointLink>* links() override {
    auto&& links = equilibrium_.rods().links();
    return links ? &links->points() : nullptr;
  }

  const std::vector<contact::Touch>* touches() const override {
    return equilibrium_.rods().contacts() != nullptr ? &touches_ : nullptr;
  }

  void visit_state(StateArchive& archive) override {
    archive.visit(counts_);
    archive.visit_list(touches_);
    equilibrium_.visit_state(archive);
    if (branch_) branch_->visit_state(archive);
  }

 private:
  /// Plain, for it is saved and restored as it is.
  struct Counts {
    ImplicitSample implicit;
    Stability stability;
    bool on_branch = false;
    bool ended = false;
    /// Parts of a begun step that are done, and how many come next; 0 of these if none has begun.
    std::int64_t done = 0;
    std::int64_t length = 0;
    bool chooses = false;    ///< parts of the step are shorter for the sake of one among many equilibria
    bool takes_any = false;  ///< takes any of these, as shorter parts led to none at all

    bool are_within_step() const { return length > 0; }
    void end_step() {
      done = length = 0;
      chooses = takes_any = false;
    }
  };

  /// A member among those that advance together.
  struct Advance {
    StaticMember* member;
    SliceTask* task;
    std::int64_t taken = 0;

    /// Whether it comes back before the end of its task.
    bool is_cut() const {
      const Counts& counts = member->counts_;
      return counts.are_within_step() ||
             (taken > 0 && taken < task->steps && !counts.implicit.failed && member->is_long());
    }
    bool goes_on() const { return taken < task->steps && !member->counts_.implicit.failed && !is_cut(); }
    std::int64_t step() const { return task->first_step + taken; }
  };

  /// Takes the next step of those that have any left; false if none has.
  template <class Lanes>
  static bool take_steps(Lanes& lanes, std::vector<Advance>& all) {
    std::vector<Advance*> running;
    std::vector<Equilibrium*> equilibria;
    std::vector<double> ends;
    std::vector<bool> can_be_halved;
    for (Advance& advance : all) {
      if (!advance.goes_on()) continue;
      StaticMember& member = *advance.member;
      member.begin_step(advance.step());
      running.push_back(&advance);
      equilibria.push_back(&member.equilibrium_);
      ends.push_back(static_cast<double>(advance.step()) * member.step_ + member.step_);
      can_be_halved.push_back(member.can_be_halved(member.parts()));
    }
    const std::vector<SolveOutcome> outcomes = lanes.solve(equilibria, ends, can_be_halved);
    for (std::size_t k = 0; k < running.size(); ++k) {
      Advance& advance = *running[k];
      if (!advance.member->finish_step(advance.step(), outcomes[k])) continue;
      ++advance.taken;
      advance.member->be_seen(advance.step());
    }
    return !running.empty();
  }

  template <class Lanes>
  static void find_stability(Lanes& lanes, const std::vector<Advance>& all) {
    std::vector<StaticMember*> moved;
    std::vector<Equilibrium*> equilibria;
    for (const Advance& advance : all) {
      if (advance.taken == 0 || advance.is_cut()) continue;
      moved.push_back(advance.member);
      equilibria.push_back(&advance.member->equilibrium_);
    }
    const std::vector<Stability> stabilities = lanes.stability(equilibria);
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k]->counts_.stability = stabilities[k];
  }

  /// Number of the shortest parts into which a step may fall.
  std::int64_t parts() const { return std::int64_t{1} << halvings_; }

  /// Whether a part of a step, of `length` of its shortest parts, can be halved for the sake of the side to
  /// which rods buckle. They may do so at once everywhere, and no halving helps.
  bool can_be_halved(std::int64_t length) const {
    constexpr std::int64_t shortest = 64;  // of a step
    return !counts_.takes_any && length > 1 && length > parts() / shortest;
  }

  double time_at(std::int64_t step) const { return static_cast<double>(step) * step_; }

  void begin_slice() {
    was_cut_ = false;
    iterations_before_ = counts_.implicit.iterations;
  }

  /// Whether the slice has taken so long that the member comes back.
  bool is_long() const { return counts_.implicit.iterations - iterations_before_ > most_iterations_; }

  bool fits_in_lanes() const {
    return !branch_ && !counts_.are_within_step() && equilibrium_.rods().fit_in_lanes();
  }

  /// Takes a step in time; false if it fails, or is cut.
  bool take_step_in_time(std::int64_t step) {
    if (counts_.are_within_step()) {
      equilibrium_.rods().begin_motions(step);
      equilibrium_.rods().stand();
    } else {
      begin_step(step);
    }
    return finish_step(step, std::nullopt);
  }

  void begin_step(std::int64_t step) {
    const bool released = equilibrium_.rods().begin_motions(step);
    equilibrium_.begin(time_at(step), step == 0, released);
  }

  /// `whole`: outcome of the step as a whole, if it has been taken.
  bool finish_step(std::int64_t step, const std::optional<SolveOutcome>& whole) {
    if (!reach(time_at(step), whole)) {
      was_cut_ = counts_.are_within_step();
      counts_.implicit.failed = !was_cut_;
      return false;
    }
    ++counts_.implicit.steps;
    counts_.on_branch = branch_ && step + 1 == steps_in_time_ && spec_.turns.front() == 0.0;
    return true;
  }

  /// Finds the modes asked for at the end, and fails if rounding hides any of what is reported.
  void finish_slice(const SliceTask& task, std::int64_t taken) {
    const bool at_end = counts_.ended || task.first_step + taken == steps_;
    if (taken == 0 || !at_end) return;
    if (modes_ > 0) found_ = equilibrium_.modes(modes_);
    // Where loads have no energy, vibrations alone tell.
    if (found_ && !equilibrium_.rods().have_energy())
      counts_.stability.unstable_modes = static_cast<double>(found_->growing());
    const bool has_digits = counts_.stability.has_digits && (!found_ || found_->has_digits);
    if (!has_digits && !(branch_ && branch_->is_critical())) counts_.implicit.failed = true;
  }

  bool take_step_of_branch(std::int64_t step) {
    equilibrium_.rods().hold_places(steps_in_time_ - 1);
    const int before = branch_->iterations();
    const bool taken = (step > steps_in_time_ || branch_->begin()) && branch_->advance();
    counts_.implicit.iterations += branch_->iterations() - before;
    counts_.on_branch = true;
    counts_.ended = branch_->ended();
    if (taken) {
      // The last derivative by the number has left other loads, or none, in the arrays.
      equilibrium_.rods().set_loads(time_at(steps_in_time_), 1.0);
      equilibrium_.rods().note(time_at(steps_in_time_));
      ++counts_.implicit.steps;
      counts_.implicit.crushed = are_crushed(rods_);
    }
    counts_.implicit.failed = !taken || counts_.implicit.crushed;
    return !counts_.implicit.failed;
  }

  /// Goes to the equilibrium a step after `start`, by as many parts of the step as it takes. Where parts are
  /// short for the sake of one among many equilibria and there is none at the end of one, as beside a
  /// critical load, the rest of the step goes on by parts of any length to any equilibrium. Forces unbalanced
  /// at the very start, as the weight of a rod that was not loaded before, come on with these parts. False if
  /// there is none, or none without a crushed element, or if it is cut, to go on next time.
  bool reach(double start, std::optional<SolveOutcome> whole) {
    const std::int64_t all = parts();
    std::int64_t& done = counts_.done;
    std::int64_t& length = counts_.length;
    if (length == 0) length = all;
    while (done < all) {
      const double share_before = static_cast<double>(done) / static_cast<double>(all);
      const double share = static_cast<double>(done + length) / static_cast<double>(all);
      const SolveOutcome outcome =
          whole ? *whole : solve(start + share * step_, share, can_be_halved(length));
      whole.reset();
      counts_.implicit.iterations += outcome.iterations;
      if (outcome.converged) {
        equilibrium_.rods().note(start + share_before * step_);
        counts_.implicit.crushed = are_crushed(rods_);
        if (counts_.implicit.crushed) {
          counts_.end_step();
          return false;
        }
        done += length;
        if (done % (2 * length) == 0 && done + 2 * length <= all) length *= 2;
      } else if (counts_.chooses && !counts_.takes_any && !outcome.is_one_of_many) {
        counts_.takes_any = true;
        length = done > 0 ? done & -done : all;
      } else if (length > 1) {
        counts_.chooses = counts_.chooses || outcome.is_one_of_many;
        length /= 2;
      } else {
        counts_.end_step();
        return false;
      }
      if (done < all && is_long()) return false;
    }
    counts_.end_step();
    return true;
  }

  /// Solves, breaks bonds that bear too much, and solves again without them.
  SolveOutcome solve(double time, double share, bool can_be_halved) {
    auto& rods = equilibrium_.rods();
    SolveOutcome outcome = equilibrium_.solve(time, share, can_be_halved);
    while (outcome.converged && rods.links()) {
      const double before = rods.links()->broken();
      rods.links()->break_overloaded();
      if (rods.links()->broken() == before) break;
      const SolveOutcome next = equilibrium_.solve(time, share, false);
      outcome = {next.converged, outcome.iterations + next.iterations};
    }
    if (outcome.converged && rods.has_crossed()) counts_.implicit.passed_through = true;
    if (rods.contacts() != nullptr) {
      coupling::count_contacts(rods.contacts()->state(), outcome.converged, outcome.iterations,
                               counts_.implicit);
      if (outcome.converged) touches_ = rods.contacts()->touches();
    }
    return outcome;
  }

  BranchSpec spec_;
  Equilibrium equilibrium_;
  std::optional<Branch<Equilibrium>> branch_;
  std::int64_t most_iterations_;
  double step_;  ///< the deck's, s
  int halvings_;
  std::int64_t steps_;  ///< to its end
  int modes_;           ///< number of modes asked for at the end
  std::int64_t steps_in_time_;
  Counts counts_;
  std::vector<ConstRodView> rods_;
  std::int64_t iterations_before_ = 0;  ///< the slice
  std::optional<FoundModes> found_;
  std::vector<contact::Touch> touches_;  ///< at the last equilibrium
};

}  // namespace rodeo::method
