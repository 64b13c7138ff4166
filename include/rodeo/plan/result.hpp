#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rodeo/member/status.hpp"

namespace rodeo {

/// Number of scenarios in a share of them: rounded up to whole ones, and one at least.
std::size_t scenarios_counted(std::size_t scenarios, double share);

/// Result of a candidate over its members, one per repeat. Depends on nothing but the members.
struct Result {
  std::uint64_t candidate = 0;  ///< or the only member, of a plan that asks_for_members()

  /// Status of the first repeat that did not end well; if all did, that of the first one.
  MemberStatus status = MemberStatus::done;

  /// Means over repeats, in the order of the list of observables; NaN unless all repeats ended well, or ran
  /// out of branch.points for a plan that needs_unfinished_branches().
  std::vector<double> observables;

  /// Derivatives of the observables by the P parameters of the plan: entry k * P + p is that of observable k
  /// by parameter p, as a mean over repeats, NaN where it does not exist. Empty where derivatives are not
  /// known, as from all models so far.
  std::vector<double> derivatives = {};

  /// Positions of the nodes in the last frame of the first repeat, nodes x 3, m. Empty unless the plan
  /// needs_frames() and the member reached time.end.
  std::vector<double> last_frame = {};

  /// For each scenario (study.scenarios) the observables as means over its repeats; empty without scenarios.
  std::vector<std::vector<double>> scenarios = {};

  /// The mean of an observable over a share of the scenarios: those where it is largest, or
  /// smallest. NaN if it is NaN in any scenario.
  double over_worst(std::size_t place, double share, bool largest_is_worst) const;
};

}  // namespace rodeo
