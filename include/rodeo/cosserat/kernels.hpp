#pragma once

#include <cstddef>

#include <Kokkos_Core.hpp>

#include "rodeo/cosserat/member_data.hpp"
#include "rodeo/cosserat/rods.hpp"
#include "rodeo/observe/sample.hpp"

namespace rodeo::cosserat {

/// A batch of members in the memory of the execution space, whose steps compute with Real.
template <class Real>
struct BasicBatchViews {
  Kokkos::View<Real*> storage;          ///< all members' arrays, one after the other
  Kokkos::View<double*> contact_reals;  ///< the contact arrays of those that have any
  Kokkos::View<int*> contact_integers;  ///< and their lists
  Kokkos::View<MemberData*> members;    ///< [members]
  Kokkos::View<RodData*> rods;          ///< all members' rods, one after the other
  Kokkos::View<SliceTask*> tasks;       ///< [members]; the first `count` are this slice's
  Kokkos::View<Sample*> samples;        ///< [members]; samples[k] belongs to tasks[k]
  /// Bytes of a team's scratch memory, in which a slice takes its steps; 0: where the arrays stand.
  std::size_t scratch = 0;
};
using BatchViews = BasicBatchViews<double>;

/// Takes the steps of the first `count` tasks and a sample of each at its end: one launch, one team a member.
template <class Real>
void advance_slice(const BasicBatchViews<Real>& batch, int count);

/// What BasicBatchViews::scratch should be where no member's arrays take more than so many bytes. On a device
/// they fit into the memory of a block or stay where they are; a host's caches do that by themselves.
std::size_t scratch_for(std::size_t array_bytes);

/// Members whose steps this process takes at once, at most: one a thread of the host, one a block of a
/// device.
int members_at_once();

extern template void advance_slice(const BasicBatchViews<double>& batch, int count);
extern template void advance_slice(const BasicBatchViews<float>& batch, int count);

}  // namespace rodeo::cosserat
