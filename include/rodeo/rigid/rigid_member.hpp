#pragma once

#include <memory>
#include <vector>

#include "rodeo/member/host_stepper.hpp"
#include "rodeo/member/step_bounds.hpp"

namespace rodeo::rigid {

/// A member whose rods move as rigid bodies: a rodeo::MakeHostMember.
std::unique_ptr<HostMember> make_member(const MemberSpec& spec, const MemberArrays& arrays);

/// Memory that this takes besides the member's arrays, bytes, about.
std::size_t memory(const MemberSpec& spec);

/// The step below which tethers do not make steps unstable.
StepBounds step_bounds(const MemberSpec& spec);

/// Part of the kinetic energy at the start that the bodies keep, of each rod: 1 where the velocities are
/// those of a rigid body, or zero.
std::vector<double> kept_start_energies(const MemberSpec& spec);

}  // namespace rodeo::rigid
