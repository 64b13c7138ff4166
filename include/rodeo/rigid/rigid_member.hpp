#pragma once

#include <memory>

#include "rodeo/member/host_stepper.hpp"

namespace rodeo::rigid {

/// A member whose rods move as rigid bodies: a rodeo::MakeHostMember.
std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays);

/// Memory that this takes besides the member's arrays, bytes, about.
std::size_t memory(const MemberSpec& spec);

}  // namespace rodeo::rigid
