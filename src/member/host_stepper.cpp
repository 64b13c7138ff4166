#include "rodeo/member/host_stepper.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "rodeo/math/host_threads.hpp"
#include "rodeo/member/team.hpp"

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

/// A view that shares the batch's memory, so that mirrors of it are itself where the host can read it.
Kokkos::View<double*> numbers_in_batch(double* first, std::size_t count) {
  return Kokkos::View<double*>(first, count);
}

/// The links of a member in the memory of the execution space, and in that of the host.
BatchList<connection::PointLink> in_batch(const connection::Connections& all) {
  return BatchList<connection::PointLink>(all.points, static_cast<std::size_t>(all.point_count));
}

HostList<connection::PointLink> host_list(std::vector<connection::PointLink>& links) {
  return HostList<connection::PointLink>(links.data(), links.size());
}

/// Members that have not begun by then wait until they are asked again: others may want to look at the clock.
constexpr std::chrono::milliseconds patience{500};

/// The arrays of a member within a slice.
class RodsInStep final : public HostRods {
 public:
  RodsInStep(const MemberArrays& arrays, HostMember& member) : arrays_(arrays), member_(member) {}
  Vec3 position(int node) override { return arrays_.all.vec3(field::position, node); }
  ConstRodView all() override { return arrays_.all; }
  std::span<const boundary::MotionState> motions() override {
    return {arrays_.motions.states, static_cast<std::size_t>(arrays_.motions.count)};
  }
  std::vector<connection::PointLink> links() override {
    const std::vector<connection::PointLink>* const links = member_.links();
    return links != nullptr ? *links : std::vector<connection::PointLink>();
  }
  std::vector<contact::Touch> touching() override {
    const std::vector<contact::Touch>* const touches = member_.touches();
    return touches != nullptr ? *touches : std::vector<contact::Touch>();
  }
  std::span<const double> platen() override {
    const std::vector<double>* const record = member_.platen_record();
    return record != nullptr ? std::span<const double>(*record) : std::span<const double>();
  }

 private:
  const MemberArrays& arrays_;
  HostMember& member_;
};

void wait(SliceTask& task) {
  task.steps = 0;
  task.sampled = false;
}

}  // namespace

HostStepper::HostStepper(std::span<const MemberJob> jobs, const BatchViews& batch, MakeHostMember make)
    : batch_(batch),
      arrays_(Kokkos::create_mirror_view(batch.storage)),
      rods_(Kokkos::create_mirror_view(batch.rods)),
      motions_(host_copy(batch.motions.data, batch.motions.count)),
      motion_states_(batch.motions.count),
      motion_tables_(
          Kokkos::create_mirror_view(numbers_in_batch(batch.motions.tables, batch.motions.numbers))),
      actuation_numbers_(Kokkos::create_mirror_view(
          numbers_in_batch(batch.actuation.numbers, batch.actuation.number_count))),
      connections_(host_copy(batch.connections.data, batch.connections.count)) {
  const forces::FurtherGround* const grounds = batch.motions.further_ground;
  for (const forces::FurtherGround& ground : host_copy(grounds, grounds != nullptr ? jobs.size() : 0)) {
    first_records_.push_back(ground.first_record);
  }
  const auto data = Kokkos::create_mirror_view(batch.members);
  Kokkos::deep_copy(arrays_, batch.storage);
  Kokkos::deep_copy(data, batch.members);
  Kokkos::deep_copy(rods_, batch.rods);
  if (!on_host<>) {
    actuators_ = host_copy(batch.actuation.actuators, batch.actuation.count);
    for (std::size_t k = 0; k < rods_.size(); ++k) point_to_host(rods_(k).actuation);
  }
  copy_drives();
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const RodView all(arrays_.data() + data(k).offset, data(k).elements, data(k).sections_shrink,
                      data(k).circular);
    MemberData member = data(k);
    member.forces.responses = {};  // they are for explicit steps
    member_arrays_.push_back(
        {all, {rods_.data() + member.first_rod, member.rods}, member, motions_of(member)});
    members_.push_back(make(jobs[k].spec, member_arrays_.back()));
  }
}

void HostStepper::have_seen(std::size_t member, SeeStep see) {
  HostMember& own = *members_[member];
  own.have_seen([&own, arrays = member_arrays_[member], see = std::move(see)](std::int64_t steps) {
    RodsInStep rods(arrays, own);
    see(
        steps, [&own] { return own.sample(); }, rods);
  });
}

