#include "rodeo/member/host_stepper.hpp"

namespace rodeo {

namespace {

template <class T>
using HostList = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class T>
using BatchList = Kokkos::View<T*, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T>
std::vector<T> host_copy(const T* data, std::size_t count) {
  std::vector<T> copy(count);
  if (count > 0) Kokkos::deep_copy(HostList<T>(copy.data(), count), BatchList<const T>(data, count));
  return copy;
}

/// The links of a member in the memory of the execution space, and in that of the host.
BatchList<connection::PointLink> in_batch(const connection::Connections& all) {
  return BatchList<connection::PointLink>(all.points, static_cast<std::size_t>(all.point_count));
}

HostList<connection::PointLink> on_host(std::vector<connection::PointLink>& links) {
  return HostList<connection::PointLink>(links.data(), links.size());
}

}  // namespace

HostStepper::HostStepper(std::span<const MemberJob> jobs, const BatchViews& batch, MakeHostMember make)
    : batch_(batch),
      arrays_(Kokkos::create_mirror_view(batch.storage)),
      rods_(Kokkos::create_mirror_view(batch.rods)),
      motions_(host_copy(batch.motions.data, batch.motions.count)),
      motion_states_(batch.motions.count),
      motion_tables_(host_copy(batch.motions.tables, batch.motions.numbers)),
      connections_(host_copy(batch.connections.data, batch.connections.count)) {
  const forces::FurtherGround* const grounds = batch.motions.further_ground;
  for (const forces::FurtherGround& ground : host_copy(grounds, grounds != nullptr ? jobs.size() : 0)) {
    first_records_.push_back(ground.first_record);
  }
  const auto data = Kokkos::create_mirror_view(batch.members);
  Kokkos::deep_copy(arrays_, batch.storage);
  Kokkos::deep_copy(data, batch.members);
  Kokkos::deep_copy(rods_, batch.rods);
  actuation_.reserve(jobs.size());
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    forces::ActuationTable& actuation = actuation_.emplace_back(jobs[k].spec);
    for (int rod = 0; rod < data(k).rods; ++rod) {
      rods_(static_cast<std::size_t>(data(k).first_rod + rod)).actuation =
          actuation.of_rod(static_cast<std::size_t>(rod));
    }
    const RodView all(arrays_.data() + data(k).offset, data(k).elements, data(k).sections_shrink);
    MemberData member = data(k);
    member.forces.responses = {};  // they are for explicit steps
    members_.push_back(
        make(jobs[k].spec,
             MemberArrays{all, {rods_.data() + member.first_rod, member.rods}, member, motions_of(member)}));
  }
}

boundary::Motions HostStepper::motions_of(const MemberData& member) {
  return {motions_.data() + member.first_motion, motion_states_.data() + member.first_motion,
          motion_tables_.data() + member.first_motion_table, member.motions};
}

void HostStepper::copy_motion_states(bool to_host) {
  if (motion_states_.empty()) return;
  const HostList<boundary::MotionState> host(motion_states_.data(), motion_states_.size());
  const BatchList<boundary::MotionState> batch(batch_.motions.states, motion_states_.size());
  if (to_host) {
    Kokkos::deep_copy(host, batch);
  } else {
    Kokkos::deep_copy(batch, host);
  }
}

/// Which of the bonds of these members have broken.
void HostStepper::copy_links(std::span<const SliceTask> tasks, bool to_host) {
  for (const SliceTask& task : tasks) {
    const auto k = static_cast<std::size_t>(task.member);
    std::vector<connection::PointLink>* const links = members_[k]->links();
    if (links == nullptr) continue;
    if (to_host) {
      Kokkos::deep_copy(on_host(*links), in_batch(connections_[k]));
    } else {
      Kokkos::deep_copy(in_batch(connections_[k]), on_host(*links));
    }
  }
}

/// What the platens of these members have recorded.
void HostStepper::copy_platen_records(std::span<const SliceTask> tasks, bool to_host) {
  for (const SliceTask& task : tasks) {
    const auto k = static_cast<std::size_t>(task.member);
    std::vector<double>* const record = members_[k]->platen_record();
    if (record == nullptr || record->empty()) continue;
    const HostList<double> host(record->data(), record->size());
    const BatchList<double> batch(batch_.motions.ground_records + first_records_[k], record->size());
    if (to_host) {
      Kokkos::deep_copy(host, batch);
    } else {
      Kokkos::deep_copy(batch, host);
    }
  }
}

/// Members need the same place in memory all along: where the batch's arrays are a device's, they are copied.
/// Several are shared out over the threads; one alone has all of them for its own loops.
void HostStepper::advance(std::span<SliceTask> tasks, std::span<Sample> samples) {
  using Policy = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>,
                                     Kokkos::IndexType<int>>;
  Kokkos::deep_copy(arrays_, batch_.storage);
  copy_motion_states(true);
  copy_links(tasks, true);
  copy_platen_records(tasks, true);
  const auto run = [&](int index) {
    const auto k = static_cast<std::size_t>(index);
    HostMember& member = *members_[static_cast<std::size_t>(tasks[k].member)];
    const std::int64_t asked = tasks[k].steps;
    tasks[k].steps = member.advance(tasks[k]);
    tasks[k].sampled = tasks[k].sampled || tasks[k].steps < asked;
    samples[k] = member.sample();  // always, as it sets the internal forces too
  };
  const int count = static_cast<int>(tasks.size());
  if (count == 1) {
    run(0);
  } else {
    Kokkos::parallel_for("host_slice", Policy(0, count).set_chunk_size(1), run);
    Kokkos::fence();
  }
  Kokkos::deep_copy(batch_.storage, arrays_);
  copy_motion_states(false);
  copy_links(tasks, false);
  copy_platen_records(tasks, false);
}

}  // namespace rodeo
