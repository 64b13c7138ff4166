#pragma once

#include <string_view>
#include <vector>

#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"

namespace rodeo {

/// Runs members in one batch to their ends.
inline std::vector<MemberOutcome> run_members(const std::vector<MemberJob>& jobs) {
  const auto batch = make_batch(jobs);
  while (batch->advance()) {
  }
  return {batch->outcomes().begin(), batch->outcomes().end()};
}

inline MemberOutcome run_member(const MemberSpec& spec) { return run_members({{spec, 1}}).front(); }

/// An observable of a member; throws std::out_of_range if there is none of that name.
inline double value(const MemberOutcome& outcome, std::string_view name) {
  return outcome.observables.at(observable_index(name));
}

}  // namespace rodeo
