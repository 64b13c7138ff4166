#pragma once

/// There only where the machine's BLAS is OpenBLAS.
extern "C" [[gnu::weak]] void openblas_set_num_threads(int);

/// There only where something is linked with OpenMP.
extern "C" [[gnu::weak]] int omp_get_max_active_levels();
extern "C" [[gnu::weak]] void omp_set_max_active_levels(int);

namespace rodeo {

/// OpenBLAS shares its sums among threads: results would depend on how many there are.
inline void use_one_blas_thread() {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
}

/// While it lives OpenMP forms no teams. CHOLMOD 3 asks for four threads in each of its many short loops,
/// however many there are for a member: on fewer cores they mostly wait for each other.
class NoOpenMpTeams {
 public:
  NoOpenMpTeams() {
    if (is_there()) omp_set_max_active_levels(0);
  }
  ~NoOpenMpTeams() {
    if (is_there()) omp_set_max_active_levels(levels_);
  }
  NoOpenMpTeams(const NoOpenMpTeams&) = delete;
  NoOpenMpTeams& operator=(const NoOpenMpTeams&) = delete;

 private:
  static bool is_there() {
    return omp_get_max_active_levels != nullptr && omp_set_max_active_levels != nullptr;
  }

  int levels_ = is_there() ? omp_get_max_active_levels() : 0;
};

}  // namespace rodeo
