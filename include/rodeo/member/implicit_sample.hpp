#pragma once

#include "rodeo/member/member_arrays.hpp"
#include "rodeo/member/take_sample.hpp"

namespace rodeo {

/// Sums over the rods of a member whose steps, unlike explicit ones, have no bounds from its state.
inline Sample implicit_sample(const MemberArrays& member) {
  Sample sample{take_sample(OneThread{}, member.all, member.rods, member.data.step)};
  sample.law_potential = law_potential(OneThread{}, member.all, member.rods);
  sample.largest_move = 0.0;
  sample.largest_turn = 0.0;
  return sample;
}

}  // namespace rodeo
