#pragma once

#include "rodeo/cosserat/kernels.hpp"
#include "rodeo/cosserat/sample.hpp"
#include "rodeo/cosserat/step.hpp"

namespace rodeo::cosserat {

namespace detail {

/// Threads of a member's team: on a host core one, whose vector units take the elements; on a device a block.
template <class Space>
constexpr int team_size() {
  return Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible ? 1 : 64;
}

}  // namespace detail

template <class Real>
void advance_slice(const BasicBatchViews<Real>& batch, int count) {
  using Space = Kokkos::DefaultExecutionSpace;
  using Policy = Kokkos::TeamPolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>>;
  Kokkos::parallel_for(
      "advance_slice", Policy(count, detail::team_size<Space>()).set_chunk_size(1),
      KOKKOS_LAMBDA(const Policy::member_type& team) {
        const SliceTask task = batch.tasks(team.league_rank());
        MemberData member = batch.members(task.member);
        contact::Penalty& contact = member.forces.contact;
        contact.view.reals = batch.contact_reals.data() + member.contact.reals;
        contact.view.integers = batch.contact_integers.data() + member.contact.integers;
        const BasicRodView<Real> rod(batch.storage.data() + member.offset, member.elements,
                                     member.sections_shrink);
        const Rods rods{batch.rods.data() + member.first_rod, member.rods};
        if (task.steps > 0) advance(team, rod, rods, member, task);
        Sample sample = take_sample(team, rod, rods, member.step);
        if (contact.enabled) sample.contact = contact.sample(team);
        Kokkos::single(Kokkos::PerTeam(team), [&] { batch.samples(team.league_rank()) = sample; });
      });
  Kokkos::fence();
}

}  // namespace rodeo::cosserat
