#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "rodeo/coupling/contacts.hpp"
#include "rodeo/member/crushed_elements.hpp"
#include "rodeo/member/energy_ledger.hpp"
#include "rodeo/member/halved_steps.hpp"
#include "rodeo/member/held_motions.hpp"
#include "rodeo/member/host_stepper.hpp"
#include "rodeo/member/region_turns.hpp"
#include "rodeo/method/scheme.hpp"
#include "rodeo/method/step_work.hpp"
#include "rodeo/observe/energies.hpp"

namespace rodeo::method {

/// A member whose system a scheme takes from step to step. A step of the deck is halved, and its halves
/// again, until it converges; after some that do, steps grow back. A system has
///   forget(time): forgets what saves work from step to step, at a time;
///   begin_motions(steps): lets motions begin and end after so many of the deck's steps; whether any did;
///   links(), contacts(), platen_record(): nothing, or null, without any;
///   count_contacts(converged, iterations, counts): adds those of a step;
///   sample(counts), visit_state(archive);
///   sums(counts): where sample() sets more than it returns, the same without that;
/// and may measure the work of what has no potential (MeasuresWork).
template <class System>
class SteppedMember final : public HostMember {
 public:
  /// The arrays have to stay where they are. `of_system`: further arguments of the system.
  template <class... OfSystem>
  SteppedMember(const MemberSpec& spec, const MemberArrays& arrays, std::unique_ptr<Scheme<System>> scheme,
                OfSystem... of_system)
      : arrays_(arrays),
        scheme_(std::move(scheme)),
        system_(spec, arrays, of_system...),
        most_iterations_(most_iterations(spec, arrays)),
        step_(spec.time.step),
        steps_(spec.time.step, spec.newton.halvings),
        ledger_(spec) {
    if (spec.model != ModelKind::rigid) turns_.emplace(spec.model == ModelKind::der);
    for (int k = 0; k < arrays.rods.count; ++k) rods_.push_back(arrays.rods.data[k].part(arrays.all));
  }

  std::int64_t advance(const SliceTask& task) override {
    begin_slice(task, most_iterations_);
    std::int64_t taken = 0;
    while (goes_on(task, taken)) {
      const std::int64_t step = task.first_step + taken;
      begin_step(step);
      const auto take = [&](double end, double length) { return take_part(step, end, length, std::nullopt); };
      const auto is_long = [&] { return this->is_long(); };
      if (!note(steps_.advance(static_cast<double>(step), take, is_long))) continue;
      ++taken;
      be_seen(step + 1);
    }
    return taken;
  }

  bool goes_with(const HostMember& other) const override {
    const auto* const that = dynamic_cast<const SteppedMember*>(&other);
    return that != nullptr && scheme_->goes_with(system_, *that->scheme_, that->system_);
  }

  void advance_together(std::span<HostMember* const> members, std::span<SliceTask* const> tasks) override {
    std::vector<Advance> all;
    for (std::size_t k = 0; k < members.size(); ++k) {
      all.push_back({static_cast<SteppedMember*>(members[k]), tasks[k]});
      all.back().member->begin_slice(*tasks[k], most_iterations_ / static_cast<std::int64_t>(members.size()));
    }
    while (take_parts(all)) {
    }
    for (const Advance& advance : all) advance.task->steps = advance.taken;
  }

  /// Counts the energy that natural strains give or take as they jump as work, and the energy stored then
  /// among the largest. A step that does not resolve the motion then takes much of it, of which the next ones
  /// give some back: the energy between them is no lowest one.
  void change_drives(bool anew, const std::function<void()>& set) override {
    const bool counts = counts_known_work();
    const double before = counts ? observe::sum_of_energies(sums()) : 0.0;
    set();
    if (counts) {
      const Sample now = sums();
      counts_.work += observe::sum_of_energies(now) - before;
      if (ledger_.takes_work()) ledger_.add_with_work(now, counts_.work, counts_.energy);
      if (anew) unsettled_steps_ = most_unsettled_steps;
    }
    if (anew) scheme_->begin_anew();
  }

