#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/member/batch.hpp"
#include "rodeo/models/rows.hpp"

namespace rodeo::models {

/// Members whose motion begins at rest (time.from = equilibrium): their equilibria under the loads of t = 0
/// are found first, side by side, then they move from there. One that finds none ends as that says.
std::unique_ptr<Batch> make_rest_first_batch(std::span<const MemberJob> jobs);

/// Implements rodeo::begun_at_rest().
std::vector<MemberJob> begun_at_rest(std::span<const MemberJob> jobs, std::vector<MemberStatus>& found);

/// Reason why a member with time.from = equilibrium cannot begin at rest.
std::optional<StartProblem> what_cannot_rest_first(const MemberSpec& spec);

}  // namespace rodeo::models
