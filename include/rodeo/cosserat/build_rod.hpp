#pragma once

#include "rodeo/cosserat/member_data.hpp"
#include "rodeo/input/member_spec.hpp"

namespace rodeo::cosserat {

/// Fills a rod's arrays (rod_size(spec.rod.elements) doubles, host memory) with the state of rest of a
/// member.
void build_rod(const MemberSpec& spec, const RodView& rod);

/// The plain data the kernels need of a member; `offset` is where its arrays stand in the batch's storage.
MemberData make_member_data(const MemberSpec& spec, std::uint64_t seed, std::size_t offset);

}  // namespace rodeo::cosserat
