#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/math/formula.hpp"
#include "rodeo/spec/control_law.hpp"
#include "rodeo/spec/measure_spec.hpp"
#include "rodeo/spec/words.hpp"

namespace rodeo {

/// Control of a member while it runs (deck section [control]): it samples the member at equal intervals, and
/// drives it. All its numbers stand in one list, whose places are the slots of its formulas: the time of the
/// sample, inputs, signals, states, numbers from networks, outputs, work. Inputs and outputs are live numbers
/// of the formulas that drive the member, in this order.
struct ControlSpec {
  struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
  };

  /// A number that is set from outside.
  struct Input {
    std::string name;
    double start = 0.0;
    Range range;
  };

  /// A measured number.
  struct Signal {
    std::string name;
    std::string unit;                    ///< empty: none is given
    Formula formula = Formula::slot(0);  ///< of its operands
    std::vector<OperandSpec> operands;
    std::int64_t delay = 0;  ///< intervals; before t = 0 the first sample stands
    double noise = 0.0;      ///< standard deviation of what is added
  };

  /// A number with a rate.
  struct State {
    std::string name;
    double start = 0.0;
    Formula rate = Formula::number(0.0);  ///< of time, inputs, signals and states
  };

  enum class Activation { linear, tanh, relu, sigmoid, sine };

  /// A feedforward network, or a law of control in C++ in the place of its layers.
  struct Network {
    struct Layer {
      int units = 0;
      Activation activation = Activation::linear;
    };
    std::string name;
    std::vector<std::size_t> sees;  ///< places in the list of numbers
    std::vector<Layer> layers;      ///< the last has as many units as the network gives numbers
    std::vector<double> weights;    ///< layer by layer, unit by unit: those of what it sees, then its bias
    std::shared_ptr<const ControlLawKind> law = nullptr;  ///< without layers, with weights of its own

    std::size_t gives() const {
      return law ? law->gives.size() : static_cast<std::size_t>(layers.back().units);
    }
  };

  /// A number that drives the member.
  struct Output {
    std::string name;
    Formula formula = Formula::number(0.0);  ///< of all numbers before it
    Range range;
    double rate = std::numeric_limits<double>::infinity();  ///< most change, 1/s
    double start = 0.0;                                     ///< before the first sample
  };

  std::int64_t interval = 0;  ///< steps between two samples
  bool held = true;           ///< outputs stay from sample to sample, else they go linearly to the next value
  std::vector<Input> inputs;
  std::vector<Signal> signals;
  std::vector<State> states;
  std::vector<Network> networks;
  std::vector<Output> outputs;

  bool exists() const { return interval > 0; }

  std::size_t live_count() const { return inputs.size() + outputs.size(); }

  // First places of the numbers of each kind in the list.
  static constexpr std::size_t time_place = 0;
  static constexpr std::size_t first_input() { return 1; }
  std::size_t first_signal() const { return first_input() + inputs.size(); }
  std::size_t first_state() const { return first_signal() + signals.size(); }
  std::size_t first_of_networks() const { return first_state() + states.size(); }
  std::size_t first_output() const {
    std::size_t place = first_of_networks();
    for (const Network& network : networks) place += network.gives();
    return place;
  }
  /// Place of the work that the control has done, which stands last.
  std::size_t work_place() const { return first_output() + outputs.size(); }
  std::size_t numbers() const { return work_place() + 1; }

  /// The place of the number of this name; nothing if there is none.
  std::optional<std::size_t> find(std::string_view name) const;
  std::vector<std::string> names() const;

  /// Name of the number at work_place().
  static constexpr std::string_view work_name = "control_work";

  /// The live numbers as tables of formulas begin with them: before the first sample, and with each at an end
  /// of its range. A number without a range stays at its start.
  std::vector<double> live_at_start() const;
  std::vector<std::vector<double>> live_at_extremes() const;
};
template <>
inline constexpr auto words<ControlSpec::Activation> = [] {
  using enum ControlSpec::Activation;
  return std::to_array<Word<ControlSpec::Activation>>(
      {{"linear", linear}, {"tanh", tanh}, {"relu", relu}, {"sigmoid", sigmoid}, {"sin", sine}});
}();

}  // namespace rodeo
