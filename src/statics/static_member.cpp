#include "rodeo/statics/static_member.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/coupling/contacts.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "branch.hpp"
#include "equilibria_in_lanes.hpp"
#include "equilibrium.hpp"

namespace rodeo::statics {

namespace {

class StaticMember final : public HostMember {
 public:
  StaticMember(const MemberSpec& spec, const MemberArrays& arrays)
      : spec_(spec.branch),
        equilibrium_(spec, arrays),
        elements_(arrays.all.elements),
        step_(spec.time.step),
        halvings_(spec.newton.halvings),
        steps_(spec.time.steps),
        modes_(spec.modes),
        steps_in_time_(spec.time.steps - spec.branch.points) {
    if (spec.ground.platen.exists()) {
      record_.resize(static_cast<std::size_t>(forces::platen_array::count) *
                     static_cast<std::size_t>(array_elements(spec)));
    }
    counts_.implicit.pressed_at_first = coupling::press_at_start(spec);
    const double end = static_cast<double>(steps_in_time_) * step_;
    if (spec_.exists()) branch_.emplace(spec_, end, equilibrium_);
  }

  std::int64_t advance(const SliceTask& task) override {
    begin_slice();
    std::int64_t taken = 0;
    while (taken < task.steps && !counts_.ended) {
      was_cut_ = taken > 0 && is_long();
      if (was_cut_) break;
      const std::int64_t step = task.first_step + taken;
      if (!(step < steps_in_time_ ? take_step_in_time(step) : take_step_of_branch(step))) break;
      ++taken;
    }
    if (was_cut_) return taken;
    if (taken > 0) counts_.stability = branch_ ? branch_->stability() : equilibrium_.stability();
    finish_slice(task, taken);
    return taken;
  }

  bool goes_with(const HostMember& other) const override {
    const auto* const that = dynamic_cast<const StaticMember*>(&other);
    return that != nullptr && fits_in_lanes() && that->fits_in_lanes() &&
           equilibrium_.rods().go_beside(that->equilibrium_.rods());
  }

