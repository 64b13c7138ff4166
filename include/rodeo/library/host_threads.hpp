#pragma once

namespace rodeo {

/// Cores that this process may run on.
int cores_allowed();

/// Threads that a process should use: its share of the cores of the machine, of which it has no more than
/// those it may run on, unless OMP_NUM_THREADS says otherwise. Throws std::runtime_error for a number that no
/// machine has threads for.
int default_threads(int processes_here = 1);

/// Starts Kokkos with so many threads.
void start_kokkos(int threads);

}  // namespace rodeo
