#pragma once

#include <cstdint>
#include <optional>

#include "rodeo/output/member_row.hpp"
#include "rodeo/plan/objective.hpp"
#include "rodeo/plan/result_sum.hpp"

namespace rodeo {

/// Adds up the rows of a file, in their order, to results of candidates over all their scenarios.
class CandidateRows {
 public:
  explicit CandidateRows(const Objective& objective) : empty_(objective.members, objective.scenarios) {}

  /// Result of a row's candidate, with the row of its last member; nothing before that, and for a candidate
  /// with members missing.
  std::optional<Result> add(const MemberRow& row) {
    const bool there = row.status != MemberStatus::pending;
    if (!there || sum_.added() == 0 || row.candidate != candidate_) {
      sum_ = empty_;
      candidate_ = row.candidate;
      first_ = row.member;
    }
    if (there) sum_.add(row.status, row.observables);
    if (!there || !sum_.complete()) return {};
    const Result result = sum_.result(candidate_);
    sum_ = empty_;
    return result;
  }

  /// The first member of the candidate that came last.
  std::uint64_t first_member() const { return first_; }

 private:
  ResultSum empty_;
  ResultSum sum_ = empty_;
  std::uint64_t candidate_ = 0;
  std::uint64_t first_ = 0;
};

}  // namespace rodeo