  void advance_together(std::span<HostMember* const> members, std::span<SliceTask* const> tasks) override {
    EquilibriaInLanes lanes(equilibrium_);
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

  std::vector<double>* platen_record() override { return &record_; }
  std::vector<connection::PointLink>* links() override {
    coupling::Links* const links = equilibrium_.rods().links();
    return links != nullptr ? &links->points() : nullptr;
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
    /// Of a step that has begun: its parts that are done, and how many come next. None has if that is 0.
    std::int64_t done = 0;
    std::int64_t length = 0;

    bool are_within_step() const { return length > 0; }
  };

  /// One of those that advance together.
  struct Advance {
    StaticMember* member;
    SliceTask* task;
    std::int64_t taken = 0;

    /// It comes back before the end of its task.
    bool is_cut() const {
      const Counts& counts = member->counts_;
      return counts.are_within_step() ||
             (taken > 0 && taken < task->steps && !counts.implicit.failed && member->is_long());
    }
    bool goes_on() const { return taken < task->steps && !member->counts_.implicit.failed && !is_cut(); }
    std::int64_t step() const { return task->first_step + taken; }
  };

  /// The next step of those that have any left; false if none has.
  static bool take_steps(EquilibriaInLanes& lanes, std::vector<Advance>& all) {
    std::vector<Advance*> running;
    std::vector<Equilibrium*> equilibria;
    std::vector<double> ends;
    for (Advance& advance : all) {
      if (!advance.goes_on()) continue;
      StaticMember& member = *advance.member;
      member.begin_step(advance.step());
      running.push_back(&advance);
      equilibria.push_back(&member.equilibrium_);
      ends.push_back(static_cast<double>(advance.step()) * member.step_ + member.step_);
    }
    const std::vector<SolveOutcome> outcomes = lanes.solve(equilibria, ends);
    for (std::size_t k = 0; k < running.size(); ++k) {
      Advance& advance = *running[k];
      if (advance.member->finish_step(advance.step(), outcomes[k])) ++advance.taken;
    }
    return !running.empty();
  }

  static void find_stability(EquilibriaInLanes& lanes, const std::vector<Advance>& all) {
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

  void begin_slice() {
    was_cut_ = false;
    iterations_before_ = counts_.implicit.iterations;
  }

  /// Whether the slice has taken so long that the member comes back.
  bool is_long() const { return are_long(counts_.implicit.iterations - iterations_before_, elements_); }

  bool fits_in_lanes() const {
    return !branch_ && !counts_.are_within_step() && equilibrium_.rods().fit_in_lanes();
  }

  /// False if it fails, or is cut.
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
    equilibrium_.begin(static_cast<double>(step) * step_, step == 0, released);
  }

  /// `whole`: how it went to take the step as a whole, if that has been done.
  bool finish_step(std::int64_t step, const std::optional<SolveOutcome>& whole) {
    if (!reach(static_cast<double>(step) * step_, whole)) {
      was_cut_ = counts_.are_within_step();
      counts_.implicit.failed = !was_cut_;
      return false;
    }
    ++counts_.implicit.steps;
    counts_.on_branch = branch_ && step + 1 == steps_in_time_ && spec_.turns.front() == 0.0;
    return true;
  }

  /// What is asked for at the end: modes, and that rounding hides nothing of what is reported.
  void finish_slice(const SliceTask& task, std::int64_t taken) {
    const bool at_end = counts_.ended || task.first_step + taken == steps_;
    if (taken == 0 || !at_end) return;
    if (modes_ > 0) found_ = equilibrium_.modes(modes_);
    // Where loads have no energy, vibrations alone tell.
    if (found_ && !equilibrium_.rods().have_energy())
      counts_.stability.unstable_modes = static_cast<double>(found_->growing());
    const bool has_digits = counts_.stability.has_digits && (!found_ || found_->has_digits);
    if (!has_digits) counts_.implicit.failed = true;
  }

  bool take_step_of_branch(std::int64_t step) {
    equilibrium_.rods().hold_places(steps_in_time_ - 1);
    const int before = branch_->iterations();
    const bool taken = (step > steps_in_time_ || branch_->begin()) && branch_->advance();
    counts_.implicit.iterations += branch_->iterations() - before;
    counts_.on_branch = true;
    counts_.ended = branch_->ended();
    if (taken) note(static_cast<double>(steps_in_time_) * step_);
    if (taken) {
      ++counts_.implicit.steps;
    } else {
      counts_.implicit.failed = true;
    }
    return taken;
  }

  /// What moves the rods, and its work since a time.
  void note(double from) {
    RestingRods& rods = equilibrium_.rods();
    if (!record_.empty()) rods.record_platen(rods.ground().platen_displacement(from), record_);
    rods.note_reactions(from);
  }

  /// The equilibrium a step after `start`, by as many parts of the step as it takes. What is unbalanced at
  /// the very start, as the weight of a rod that was not loaded before, comes on with these parts. False if
  /// there is none, or if it is cut, from where it goes on next time.
  bool reach(double start, std::optional<SolveOutcome> whole) {
    const std::int64_t parts = std::int64_t{1} << halvings_;
    std::int64_t& done = counts_.done;
    std::int64_t& length = counts_.length;
    if (length == 0) length = parts;
    while (done < parts) {
      const double share_before = static_cast<double>(done) / static_cast<double>(parts);
      const double share = static_cast<double>(done + length) / static_cast<double>(parts);
      const SolveOutcome outcome = whole ? *whole : solve(start + share * step_, share);
      whole.reset();
      counts_.implicit.iterations += outcome.iterations;
      if (outcome.converged) {
        note(start + share_before * step_);
        done += length;
        if (done % (2 * length) == 0 && done + 2 * length <= parts) length *= 2;
      } else if (length > 1) {
        length /= 2;
      } else {
        done = length = 0;
        return false;
      }
      if (done < parts && is_long()) return false;
    }
    done = length = 0;
    return true;
  }

  /// Bonds that bear too much break, and the equilibrium is that without them.
  SolveOutcome solve(double time, double share) {
    RestingRods& rods = equilibrium_.rods();
    SolveOutcome outcome = equilibrium_.solve(time, share);
    while (outcome.converged && rods.links() != nullptr) {
      const double before = rods.links()->broken();
      rods.links()->break_overloaded();
      if (rods.links()->broken() == before) break;
      const SolveOutcome next = equilibrium_.solve(time, share);
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
  std::optional<Branch> branch_;
  int elements_;
  double step_;  ///< the deck's, s
  int halvings_;
  std::int64_t steps_;  ///< to its end
  int modes_;           ///< that are asked for there
  std::int64_t steps_in_time_;
  Counts counts_;
  std::int64_t iterations_before_ = 0;  ///< the slice
  std::optional<FoundModes> found_;
  std::vector<double> record_;           ///< of the platen
  std::vector<contact::Touch> touches_;  ///< at the last equilibrium
};

}  // namespace

std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays) {
  return std::make_unique<StaticMember>(spec, arrays);
}

std::size_t memory(const MemberSpec& spec) {
  constexpr std::size_t band = 3 * (tangent::half_bandwidth + 1);
  // Those of the modes: as many as they are and half as many more, in blocks of eight; of a closed rod eight.
  const std::size_t vectors = 16 + (spec.modes > 0 ? 40 + 2 * static_cast<std::size_t>(spec.modes) : 0);
  constexpr std::size_t lane = 2 * (tangent::half_bandwidth + 1) + 12;  // where members go side by side
  std::size_t unknowns = 0;
  for (const RodPlace& rod : rod_places(spec))
    unknowns += static_cast<std::size_t>(tangent::unknowns(rod.elements));
  // A matrix of all rods with its blocks, values and the fill of its factors.
  const bool coupled =
      !spec.connections.empty() || spec.contact.kind != ContactKind::none ||
      std::ranges::any_of(rod_places(spec), [](const RodPlace& rod) { return rod.joint != JointKind::none; });
  const std::size_t of_all = coupled ? 8 * 17 : 0;
  return unknowns * (band + vectors + lane + of_all) * sizeof(double);
}

}  // namespace rodeo::statics
