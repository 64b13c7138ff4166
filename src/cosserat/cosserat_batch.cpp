#include "rodeo/cosserat/cosserat_batch.hpp"

#include "kernels.hpp"

namespace rodeo::cosserat {

template <class Real>
void BasicCosseratBatch<Real>::run_slice(int count) {
  Kokkos::deep_copy(this->views_.tasks, this->tasks_);
  advance_slice(this->views_, count);
  Kokkos::deep_copy(this->samples_, this->views_.samples);
}

template class BasicCosseratBatch<double>;
template class BasicCosseratBatch<float>;

}  // namespace rodeo::cosserat
