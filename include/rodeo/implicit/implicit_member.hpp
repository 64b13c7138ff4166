#pragma once

#include <memory>

#include "rodeo/member/host_stepper.hpp"

namespace rodeo::implicit {

/// A member of Cosserat rods that moves by steps of generalised alpha: a rodeo::MakeHostMember.
std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays);

/// Memory that this takes besides the member's arrays, bytes, about.
std::size_t memory(const MemberSpec& spec);

/// One that moves by steps of backward Euler, which take as much memory.
std::unique_ptr<HostMember> make_damped_member(const MemberSpec& spec, const MemberArrays& arrays);

/// One that moves by steps that conserve energy and momenta, and its memory.
std::unique_ptr<HostMember> make_conserving_member(const MemberSpec& spec, const MemberArrays& arrays);
std::size_t conserving_memory(const MemberSpec& spec);

}  // namespace rodeo::implicit
