#pragma once

#include <optional>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// The time from which loads and boundaries depend on the state alone, s: perturbation, ramp and prescribed
/// motion have ended. Nothing if the member ends before that.
std::optional<double> steady_from(const MemberSpec& spec);

}  // namespace rodeo
