#pragma once

#include <memory>

#include "rodeo/member/host_stepper.hpp"

namespace rodeo::statics {

/// A member of Cosserat rods that goes from equilibrium to equilibrium: a rodeo::MakeHostMember.
std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays);

/// Memory that this takes besides the member's arrays, bytes, about.
std::size_t memory(const MemberSpec& spec);

}  // namespace rodeo::statics
