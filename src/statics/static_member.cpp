#include "rodeo/statics/static_member.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "rodeo/rod/rod_places.hpp"

#include "equilibrium.hpp"

namespace rodeo::statics {

namespace {

class StaticMember final : public HostMember {
 public:
  StaticMember(const MemberSpec& spec, const MemberArrays& arrays)
      : equilibrium_(spec, arrays),
        step_(spec.time.step),
        halvings_(spec.newton.halvings),
        steps_(spec.time.steps),
        modes_(spec.modes) {}

  std::int64_t advance(const SliceTask& task) override {
    for (std::int64_t k = 0; k < task.steps; ++k) {
      const double start = static_cast<double>(task.first_step + k) * step_;
      if (!reach(start, task.first_step + k == 0)) {
        counts_.implicit.failed = true;
        return k;
      }
      ++counts_.implicit.steps;
    }
    if (task.steps > 0) counts_.stability = equilibrium_.stability();
    if (modes_ > 0 && task.first_step + task.steps == steps_) found_ = equilibrium_.modes(modes_);
    return task.steps;
  }

  Sample sample() const override {
    Sample sample = equilibrium_.rods().sample();
    sample.implicit = counts_.implicit;
    sample.unstable_modes = counts_.stability.unstable_modes;
    sample.least_stiffness = counts_.stability.least_stiffness;
    if (found_) sample.modes = &*found_;
    return sample;
  }

  void visit_state(StateArchive& archive) override { archive.visit(counts_); }

 private:
  /// Plain, for it is saved and restored as it is.
  struct Counts {
    ImplicitSample implicit;
    Stability stability;
  };

  /// The equilibrium a step after `start`, by as many parts of the step as it takes. What is unbalanced at
  /// the very start, as the weight of a rod that was not loaded before, comes on with these parts.
  bool reach(double start, bool from_rest) {
    equilibrium_.begin(start, from_rest);
    const std::int64_t parts = std::int64_t{1} << halvings_;
    std::int64_t length = parts;
    for (std::int64_t done = 0; done < parts;) {
      const double share = static_cast<double>(done + length) / static_cast<double>(parts);
      const SolveOutcome outcome = equilibrium_.solve(start + share * step_, share);
      counts_.implicit.iterations += outcome.iterations;
      if (outcome.converged) {
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

  Equilibrium equilibrium_;
  double step_;  ///< the deck's, s
  int halvings_;
  std::int64_t steps_;  ///< to its end
  int modes_;           ///< that are asked for there
  Counts counts_;
  std::optional<FoundModes> found_;
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
