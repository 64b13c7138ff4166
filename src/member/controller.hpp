#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rodeo/math/formula.hpp"
#include "rodeo/member/batch.hpp"

#include "load_powers.hpp"
#include "look.hpp"
#include "sampled_formula.hpp"

namespace rodeo {

/// The control of a member (ControlSpec) while it runs. At each sample it first sees the member, as its last
/// step has left it, and acts before the next step: between the two, inputs may be set from outside.
class Controller {
 public:
  explicit Controller(const MemberJob& job);

  bool exists() const { return spec_.exists(); }

  /// The first sample after so many steps.
  std::int64_t next_sample(std::int64_t steps) const;

  /// Whether it needs a sample of the member to see it.
  bool looks() const { return looks_; }

  /// Sees the member at a sample that it has not seen; does nothing else. `look`: null if it does not look.
  void see(const Glance& glance, const Look* look);

  /// Whether it has seen the member and not acted since.
  bool has_to_act() const { return waits_; }

  /// How live numbers change when the controller acts.
  struct Change {
    bool jumps = false;  ///< a number has another value
    bool bends = false;  ///< or another rate
  };
  Change act();

  /// Live numbers of inputs and outputs, LiveNumber::size entries each.
  std::span<const double> live() const { return live_; }

  /// All its numbers (ControlSpec).
  std::span<const double> numbers() const { return numbers_; }

  // Requested inputs, which act() clamps to their ranges, and the present values of signals.
  std::span<double> inputs() { return inputs_; }
  std::span<const double> signals() const {
    return std::span(numbers_).subspan(spec_.first_signal(), spec_.signals.size());
  }

  /// True if the work of actuation and motions so far is measured, J: work of forces and natural strains by
  /// the trapezoidal rule between samples, and the jumps of the energy at samples.
  bool measures_work() const { return work_ != nullptr; }
  void begin_interval(const Glance& glance, double jump_of_energy);

  /// Saves or restores the state.
  void visit(StateArchive& archive);

 private:
  struct Signal {
    SampledFormula formula;
    std::vector<double> past;  ///< the samples of its delay, the latest at sample number modulo its size
  };
  struct Work {
    struct Done {
      double power = 0.0;    ///< of what formulas drive, W
      double motions = 0.0;  ///< so far, J
    };
    LoadPowers powers;
    Done before = {};  ///< after the last sample
  };

  void take_inputs();
  void see_signals(const Glance& glance, const Look* look);
  double noise(std::size_t signal) const;
  void take_states_to(double time);
  void find_rates(std::span<const double> states, double time, std::span<double> rates);
  void run_networks();
  void find_outputs();
  Work::Done done_by(const Glance& glance) const;

  ControlSpec spec_;
  std::uint64_t seed_;
  double interval_;         ///< s
  std::int64_t last_step_;  ///< after which it may sample: along a branch time stands still
  std::vector<Signal> signals_;
  std::vector<Expression> rates_;
  std::vector<std::unique_ptr<ControlLaw>> laws_;  ///< of networks; null of those with layers
  std::vector<Expression> outputs_;
  bool looks_ = false;
  bool touches_ = false;
  std::unique_ptr<LoadPowers> powers_;  ///< where signals need them
  std::unique_ptr<Work> work_;
  // State that visit() saves.
  std::int64_t samples_ = 0;  ///< that it has seen
  bool waits_ = false;
  std::vector<double> numbers_;
  std::vector<double> inputs_;
  std::vector<double> live_;
};

}  // namespace rodeo
