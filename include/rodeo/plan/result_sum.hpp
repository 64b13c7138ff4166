#pragma once

#include <cstdint>
#include <span>

#include "rodeo/plan/result.hpp"

namespace rodeo {

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
