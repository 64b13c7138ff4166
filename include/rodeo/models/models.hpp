#pragma once

#include <memory>
#include <span>

#include "rodeo/member/batch.hpp"

namespace rodeo {

/// A batch of the model that the jobs ask for; all jobs of a batch have the same.
std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs);

/// Predicted time of a member on one core, ns; for ordering and for estimates.
double predicted_cost(const MemberSpec& spec);

}  // namespace rodeo
