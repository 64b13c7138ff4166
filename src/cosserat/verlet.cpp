#include "rodeo/cosserat/verlet.hpp"

#include <algorithm>
#include <utility>

#include "kernels.hpp"
#include "unsampled_kernels.hpp"

namespace rodeo::cosserat {

namespace {

template <class T>
using HostList = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

}  // namespace

template <class Real>
void Verlet<Real>::advance(std::span<SliceTask> tasks, std::span<Sample> samples) const {
  const std::pair<std::size_t, std::size_t> used(0, tasks.size());
  Kokkos::deep_copy(Kokkos::subview(batch_.tasks, used), HostList<SliceTask>(tasks.data(), tasks.size()));
  const bool general = batch_.are_general();
  const auto sampled = static_cast<std::size_t>(std::ranges::count(tasks, true, &SliceTask::sampled));
  if (sampled > 0) {
    const std::pair<std::size_t, std::size_t> first(0, sampled);
    if (general) {
      advance_slice<Real, true>(batch_, static_cast<int>(sampled));
    } else {
      advance_slice(batch_, static_cast<int>(sampled));
    }
    Kokkos::deep_copy(HostList<Sample>(samples.data(), sampled), Kokkos::subview(batch_.samples, first));
  }
  if (sampled < tasks.size()) {
    const int first = static_cast<int>(sampled);
    const int count = static_cast<int>(tasks.size() - sampled);
    if (general) {
      advance_unsampled<Real, true>(batch_, first, count);
    } else {
      advance_unsampled(batch_, first, count);
    }
  }
}

template class Verlet<double>;
template class Verlet<float>;

}  // namespace rodeo::cosserat
