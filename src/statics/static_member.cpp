#include "rodeo/statics/static_member.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "rodeo/rod/rod_places.hpp"

#include "branch.hpp"
#include "equilibrium.hpp"

namespace rodeo::statics {

namespace {

class StaticMember final : public HostMember {
 public:
  StaticMember(const MemberSpec& spec, const MemberArrays& arrays)
      : spec_(spec.branch),
        equilibrium_(spec, arrays),
        step_(spec.time.step),
        halvings_(spec.newton.halvings),
        steps_(spec.time.steps),
        modes_(spec.modes),
        steps_in_time_(spec.time.steps - spec.branch.points) {
    if (spec.ground.platen.exists()) {
      record_.resize(static_cast<std::size_t>(forces::platen_array::count) *
                     static_cast<std::size_t>(array_elements(spec)));
    }
    const double end = static_cast<double>(steps_in_time_) * step_;
    if (spec_.exists()) branch_.emplace(spec_, end, equilibrium_);
  }

  std::int64_t advance(const SliceTask& task) override {
    std::int64_t taken = 0;
    while (taken < task.steps && !counts_.ended) {
      const std::int64_t step = task.first_step + taken;
      if (!(step < steps_in_time_ ? take_step_in_time(step) : take_step_of_branch(step))) {
        counts_.implicit.failed = true;
        break;
      }
      ++counts_.implicit.steps;
      ++taken;
    }
    if (taken > 0) counts_.stability = branch_ ? branch_->stability() : equilibrium_.stability();
    const bool at_end = counts_.ended || task.first_step + taken == steps_;
    if (modes_ > 0 && taken > 0 && at_end) found_ = equilibrium_.modes(modes_);
    return taken;
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
    return sample;
  }

  std::vector<double>* platen_record() override { return &record_; }

  void visit_state(StateArchive& archive) override {
    archive.visit(counts_);
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
  };

  bool take_step_in_time(std::int64_t step) {
    const bool released = equilibrium_.rods().begin_motions(step);
    equilibrium_.begin(static_cast<double>(step) * step_, step == 0, released);
    if (!reach(static_cast<double>(step) * step_)) return false;
    counts_.on_branch = branch_ && step + 1 == steps_in_time_ && spec_.turns.front() == 0.0;
    return true;
  }

  bool take_step_of_branch(std::int64_t step) {
    equilibrium_.rods().hold_places(steps_in_time_ - 1);
    const int before = branch_->iterations();
    const bool taken = (step > steps_in_time_ || branch_->begin()) && branch_->advance();
    counts_.implicit.iterations += branch_->iterations() - before;
    counts_.on_branch = true;
    counts_.ended = branch_->ended();
    if (taken) note(static_cast<double>(steps_in_time_) * step_);
    return taken;
  }

  /// What moves the rods, and its work since a time.
  void note(double from) {
    RestingRods& rods = equilibrium_.rods();
    if (!record_.empty()) rods.record_platen(rods.ground().platen_displacement(from), record_);
    rods.note_reactions(from);
  }

  /// The equilibrium a step after `start`, by as many parts of the step as it takes. What is unbalanced at
  /// the very start, as the weight of a rod that was not loaded before, comes on with these parts.
  bool reach(double start) {
    const std::int64_t parts = std::int64_t{1} << halvings_;
    std::int64_t length = parts;
    for (std::int64_t done = 0; done < parts;) {
      const double share_before = static_cast<double>(done) / static_cast<double>(parts);
      const double share = static_cast<double>(done + length) / static_cast<double>(parts);
      const SolveOutcome outcome = equilibrium_.solve(start + share * step_, share);
      counts_.implicit.iterations += outcome.iterations;
      if (outcome.converged) {
        note(start + share_before * step_);
        done += length;
        if (done % (2 * length) == 0 && done + 2 * length <= parts) length *= 2;
      } else if (length > 1) {
        length /= 2;
      } else {
        return false;
      }
    }
    return true;
  }

  BranchSpec spec_;
  Equilibrium equilibrium_;
  std::optional<Branch> branch_;
  double step_;  ///< the deck's, s
  int halvings_;
  std::int64_t steps_;  ///< to its end
  int modes_;           ///< that are asked for there
  std::int64_t steps_in_time_;
  Counts counts_;
  std::optional<FoundModes> found_;
  std::vector<double> record_;  ///< of the platen
};

}  // namespace

std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays) {
  return std::make_unique<StaticMember>(spec, arrays);
}

std::size_t memory(const MemberSpec& spec) {
  constexpr std::size_t band = 3 * (tangent::half_bandwidth + 1);
  // Those of the modes: as many as they are and half as many more, in blocks of eight; of a closed rod eight.
  const std::size_t vectors = 16 + (spec.modes > 0 ? 40 + 2 * static_cast<std::size_t>(spec.modes) : 0);
  std::size_t unknowns = 0;
  for (const RodPlace& rod : rod_places(spec))
    unknowns += static_cast<std::size_t>(tangent::unknowns(rod.elements));
  return unknowns * (band + vectors) * sizeof(double);
}

}  // namespace rodeo::statics
