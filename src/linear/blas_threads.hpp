#pragma once

/// There only where the machine's BLAS is OpenBLAS.
extern "C" [[gnu::weak]] void openblas_set_num_threads(int);

namespace rodeo {

/// OpenBLAS shares its sums among threads: results would depend on how many there are.
inline void use_one_blas_thread() {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
}

}  // namespace rodeo
