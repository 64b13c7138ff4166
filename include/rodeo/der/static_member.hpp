#pragma once

#include <cstddef>
#include <memory>

#include "rodeo/member/host_stepper.hpp"

namespace rodeo::der {

/// A member of discrete elastic rods that goes from equilibrium to equilibrium: a rodeo::MakeHostMember.
std::unique_ptr<HostMember> make_static_member(const MemberSpec& spec, const MemberArrays& arrays);

/// Memory that it takes besides that of implicit steps, bytes, about.
std::size_t static_memory(const MemberSpec& spec);

}  // namespace rodeo::der
