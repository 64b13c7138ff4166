#pragma once

#include "advance_slice.hpp"
#include "unsampled_kernels.hpp"

namespace rodeo::cosserat {

/// A kernel of its own, in sources of its own: beside a condition the compiler would contract the sums of
/// samples otherwise, and results keep their bits.
template <class Real, bool general, bool circular>
void advance_unsampled(const BasicBatchViews<Real>& batch, int first, int count, int threads) {
  using detail::SlicePolicy;
  const SlicePolicy policy = detail::slice_policy(count, threads, batch.scratch);
  std::vector<Meeting> meetings(on_host<> && threads > 1 ? static_cast<std::size_t>(count) : 0);
  Meeting* const meeting = meetings.data();
  Kokkos::parallel_for(
      "advance_unsampled", policy, KOKKOS_LAMBDA(const SlicePolicy::member_type& handle) {
        const auto team = team_of(handle, meeting);
        const SliceTask task = batch.tasks(first + handle.league_rank());
        MemberData member = batch.members(task.member);
        contact::PenaltyContact& contact = member.forces.contact();
        contact.view.reals = batch.contact_reals.data() + member.contact.reals;
        contact.view.integers = batch.contact_integers.data() + member.contact.integers;
        contact.view.room = batch.contact_rooms + task.member;
        const std::size_t numbers = rod_size<Real>(member.elements, circular || member.circular);
        Real* const stored = batch.storage.data() + member.offset;
        Real* arrays = stored;
        if (batch.scratch > 0) {
          arrays = static_cast<Real*>(
              handle.team_scratch(0).get_shmem_aligned(numbers * sizeof(Real), scratch_alignment));
          detail::copy_arrays(team, stored, arrays, numbers);
        }
        const BasicRodView<Real> rod =
            BasicRodView<Real>(arrays, member.elements, member.sections_shrink, circular || member.circular)
                .with_work(batch.work.data(), member.work);
        const Rods rods = detail::rods_in_slice(team, {batch.rods.data() + member.first_rod, member.rods},
                                                task, member.step);
        const RodsPart* const parts = batch.parts.data() + member.first_part;
        if constexpr (general) {
          const ConnectedRods connected{rods, batch.connections.of(task.member)};
          detail::take_steps<circular>(team, rod, connected, parts, member, task,
                                       batch.motions.of(member, task.member));
        } else {
          detail::take_steps<circular>(team, rod, rods, parts, member, task, NoFurtherParts{});
        }
        if (arrays != stored) detail::copy_arrays(team, arrays, stored, numbers);
      });
  Kokkos::fence();
}

}  // namespace rodeo::cosserat
