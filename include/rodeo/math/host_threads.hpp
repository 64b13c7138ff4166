#pragma once

#include <Kokkos_Core.hpp>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace rodeo {

/// Runs body(k) for k in [0, count) by the threads of the host, in any order; within such a loop, or a
/// parallel region, by the thread that asks. This is no loop of Kokkos: where one of its loops, or memory
/// that is given back, is met within another, Kokkos 4 waits for ever.
template <class Body>
void share_among_threads(int count, const Body& body) {
#if defined(_OPENMP)
  if (omp_get_level() == 0) {
    const int threads = Kokkos::DefaultHostExecutionSpace().concurrency();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int k = 0; k < count; ++k) body(k);
    return;
  }
#endif
  for (int k = 0; k < count; ++k) body(k);
}

}  // namespace rodeo
