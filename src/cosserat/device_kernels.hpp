#pragma once

#include "device_members.hpp"
#include "step.hpp"

namespace rodeo::cosserat::device {

/// Pitch of the arrays of a rod on a device, in storage and in scratch memory: entries -1 to node_lanes and
/// no more, since it is scratch memory that bounds how many rods a multiprocessor takes at once. What stands
/// before entry -1 for the alignment of a host's vectors is the end of the array before.
KOKKOS_INLINE_FUNCTION constexpr int device_pitch(int elements) { return node_lanes<double>(elements) + 2; }

/// Numbers that so many arrays take.
KOKKOS_INLINE_FUNCTION constexpr std::size_t array_numbers(int arrays, int pitch) {
  return static_cast<std::size_t>(arrays) * static_cast<std::size_t>(pitch) + field_front;
}

inline constexpr int lasting_arrays = lasting_count<double>(true);
inline constexpr int all_arrays = lasting_arrays + field::work_count;

/// Data of the members of a batch for a kernel.
template <class Member>
struct KernelBatch {
  double* storage = nullptr;
  const Member* members = nullptr;
  const RodData* rods = nullptr;
  const SliceTask* tasks = nullptr;
  int pitch = 0;         ///< of the arrays
  int lasting = 0;       ///< number of lasting arrays used
  int work = 0;          ///< number of work arrays used
  bool scratch = false;  ///< these stand in scratch memory meanwhile
};

/// Copies so many arrays.
template <class Team>
__device__ __forceinline__ void copy_arrays(const Team& team, const double* from, double* to, int arrays,
                                            int pitch) {
  constexpr int begin = field_front - 1;
  team.for_each_lane(arrays * pitch, [=](int i) { to[begin + i] = from[begin + i]; });
}

/// The arrays of a rod that begin at `base`, of which so many last.
__device__ __forceinline__ RodView view_of(double* base, int lasting, int pitch, int elements,
                                           double shrink) {
  RodView rod(base, elements, shrink);
  rod.pitch = rod.work_pitch = pitch;
  rod.work = base + lasting * pitch;
  return rod;
}

/// Advances plain members, one a block of so many threads. `known_pitch` is that of the arrays, or
/// 0 if it is known only when the kernel runs, which costs registers; registers are bounded so that `rods`
/// are at once on a multiprocessor.
template <class Member, int threads, int known_pitch, int rods>
__global__ void __launch_bounds__(threads, rods) advance_plain(KernelBatch<Member> batch) {
  extern __shared__ double scratch[];
  const DeviceTeam<threads> team{static_cast<int>(threadIdx.x)};
  const SliceTask task = batch.tasks[blockIdx.x];
  const Member& member = batch.members[task.member];
  const int pitch = known_pitch > 0 ? known_pitch : batch.pitch;
  double* const stored = batch.storage + member.offset;
  double* const stored_work = stored + lasting_arrays * pitch;
  const RodView rod = view_of(scratch, batch.lasting, pitch, member.elements, member.sections_shrink);
  copy_arrays(team, stored, scratch, batch.lasting, pitch);
  copy_arrays(team, stored_work, rod.work, batch.work, pitch);
  team.team_barrier();
  advance(team, rod, PlainRod<Member>{member}, member, task);
  copy_arrays(team, scratch, stored, static_cast<int>(field::state_count), pitch);
  copy_arrays(team, rod.work, stored_work, batch.work, pitch);
}

/// Advances any members, one a block. Their arrays stay where they are stored if scratch memory has no room
/// for them.
template <int threads, int rods>
__global__ void __launch_bounds__(threads, rods) advance_any(KernelBatch<AnyMember> batch) {
  extern __shared__ double scratch[];
  const DeviceTeam<threads> team{static_cast<int>(threadIdx.x)};
  const SliceTask task = batch.tasks[blockIdx.x];
  const AnyMember& member = batch.members[task.member];
  double* const stored = batch.storage + member.offset;
  double* const arrays = batch.scratch ? scratch : stored;
  if (batch.scratch) copy_arrays(team, stored, scratch, all_arrays, batch.pitch);
  team.team_barrier();
  const RodView rod = view_of(arrays, lasting_arrays, batch.pitch, member.elements, member.sections_shrink);
  advance(team, rod, Rods{batch.rods + member.first_rod, member.rods}, member, task);
  if (batch.scratch) copy_arrays(team, scratch, stored, all_arrays, batch.pitch);
}

}  // namespace rodeo::cosserat::device
