#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "rodeo/coupling/contacts.hpp"
#include "rodeo/member/energy_ledger.hpp"
#include "rodeo/member/halved_steps.hpp"
#include "rodeo/member/held_motions.hpp"
#include "rodeo/member/host_stepper.hpp"
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
  /// The arrays have to stay where they are. `of_system`: what the system is made of besides.
  template <class... OfSystem>
  SteppedMember(const MemberSpec& spec, const MemberArrays& arrays, std::unique_ptr<Scheme<System>> scheme,
                OfSystem... of_system)
      : arrays_(arrays),
        scheme_(std::move(scheme)),
        system_(spec, arrays, of_system...),
        most_iterations_(most_iterations(spec, arrays)),
        step_(spec.time.step),
        steps_(spec.time.step, spec.newton.halvings),
        ledger_(spec) {}

  std::int64_t advance(const SliceTask& task) override {
    // So that a member goes on bit by bit where another process takes it over.
    system_.forget(present_time(task));
    scheme_->forget();
    const std::int64_t before = counts_.iterations;
    const auto is_long = [&] { return counts_.iterations - before > most_iterations_; };
    was_cut_ = false;
    note_start(present_time(task));
    std::int64_t taken = 0;
    while (taken < task.steps && !counts_.failed) {
      was_cut_ = taken > 0 && is_long();
      if (was_cut_) return taken;
      const std::int64_t step = task.first_step + taken;
      const bool goes_on = steps_.is_within();
      if (system_.begin_motions(step) && !goes_on) scheme_->begin_anew();
      const auto take = [&](double end, double length) { return take_step(step, end, length); };
      const DeckStep outcome = steps_.advance(static_cast<double>(step), take, is_long);
      was_cut_ = outcome == DeckStep::cut;
      if (was_cut_) return taken;
      counts_.failed = outcome == DeckStep::failed;
      if (!counts_.failed) ++taken;
    }
    return taken;
  }

  /// The energy that natural strains give or take as they jump is work.
  void change_drives(bool anew, const std::function<void()>& set) override {
    const bool counts = StepWork<System>::is_measured && counts_.energy.is_known();
    const auto energy = [&] { return observe::sum_of_energies(sums()); };
    const double before = counts ? energy() : 0.0;
    set();
    if (counts) counts_.work += energy() - before;
    if (anew) scheme_->begin_anew();
  }

  Sample sample() const override {
    Sample sample = system_.sample(counts_);
    sample.contact.touching = counts_.contact_pairs;
    sample.contact.deepest = counts_.deepest_overlap;
    sample.contact.passed_through = counts_.passed_through;
    sample.friction_loss = friction_loss_;
    return sample;
  }

  void visit_state(StateArchive& archive) override {
    steps_.visit_state(archive);
    archive.visit(counts_);
    archive.visit_list(touches_);
    archive.visit(friction_loss_);
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
  double time_at(std::int64_t step) const { return static_cast<double>(step) * step_; }

  /// Where the member stands before the steps of a slice, which may be within a step.
  double present_time(const SliceTask& task) const {
    return (static_cast<double>(task.first_step) + steps_.taken()) * step_;
  }

  /// Before the steps of a slice.
  void note_start(double time) {
    if (time == 0.0 && !steps_.is_within() && !system_.contacts()) note_energy(time);
    if (counts_work(time)) work_.start(system_, time);
  }

  /// The sample of the system at present.
  Sample sums() const {
    if constexpr (requires { system_.sums(counts_); }) return system_.sums(counts_);
    return system_.sample(counts_);
  }

  bool counts_work(double time) const {
    return StepWork<System>::is_measured && ledger_.counts_with_work(time);
  }

  void note_energy(double time) {
    if (ledger_.counts(time)) ledger_.add(sums(), 0.0, counts_.energy);
    if (counts_work(time)) ledger_.add_with_work(sums(), counts_.work, counts_.energy);
  }

  /// A step of so many seconds, of the deck's after so many.
  StepEnd take_step(std::int64_t steps, double end, double length) {
    const double start = end - length;
    if (driven_turn(arrays_, steps, start, end) > most_driven_turn) return StepEnd(false);
    std::optional<Sample> first;  // of the energy, to which comes what contact holds with its stiffness
    if (system_.contacts() && ledger_.begins(start, counts_.energy)) first = sums();
    const SolveOutcome outcome = solve(end, length);
    if (outcome.converged && first)
      ledger_.begin(*first, system_.contacts()->energy_at_start(), counts_.energy);
    if (outcome.converged) note_energy(end);
    StepEnd step_end(outcome.converged, outcome.may_grow);
    step_end.is_last = counts_.gained_energy = ledger_.is_gain(counts_.energy);
    return step_end;
  }

  SolveOutcome solve(double end, double length) {
    const bool counts = counts_work(end - length);
    if (counts) work_.begin(system_, end - length, end);
    const SolveOutcome outcome = scheme_->advance(system_, end, length);
    if (counts && outcome.converged) counts_.work += work_.end(system_, *scheme_, end - length, end);
    counts_.iterations += outcome.iterations;
    if (outcome.converged) ++counts_.steps;
    if (outcome.converged && system_.links()) system_.links()->break_overloaded();
    system_.count_contacts(outcome.converged, outcome.iterations, counts_);
    if (outcome.converged && system_.contacts()) {
      touches_ = system_.contacts()->touches();
      friction_loss_ += system_.contacts()->friction_loss();
    }
    return outcome;
  }

  MemberArrays arrays_;
  std::unique_ptr<Scheme<System>> scheme_;
  System system_;
  std::int64_t most_iterations_;
  double step_;  ///< the deck's, s
  HalvedSteps steps_;
  EnergyLedger ledger_;
  StepWork<System> work_;
  ImplicitSample counts_;
  std::vector<contact::Touch> touches_;  ///< at the end of the last step that converged
  double friction_loss_ = 0.0;           ///< of rods on rods so far, J
};

}  // namespace rodeo::method
