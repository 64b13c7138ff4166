#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rodeo {

/// A law of control in C++, which computes numbers at each sample of a member's control, beside the networks
/// and formulas of its deck. Each member has its own. The numbers follow from the law's inputs, sample by
/// sample, and from its memory; so results have the same bits on any ranks and threads.
class ControlLaw {
 public:
  struct Sample {
    double time = 0.0;        ///< s
    double interval = 0.0;    ///< between two samples, s
    std::int64_t number = 0;  ///< from 0
  };

  ControlLaw() = default;
  ControlLaw(const ControlLaw&) = delete;
  ControlLaw& operator=(const ControlLaw&) = delete;
  virtual ~ControlLaw() = default;

  /// Called once at each sample, in order, with numbers as ControlLawKind names them.
  virtual void act(const Sample& now, std::span<const double> sees, std::span<double> gives) = 0;

  /// Memory from sample to sample: saved, restored and cloned with the member.
  virtual std::span<double> memory() { return {}; }
};

/// A law of control that decks name: control.network = u[1] : NAME of tip, rate with variable.gains
struct ControlLawKind {
  std::string name;
  std::vector<std::string> sees;     ///< what the numbers are, for messages
  std::vector<std::string> weights;  ///< those that `make` takes
  std::vector<std::string> gives;
  std::function<std::unique_ptr<ControlLaw>(std::span<const double> weights)> make;
};

/// Lets decks that are read from now on name the law. Throws std::invalid_argument if its name is taken or
/// none.
void add_control_law(ControlLawKind kind);

/// Null if no law of control has this name.
std::shared_ptr<const ControlLawKind> find_control_law(std::string_view name);

/// Names of all laws of control, in the order in which they were added.
std::vector<std::string> control_law_names();

}  // namespace rodeo
