#pragma once

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "member/run_members.hpp"
#include "member/saved_state.hpp"

namespace rodeo {

/// Runs a member that is interrupted after every slice: its state goes on in a new batch, at another place,
/// where it stands beside the same member at its start.
inline MemberOutcome run_in_pieces(const MemberJob& job, std::size_t new_place = 1) {
  const std::vector<MemberJob> jobs = {job, job};
  auto batch = make_batch({&job, 1});
  std::size_t place = 0;
  int slices = 0;
  while (batch->advance() && batch->outcomes()[place].status == MemberStatus::pending) {
    const std::vector<std::byte> state = saved_state(*batch, place);
    place = new_place;
    batch = make_batch(jobs);
    restore(*batch, place, state);
    ++slices;
  }
  EXPECT_GT(slices, 5);
  return batch->outcomes()[place];
}

}  // namespace rodeo
