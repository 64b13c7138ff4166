#pragma once

#include <vector>

#include "rodeo/member/connected_rods.hpp"
#include "rodeo/member/take_sample.hpp"
#include "rodeo/member/team.hpp"

#include "kernels.hpp"
#include "step.hpp"

namespace rodeo::cosserat {

namespace detail {

using SlicePolicy = Kokkos::TeamPolicy<Kokkos::DefaultExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;

inline SlicePolicy slice_policy(int members, int threads, std::size_t scratch) {
  SlicePolicy policy(members, threads);
  policy.set_chunk_size(1);
  if (scratch > 0) policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch)));
  return policy;
}

template <class Team, class Real>
KOKKOS_INLINE_FUNCTION void copy_arrays(const Team& team, const Real* from, Real* to, std::size_t numbers) {
  for_each_lane(team, static_cast<int>(numbers), [=](int i) { to[i] = from[i]; });
}

/// The rods of a member; on a host with the parts known that its steps may leave out.
template <class Team>
KOKKOS_INLINE_FUNCTION Rods rods_in_slice(const Team&, const Rods& rods, const SliceTask& task, double step) {
  if constexpr (std::is_same_v<Team, HostTeam>) {
    return rods.asked((static_cast<double>(task.first_step) + 0.5) * step, step);
  } else {
    return rods;
  }
}

template <bool circular, class Team, class Real, class MemberRods, class Motions, class Reach>
KOKKOS_INLINE_FUNCTION void take_steps(const Team& team, const BasicRodView<Real>& rod,
                                       const MemberRods& rods, [[maybe_unused]] const RodsPart* parts,
                                       const MemberData& member, const SliceTask& task,
                                       const Motions& motions, Reach& reach) {
  if (task.steps == 0) return;
  if constexpr (std::is_same_v<Team, HostTeam>) {  // a device has no parts, and compiles none
    if (member.parts > 0) {
      advance_parts<circular>(team, rod, rods, parts, member, task, motions);
      return;
    }
  }
  advance<circular>(team, rod, rods, member, task, motions, reach);
}

}  // namespace detail

template <class Team, class Real>
KOKKOS_INLINE_FUNCTION void set_connection_sample(const Team& team, const BasicRodView<Real>& rod,
                                                  const connection::Connections& connections,
                                                  Sample& sample) {
  const double energy = connections.energy(team, rod);
  const double broken = connections.broken(team);
  once(team, [&] {
    sample.connection_energy = energy;
    sample.broken_bonds = broken;
  });
}

template <class Team>
KOKKOS_INLINE_FUNCTION void set_ground_sample(const Team& team, const forces::FurtherGroundOfMember& ground,
                                              Sample& sample) {
  const double loss = ground.loss(team);
  const bool passed = ground.has_passed(team);
  once(team, [&] {
    sample.ground_loss = loss;
    sample.contact.passed_through = sample.contact.passed_through || passed;
  });
}

/// A sample of a member at the end of a slice.
template <bool general, class Team, class Real, class Reach>
KOKKOS_INLINE_FUNCTION void sample_slice(const Team& team, const BasicRodView<Real>& rod, const Rods& rods,
                                         const BasicBatchViews<Real>& batch, const MemberData& member,
                                         const SliceTask& task, Reach& reach, Sample& own_sample) {
  const contact::PenaltyContact& contact = member.forces.contact();
  RodSample sample = take_sample(team, rod, rods, member.step, member.sections_have_energy);
  sample.law_potential = law_potential(team, rod, rods);
  if (contact.enabled) {
    sample.contact = contact.sample(team);
    contact.set_energies(team, rod, sample.contact_energy, sample.friction_loss);
  }
  const forces::Ground& ground = member.forces.ground();
  if constexpr (general) {
    const forces::FurtherGroundOfMember further = batch.motions.of(member, task.member).ground;
    if (ground.acts(0.0) || further.act()) {
      const std::int64_t steps = task.first_step + task.steps;
      reach.look_at(rod, ground, further.ground, further.platen(steps, member.step));
      sample.ground_energy =
          ground.energy(team, rod, reach) + further.energy(team, rod, steps, member.step, reach);
    }
  } else if (ground.acts(0.0)) {
    reach.look_at(rod, ground, nullptr, forces::Plane{});
    sample.ground_energy = ground.energy(team, rod, reach);
  }
  once(team, [&] { static_cast<RodSample&>(own_sample) = sample; });
  if constexpr (general) {
    set_connection_sample(team, rod, batch.connections.of(task.member), own_sample);
    set_ground_sample(team, batch.motions.of(member, task.member).ground, own_sample);
  }
}

template <class Real, bool general, bool circular, bool sampled>
void advance_slice(const BasicBatchViews<Real>& batch, int first, int count, int threads) {
  using detail::SlicePolicy;
  const SlicePolicy policy = detail::slice_policy(count, threads, batch.scratch);
  std::vector<Meeting> meetings(on_host<> && threads > 1 ? static_cast<std::size_t>(count) : 0);
  Meeting* const meeting = meetings.data();
  Kokkos::parallel_for(
      "advance_slice", policy, KOKKOS_LAMBDA(const SlicePolicy::member_type& handle) {
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
        ReachOf<std::remove_const_t<decltype(team)>, MemberData> reach;
        if constexpr (general) {
          const ConnectedRods connected{rods, batch.connections.of(task.member)};
          detail::take_steps<circular>(team, rod, connected, parts, member, task,
                                       batch.motions.of(member, task.member), reach);
        } else {
          detail::take_steps<circular>(team, rod, rods, parts, member, task, NoFurtherParts{}, reach);
        }
        if constexpr (sampled) {
          sample_slice<general>(team, rod, rods, batch, member, task, reach,
                                batch.samples(first + handle.league_rank()));
        }
        if (arrays != stored) detail::copy_arrays(team, arrays, stored, numbers);
      });
  Kokkos::fence();
}

}  // namespace rodeo::cosserat