  Sample sample() const override {
    Sample sample = system_.sample(counts_);
    sample.contact.touching = counts_.contact_pairs;
    sample.contact.deepest = counts_.deepest_overlap;
    sample.contact.passed_through = counts_.passed_through;
    sample.friction_loss = friction_loss_;
    sample.ended = turned_over_;
    return sample;
  }

  void visit_state(StateArchive& archive) override {
    steps_.visit_state(archive);
    archive.visit(counts_);
    archive.visit_list(touches_);
    archive.visit(friction_loss_);
    archive.visit(unsettled_steps_);
    system_.visit_state(archive);
    scheme_->visit_state(archive);
  }

  std::vector<connection::PointLink>* links() override {
    return system_.links() ? &system_.links()->points() : nullptr;
  }
  std::vector<double>* platen_record() override { return system_.platen_record(); }
  const std::vector<contact::Touch>* touches() const override {
    return system_.contacts() ? &touches_ : nullptr;
  }

 private:
  /// A member among those that advance together.
  struct Advance {
    SteppedMember* member;
    SliceTask* task;
    std::int64_t taken = 0;

    bool goes_on() const { return member->goes_on(*task, taken); }
    std::int64_t step() const { return task->first_step + taken; }
  };

  /// Takes the next step, or part of one, of those that have any left; false if none has.
  static bool take_parts(std::vector<Advance>& all) {
    std::vector<Advance*> running;
    std::vector<SystemStep<System>> parts;
    for (Advance& advance : all) {
      if (!advance.goes_on()) continue;
      SteppedMember& member = *advance.member;
      member.begin_step(advance.step());
      const HalvedSteps::Part next = member.steps_.next(static_cast<double>(advance.step()));
      member.begin_work(next.end, next.length);
      running.push_back(&advance);
      parts.push_back({member.scheme_.get(), &member.system_, next.end, next.length});
    }
    if (parts.empty()) return false;
    parts.front().scheme->advance_together(parts);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const SystemStep<System>& part = parts[k];
      SteppedMember& member = *running[k]->member;
      const StepEnd end = member.take_part(running[k]->step(), part.end, part.length, part.outcome);
      const DeckStep so_far = member.steps_.note(end);
      const bool is_cut = so_far == DeckStep::begun && member.is_long();
      if (!member.note(is_cut ? DeckStep::cut : so_far)) continue;
      ++running[k]->taken;
      member.be_seen(running[k]->step());
    }
    return true;
  }

  void begin_slice(const SliceTask& task, std::int64_t most_iterations) {
    // So that a member goes on bit by bit where another process takes it over.
    system_.forget(present_time(task));
    scheme_->forget();
    last_iteration_ = counts_.iterations + most_iterations;
    was_cut_ = false;
    note_start(present_time(task));
    if (turns_) turns_->begin(rods_);
  }

  /// Whether the slice has taken so long that the member comes back.
  bool is_long() const { return counts_.iterations > last_iteration_; }

  /// Whether anything is left to take in the slice.
  bool goes_on(const SliceTask& task, std::int64_t taken) {
    if (taken == task.steps || counts_.failed || was_cut_) return false;
    was_cut_ = taken > 0 && !steps_.is_within() && is_long();
    return !was_cut_;
  }

  /// Counts energy gained or lost as motions take hold of places, and give them their velocities, as work.
  void begin_step(std::int64_t step) {
    const bool goes_on = steps_.is_within();
    const bool counts = arrays_.motions.count > 0 && !goes_on && counts_known_work();
    const double before = counts ? observe::sum_of_energies(sums()) : 0.0;
    if (!system_.begin_motions(step)) return;
    if (counts) counts_.work += observe::sum_of_energies(sums()) - before;
    if (!goes_on) scheme_->hold_anew();
  }

  /// Whether a step of the deck has been taken as a whole.
  bool note(DeckStep outcome) {
    was_cut_ = outcome == DeckStep::cut;
    counts_.failed = outcome == DeckStep::failed;
    if (outcome == DeckStep::whole && unsettled_steps_ > 0) --unsettled_steps_;
    return outcome == DeckStep::whole;
  }

  double time_at(std::int64_t step) const { return static_cast<double>(step) * step_; }

