#pragma once

// Included before all else where nvcc compiles (scripts/device_library): the functions of the host's Kokkos
// and those of rodeo's headers are then functions of the device too. No Kokkos that is built for a device is
// needed.
#define KOKKOS_IMPL_FUNCTION __host__ __device__
#define KOKKOS_IMPL_INLINE_FUNCTION __host__ __device__ inline
#define KOKKOS_IMPL_FORCEINLINE_FUNCTION __host__ __device__ __forceinline__
