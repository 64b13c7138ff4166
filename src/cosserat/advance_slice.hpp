#pragma once

#include "rodeo/member/connected_rods.hpp"
#include "rodeo/member/take_sample.hpp"
#include "rodeo/member/team.hpp"

#include "kernels.hpp"
#include "step.hpp"

namespace rodeo::cosserat {

namespace detail {

using SlicePolicy = Kokkos::TeamPolicy<Kokkos::DefaultExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;

template <class Team, class Real>
KOKKOS_INLINE_FUNCTION void copy_arrays(const Team& team, const Real* from, Real* to, std::size_t numbers) {
  for_each_lane(team, static_cast<int>(numbers), [=](int i) { to[i] = from[i]; });
}

}  // namespace detail

template <class Team, class Real>
KOKKOS_INLINE_FUNCTION void set_connection_sample(const Team& team, const BasicRodView<Real>& rod,
                                                  const connection::Connections& connections,
                                                  Sample& sample) {
  const double energy = connections.energy(team, rod);
  const double broken = connections.broken(team);
  Kokkos::single(Kokkos::PerTeam(team), [&] {
    sample.connection_energy = energy;
    sample.broken_bonds = broken;
  });
}

template <class Team>
KOKKOS_INLINE_FUNCTION void set_ground_loss(const Team& team, const forces::FurtherGroundOfMember& ground,
                                            int elements, Sample& sample) {
  const double loss = ground.loss(team, elements);
  Kokkos::single(Kokkos::PerTeam(team), [&] { sample.ground_loss = loss; });
}

template <class Real, bool general>
void advance_slice(const BasicBatchViews<Real>& batch, int count) {
  using detail::SlicePolicy;
  SlicePolicy policy(count, team_size<SlicePolicy::execution_space>());
  policy.set_chunk_size(1);
  if (batch.scratch > 0) policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(batch.scratch)));
  Kokkos::parallel_for(
      "advance_slice", policy, KOKKOS_LAMBDA(const SlicePolicy::member_type& team) {
        const SliceTask task = batch.tasks(team.league_rank());
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
          if (task.steps > 0)
            advance(team, rod, connected, member, task, batch.motions.of(member, task.member));
        } else {
          if (task.steps > 0) advance(team, rod, rods, member, task);
        }
        RodSample sample = take_sample(team, rod, rods, member.step);
        sample.distributed_potential = distributed_potential(team, rod, rods);
        if (member.actuated) sample.shear_energy = natural_shear_energy(team, rod, rods);
        if (contact.enabled) {
          sample.contact = contact.sample(team);
          contact.set_energies(team, rod, sample.contact_energy, sample.friction_loss);
        }
        if (member.forces.ground().acts(0.0)) sample.ground_energy = member.forces.ground().energy(team, rod);
        if constexpr (general) {
          sample.ground_energy += batch.motions.of(member, task.member)
                                      .ground.energy(team, rod, task.first_step + task.steps, member.step);
        }
        Kokkos::single(Kokkos::PerTeam(team),
                       [&] { static_cast<RodSample&>(batch.samples(team.league_rank())) = sample; });
        if constexpr (general) {
          set_connection_sample(team, rod, batch.connections.of(task.member),
                                batch.samples(team.league_rank()));
          set_ground_loss(team, batch.motions.of(member, task.member).ground, rod.elements,
                          batch.samples(team.league_rank()));
        }
        if (arrays != stored) detail::copy_arrays(team, arrays, stored, numbers);
      });
  Kokkos::fence();
}

}  // namespace rodeo::cosserat