  /// Time before the steps of a slice, which may be within a step.
  double present_time(const SliceTask& task) const {
    return (static_cast<double>(task.first_step) + steps_.taken()) * step_;
  }

  /// Notes energy and loads before the steps of a slice.
  void note_start(double time) {
    if (time == 0.0 && !steps_.is_within() && !system_.contacts()) note_energy(time);
    if (counts_work(time)) work_.start(system_, time);
  }

  /// The sample of the system at present.
  Sample sums() const {
    if constexpr (requires { system_.sums(counts_); }) return system_.sums(counts_);
    return system_.sample(counts_);
  }

  /// Whether changes between steps are work that counts.
  bool counts_known_work() const { return StepWork<System>::is_measured && counts_.energy.is_known(); }

  bool counts_work(double time) const {
    return StepWork<System>::is_measured && ledger_.counts_with_work(time);
  }

  void note_energy(double time) {
    if (unsettled_steps_ > 0) return;
    if (ledger_.counts(time)) ledger_.add(sums(), 0.0, counts_.energy);
    if (counts_work(time)) ledger_.add_with_work(sums(), counts_.work, counts_.energy);
  }

  /// Takes part of the deck's step after `steps` others. `taken`: how the scheme has taken it, if it has.
  StepEnd take_part(std::int64_t steps, double end, double length, const std::optional<SolveOutcome>& taken) {
    const double start = end - length;
    if (driven_turn(arrays_, steps, start, end) > most_driven_turn) return StepEnd(false);
    std::optional<Sample> first;  // of the energy, to which comes what contact holds with its stiffness
    if (system_.contacts() && ledger_.begins(start, counts_.energy)) first = sums();
    const SolveOutcome outcome = solve(end, length, taken);
    if (outcome.converged && first)
      ledger_.begin(*first, system_.contacts()->energy_at_start(), counts_.energy);
    if (outcome.converged) note_energy(end);
    StepEnd step_end(outcome.converged, outcome.may_grow);
    counts_.gained_energy = ledger_.is_gain(counts_.energy);
    turned_over_ = outcome.converged && turns_ && turns_->come_over(rods_);
    counts_.crushed = outcome.converged && turns_ && are_crushed(rods_);
    step_end.is_last = counts_.gained_energy || turned_over_ || counts_.crushed;
    return step_end;
  }

  void begin_work(double end, double length) {
    if (counts_work(end - length)) work_.begin(system_, end - length, end);
  }

  SolveOutcome solve(double end, double length, const std::optional<SolveOutcome>& taken) {
    if (!taken) begin_work(end, length);
    const SolveOutcome outcome = taken ? *taken : scheme_->advance(system_, end, length);
    if (counts_work(end - length) && outcome.converged)
      counts_.work += work_.end(system_, *scheme_, end - length, end);
    counts_.iterations += outcome.iterations;
    if (outcome.converged) ++counts_.steps;
    if (outcome.converged) counts_.scheme_loss += scheme_->loss();
    if (outcome.converged && system_.links()) system_.links()->break_overloaded();
    system_.count_contacts(outcome.converged, outcome.iterations, counts_);
    if (outcome.converged && system_.contacts()) {
      touches_ = system_.contacts()->touches();
      friction_loss_ += system_.contacts()->friction_loss();
    }
    return outcome;
  }

  static constexpr int most_unsettled_steps = 3;  ///< of the deck, that give back what the first took

  MemberArrays arrays_;
  std::unique_ptr<Scheme<System>> scheme_;
  System system_;
  std::int64_t most_iterations_;
  double step_;  ///< the deck's, s
  HalvedSteps steps_;
  EnergyLedger ledger_;
  StepWork<System> work_;
  std::optional<RegionTurns> turns_;  ///< none of bodies
  std::vector<ConstRodView> rods_;
  bool turned_over_ = false;  ///< a rod has turned over, which ends the member
  int unsettled_steps_ = 0;   ///< to come, after its drives have jumped
  ImplicitSample counts_;
  std::int64_t last_iteration_ = 0;      ///< after which the slice has taken long
  std::vector<contact::Touch> touches_;  ///< at the end of the last step that converged
  double friction_loss_ = 0.0;           ///< of rods on rods so far, J
};

}  // namespace rodeo::method
