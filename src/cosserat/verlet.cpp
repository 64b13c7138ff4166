#include "rodeo/cosserat/verlet.hpp"

#include <utility>

#include "kernels.hpp"

namespace rodeo::cosserat {

namespace {

template <class T>
using HostList = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

}  // namespace

template <class Real>
void Verlet<Real>::advance(std::span<SliceTask> tasks, std::span<Sample> samples) const {
  const std::pair<std::size_t, std::size_t> used(0, tasks.size());
  Kokkos::deep_copy(Kokkos::subview(batch_.tasks, used), HostList<SliceTask>(tasks.data(), tasks.size()));
  advance_slice(batch_, static_cast<int>(tasks.size()));
  Kokkos::deep_copy(HostList<Sample>(samples.data(), samples.size()), Kokkos::subview(batch_.samples, used));
}

template class Verlet<double>;
template class Verlet<float>;

}  // namespace rodeo::cosserat
