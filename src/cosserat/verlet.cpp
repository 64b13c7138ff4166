#include "rodeo/cosserat/verlet.hpp"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "rodeo/member/team.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "device_library.hpp"
#include "kernels.hpp"

namespace rodeo::cosserat {

namespace {

template <class T>
using HostList = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// True if the host accesses a view's memory. Copies without Kokkos cost less than a step of a short rod.
template <class View>
constexpr bool is_on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible;

template <class View, class T>
void copy_to(const View& view, std::span<const T> values) {
  if constexpr (is_on_host<View>) {
    std::ranges::copy(values, view.data());
  } else {
    const auto used = Kokkos::subview(view, std::pair<std::size_t, std::size_t>(0, values.size()));
    Kokkos::deep_copy(used, HostList<const T>(values.data(), values.size()));
  }
}

template <class View, class T>
void copy_from(const View& view, std::span<T> values) {
  if constexpr (is_on_host<View>) {
    std::copy_n(view.data(), values.size(), values.begin());
  } else {
    const auto used = Kokkos::subview(view, std::pair<std::size_t, std::size_t>(0, values.size()));
    Kokkos::deep_copy(HostList<T>(values.data(), values.size()), used);
  }
}

}  // namespace

template <class Real>
Verlet<Real>::Verlet(std::span<const MemberJob> jobs, const BasicBatchViews<Real>& batch) : batch_(batch) {
  for (const MemberJob& job : jobs) largest_ = std::max(largest_, array_elements(job.spec));
  on_device_ = on_host<> && !jobs.empty() && jobs.front().spec.on_device;
}

template <class Real>
int Verlet<Real>::at_once() const {
  return on_device_ ? members_on_device() : members_at_once();
}

/// Takes the steps, and copies their results to the arrays of the host. These are copied to the device before
/// the first steps, and before those after a member has been given another state.
template <class Real>
void Verlet<Real>::advance_on_device(std::span<const SliceTask> tasks) const {
  if constexpr (std::is_same_v<Real, double> && on_host<>) {
    std::vector<SliceTask> moving;
    std::ranges::copy_if(tasks, std::back_inserter(moving),
                         [](const SliceTask& task) { return task.steps > 0; });
    if (moving.empty()) return;
    const std::span<double> storage(batch_.storage.data(), batch_.storage.size());
    if (device_ == nullptr) {
      device_ = std::make_shared<device::Batch>(device::HostBatch{
          storage, {batch_.members.data(), batch_.members.size()}, {batch_.rods.data(), batch_.rods.size()}});
    }
    device_->advance(moving);
    device_->fetch(storage);
  }
}

template <class Real>
void Verlet<Real>::advance(std::span<SliceTask> tasks, std::span<Sample> samples) const {
  const auto sampled = static_cast<std::size_t>(std::ranges::count(tasks, true, &SliceTask::sampled));
  if (on_device_) {
    advance_on_device(tasks);
    std::vector<SliceTask> done(tasks.begin(), tasks.end());
    for (SliceTask& task : done) {
      task.first_step += task.steps;
      task.steps = 0;
    }
    copy_to(batch_.tasks, std::span<const SliceTask>(done));
    tasks = tasks.first(sampled);
  } else {
    copy_to(batch_.tasks, std::span<const SliceTask>(tasks));
  }
  // Rods whose sections are not circular are in double precision.
  constexpr bool may_have_two_axes = std::is_same_v<Real, double>;
  const bool two_axes = may_have_two_axes && !batch_.circular;
  const bool general = batch_.are_general();
  const int threads = threads_of_member(members_at_once(), static_cast<int>(tasks.size()), largest_);
  const auto advance_tasks = [&]<bool samples_them>(std::bool_constant<samples_them>, std::size_t first,
                                                    std::size_t end) {
    const auto begin = static_cast<int>(first);
    const auto count = static_cast<int>(end - first);
    if (count == 0) return;
    if (two_axes) {
      if constexpr (may_have_two_axes)
        advance_slice<Real, true, false, samples_them>(batch_, begin, count, threads);
    } else if (general) {
      advance_slice<Real, true, true, samples_them>(batch_, begin, count, threads);
    } else {
      advance_slice<Real, false, true, samples_them>(batch_, begin, count, threads);
    }
  };
  advance_tasks(std::true_type(), 0, sampled);
  if (sampled > 0) copy_from(batch_.samples, samples.first(sampled));
  advance_tasks(std::false_type(), sampled, tasks.size());
}

int members_on_device() { return on_host<> ? device::rods_at_once() : members_at_once(); }

template class Verlet<double>;
template class Verlet<float>;

}  // namespace rodeo::cosserat
