#pragma once

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// When perturbation, ramp and prescribed motion have ended, s.
double steady_time(const MemberSpec& spec);

/// Whether they end before the member does.
bool becomes_steady(const MemberSpec& spec);

}  // namespace rodeo
