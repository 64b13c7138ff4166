#pragma once

#include <cmath>
#include <cstdint>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// The steps of one muscle.period, to the nearest; 0 if there is none or time.end is less than a period.
inline std::int64_t period_steps(const MemberSpec& spec) {
  const double steps = std::round(spec.muscle.period / spec.time.step);
  return steps <= static_cast<double>(spec.time.steps) ? static_cast<std::int64_t>(steps) : 0;
}

}  // namespace rodeo
