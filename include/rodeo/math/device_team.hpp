#pragma once

#include <Kokkos_Core.hpp>

namespace rodeo {

/// The threads of a device's block that advance one member, in kernels that are compiled without Kokkos'
/// own back end: `threads` of them, one warp, or the whole block. They share the entries of every loop
/// (lanes.hpp).
template <int threads>
struct DeviceTeam {
  int rank = 0;

  KOKKOS_FORCEINLINE_FUNCTION int team_rank() const { return rank; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int team_size() { return threads; }

  KOKKOS_FORCEINLINE_FUNCTION void team_barrier() const {
#if defined(__CUDA_ARCH__)
    if constexpr (threads == 32) {
      __syncwarp();
    } else {
      __syncthreads();
    }
#endif
  }

  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_lane(int count, const Body& body) const {
    for (int i = rank; i < count; i += threads) body(i);
  }
};

template <class Team>
inline constexpr bool is_device_team = false;
template <int threads>
inline constexpr bool is_device_team<DeviceTeam<threads>> = true;

}  // namespace rodeo