boundary::Motions HostStepper::motions_of(const MemberData& member) {
  return {motions_.data() + member.first_motion, motion_states_.data() + member.first_motion,
          motion_tables_.data() + member.first_motion_table, member.motions};
}

void HostStepper::point_to_host(forces::Actuation& actuation) const {
  if (actuation.count == 0) return;
  actuation.actuators = actuators_.data() + (actuation.actuators - batch_.actuation.actuators);
  actuation.numbers = actuation_numbers_.data() + (actuation.numbers - batch_.actuation.numbers);
}

/// Copies the numbers of motions and actuation, which live numbers may have changed.
void HostStepper::copy_drives() {
  Kokkos::deep_copy(motion_tables_, numbers_in_batch(batch_.motions.tables, batch_.motions.numbers));
  Kokkos::deep_copy(actuation_numbers_,
                    numbers_in_batch(batch_.actuation.numbers, batch_.actuation.number_count));
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

/// Copies which bonds of these members have broken, to or from the host.
void HostStepper::copy_links(std::span<const SliceTask> tasks, bool to_host) {
  for (const SliceTask& task : tasks) {
    const auto k = static_cast<std::size_t>(task.member);
    std::vector<connection::PointLink>* const links = members_[k]->links();
    if (links == nullptr || links->empty()) continue;
    if (to_host) {
      Kokkos::deep_copy(host_list(*links), in_batch(connections_[k]));
    } else {
      Kokkos::deep_copy(in_batch(connections_[k]), host_list(*links));
    }
  }
}

/// Copies the records of these members' platens, to or from the host.
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

/// Places of tasks, grouped by members that advance together, about one group per thread.
std::vector<std::vector<std::size_t>> HostStepper::groups(std::span<const SliceTask> tasks) {
  const auto threads = static_cast<std::size_t>(Kokkos::DefaultHostExecutionSpace().concurrency());
  const std::size_t most = std::clamp<std::size_t>(tasks.size() / threads, 1, HostMember::most_together);
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::size_t> open;  // groups that others may join
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    HostMember& member = member_of(tasks[k]);
    const bool joins = most >= HostMember::fewest_together && tasks[k].steps > 0 && member.goes_with(member);
    const auto group = std::ranges::find_if(
        open, [&](std::size_t g) { return joins && member_of(tasks[groups[g].front()]).goes_with(member); });
    if (group == open.end()) {
      groups.push_back({k});
      if (joins) open.push_back(groups.size() - 1);
    } else {
      groups[*group].push_back(k);
      if (groups[*group].size() == most) open.erase(group);
    }
  }
  return groups;
}

/// Members need the same place in memory all along: where the batch's arrays are a device's, they are copied.
/// Several are shared out over the threads; one alone has all of them for its own loops.
void HostStepper::advance(std::span<SliceTask> tasks, std::span<Sample> samples) {
  Kokkos::deep_copy(arrays_, batch_.storage);
  copy_drives();
  copy_motion_states(true);
  copy_links(tasks, true);
  copy_platen_records(tasks, true);
  const std::vector<std::vector<std::size_t>> groups = this->groups(tasks);
  const auto start = std::chrono::steady_clock::now();
  std::atomic<bool> any = false;  // has been advanced
  const auto run = [&](int index) {
    const std::vector<std::size_t>& group = groups[static_cast<std::size_t>(index)];
    if (any.exchange(true) && std::chrono::steady_clock::now() - start > patience) {
      for (const std::size_t k : group) wait(tasks[k]);
      return;
    }
    std::vector<std::int64_t> asked;
    asked.reserve(group.size());
    for (const std::size_t k : group) asked.push_back(tasks[k].steps);
    if (group.size() == 1) {
      SliceTask& task = tasks[group.front()];
      task.steps = member_of(task).advance(task);
    } else {
      std::vector<HostMember*> members;
      std::vector<SliceTask*> own;
      for (const std::size_t k : group) {
        members.push_back(&member_of(tasks[k]));
        own.push_back(&tasks[k]);
      }
      members.front()->advance_together(members, own);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      SliceTask& task = tasks[group[i]];
      samples[group[i]] = member_of(task).sample();  // always, as it sets the internal forces too
      if (task.steps < asked[i]) task.sampled = !member_of(task).was_cut();
    }
  };
  const int count = static_cast<int>(groups.size());
  if (count == 1) {
    run(0);
  } else {
    share_among_threads(count, run);
  }
  Kokkos::deep_copy(batch_.storage, arrays_);
  copy_motion_states(false);
  copy_links(tasks, false);
  copy_platen_records(tasks, false);
}

}  // namespace rodeo
