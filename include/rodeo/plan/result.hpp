#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

/// Sum of a candidate's members: those of its first scenario, one per repeat, then those of the next one.
class ResultSum {
 public:
  ResultSum() = default;

  /// `members` of a candidate, as many in each of the `scenarios`, which are 1 where a deck has none.
  /// `unfinished_branches`: as Plan::needs_unfinished_branches.
  ResultSum(std::uint32_t members, std::uint32_t scenarios, bool unfinished_branches = false)
      : members_(members), scenarios_(scenarios), unfinished_branches_(unfinished_branches) {}

  /// Adds the next member. Observables that it lacks are NaN.
  void add(MemberStatus status, std::span<const double> observables);

  std::uint32_t added() const { return added_; }
  bool complete() const { return added_ == members_; }

  /// Result of all members, once they are added.
  Result result(std::uint64_t candidate) const;

 private:
  std::uint32_t members_ = 1;
  std::uint32_t scenarios_ = 1;
  bool unfinished_branches_ = false;
  std::uint32_t added_ = 0;
  Result sums_;  ///< of observables, instead of means
};

}  // namespace rodeo
