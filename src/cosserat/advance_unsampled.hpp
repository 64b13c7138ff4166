#pragma once

#include "advance_slice.hpp"
#include "unsampled_kernels.hpp"

namespace rodeo::cosserat {

/// A kernel of its own, in sources of its own: beside a condition the compiler would contract the sums of
/// samples otherwise, and results keep their bits.
template <class Real, bool general>
void advance_unsampled(const BasicBatchViews<Real>& batch, int first, int count) {
  using detail::SlicePolicy;
  SlicePolicy policy(count, team_size<SlicePolicy::execution_space>());
  policy.set_chunk_size(1);
  if (batch.scratch > 0) policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(batch.scratch)));
  Kokkos::parallel_for(
      "advance_unsampled", policy, KOKKOS_LAMBDA(const SlicePolicy::member_type& team) {
        const SliceTask task = batch.tasks(first + team.league_rank());
        MemberData member = batch.members(task.member);
        contact::PenaltyContact& contact = member.forces.contact();
        contact.view.reals = batch.contact_reals.data() + member.contact.reals;
        contact.view.integers = batch.contact_integers.data() + member.contact.integers;
        const std::size_t numbers = rod_size<Real>(member.elements);
        Real* const stored = batch.storage.data() + member.offset;
        Real* arrays = stored;
        if (batch.scratch > 0) {
          arrays = static_cast<Real*>(
              team.team_scratch(0).get_shmem_aligned(numbers * sizeof(Real), scratch_alignment));
          detail::copy_arrays(team, stored, arrays, numbers);
        }
        const BasicRodView<Real> rod(arrays, member.elements, member.sections_shrink);
        const Rods rods{batch.rods.data() + member.first_rod, member.rods};
        if constexpr (general) {
          const ConnectedRods connected{rods, batch.connections.of(task.member)};
          advance(team, rod, connected, member, task, batch.motions.of(member, task.member));
        } else {
          advance(team, rod, rods, member, task);
        }
        if (arrays != stored) detail::copy_arrays(team, arrays, stored, numbers);
      });
  Kokkos::fence();
}

}  // namespace rodeo::cosserat
