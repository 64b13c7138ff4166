#pragma once

#include <vector>

#include "rodeo/boundary/motion.hpp"
#include "rodeo/member/member_data.hpp"
#include "rodeo/member/rods.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Fills the arrays of a member's rods (rod_size(array_elements(spec)) doubles, host memory) with their state
/// of rest.
void build_rods(const MemberSpec& spec, const RodView& member);

/// The plain data the kernels need of a member; `offset` is where its arrays stand in the batch's storage.
MemberData make_member_data(const MemberSpec& spec, std::uint64_t seed, std::size_t offset);

/// The plain data of each rod of a member, but for its actuation, which has arrays of its own (RodArrays).
std::vector<RodData> make_rod_data(const MemberSpec& spec);

/// Plain data of a member's motions; appends the numbers of their formulas to `tables`.
std::vector<boundary::Motion> make_motions(const MemberSpec& spec, std::vector<double>& tables);

}  // namespace rodeo
