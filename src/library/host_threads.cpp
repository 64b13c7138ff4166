#include "rodeo/library/host_threads.hpp"

#include <algorithm>
#include <cstdlib>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include <Kokkos_Core.hpp>
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

namespace rodeo {

int cores_allowed() {
#ifdef KOKKOS_ENABLE_OPENMP
  // Counts cores of the process: OpenMP may have bound this thread to one of them (OMP_PROC_BIND).
  return omp_get_num_procs();
#else
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return CPU_COUNT(&set);
#endif
}

int default_threads(int processes_here) {
  if (const char* given = std::getenv("OMP_NUM_THREADS"); given != nullptr && std::atoi(given) > 0) {
    const int threads = std::atoi(given);
    const int most = std::max(1024, 4 * cores_allowed());
    if (threads <= most) return threads;
    throw std::runtime_error("OMP_NUM_THREADS = " + std::string(given) + " asks for more threads than " +
                             std::to_string(most) + ", the most that this program starts on this machine");
  }
  const auto cores_here = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return std::max(1, std::min(cores_allowed(), cores_here / processes_here));
}

void start_kokkos(int threads) {
  // Kokkos asks for this setting even where one thread a rank makes it idle.
  setenv("OMP_PROC_BIND", "false", 0);
#ifdef KOKKOS_ENABLE_OPENMP
  // Kokkos counts OpenMP's threads by starting as many as there are cores: those beyond its own would be in
  // the way.
  omp_set_num_threads(threads);
#endif
  // Kokkos' own warnings about cores do not know how ranks are bound; ours do.
#if KOKKOS_VERSION >= 30700
  Kokkos::InitializationSettings settings;
  settings.set_num_threads(threads).set_disable_warnings(true);
#else
  Kokkos::InitArguments settings;
  settings.num_threads = threads;
  settings.disable_warnings = true;
#endif
  Kokkos::initialize(settings);
}

}  // namespace rodeo
