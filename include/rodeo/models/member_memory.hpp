#pragma once

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Memory that a member takes while it runs, bytes: its arrays, and its frames until its end. 0 without rods.
double member_memory(const MemberSpec& spec);

/// Memory of this machine that this process may use, bytes.
double machine_memory();

}  // namespace rodeo
