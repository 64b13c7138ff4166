#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rodeo/input/terminal.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/plan/objective.hpp"
#include "rodeo/plan/result.hpp"

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

/// Observables of a file that `rodeo status` is to show.
struct ShownObservables {
  std::optional<Objective> objective = {};
  std::vector<std::string> asked = {};  ///< by the deck (asked_observables)
  std::vector<std::string> units = {};  ///< of the file's observables, if they are not as it has them
  /// Shows those whose name contains this, in place of what the deck asks for.
  std::optional<std::string> listed = {};
};

/// The text of `rodeo status`: the best member where there is an objective, observables that the study asks
/// for, counts per status, throughput, time left. A terminal also gets a bar of the work done.
std::string status_report(const EnsembleReader& reader, const std::string& path,
                          const ShownObservables& shown, const Screen& screen = {});

/// The counts and all observables of a campaign's file, as one line of JSON.
std::string status_as_json(const EnsembleReader& reader, const std::string& path,
                           const ShownObservables& shown);

/// "KEY = value, KEY = word" of a member's parameters.
std::string point_text(const EnsembleSchema& schema, std::span<const double> parameters);

/// The finished member with the best objective; nothing if none has a number for it.
std::optional<std::uint64_t> best_member(const EnsembleReader& reader, const Objective& objective);

}  // namespace rodeo
