#pragma once

// Stands in for CUDA's runtime where src/cosserat/device_batch.cu is compiled as plain C++: what of it the
// device library uses. The threads of a block are fibers that change at barriers, one block after the other.
// The compiler calls the stand-in at each access to memory (-fsanitize=thread), which ends a kernel with an
// error where two threads are in a race, memory is not the kernel's, or has not been written.

#include <cstddef>

#include <Kokkos_Core.hpp>

#define __CUDA_ARCH__ 900  // now, since Kokkos takes it back
#define __host__
#define __device__
#define __global__
#define __shared__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))

struct dim3 {
  dim3(unsigned count = 1) : x(count) {}
  unsigned x;
};
extern dim3 threadIdx;
extern dim3 blockIdx;
extern dim3 blockDim;

void __syncthreads();
void __syncwarp();

enum cudaError_t { cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorLaunchFailure };
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();

enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
namespace stand_in {
cudaError_t allocate(void** memory, std::size_t bytes);
}
template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
  void* found = nullptr;
  const cudaError_t error = stand_in::allocate(&found, bytes);
  *memory = static_cast<T*>(found);
  return error;
}
cudaError_t cudaFree(void* memory);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes);
constexpr unsigned cudaHostRegisterDefault = 0;
cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void* memory);

enum cudaDeviceAttr { cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrMultiProcessorCount };
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize,
  cudaFuncAttributePreferredSharedMemoryCarveout
};
struct cudaFuncAttributes {
  int numRegs;
};
struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  std::size_t dynamicSmemBytes;
};

namespace stand_in {
using Kernel = void (*)();
cudaError_t set_attribute(Kernel kernel, cudaFuncAttribute attribute, int value);
cudaError_t run(Kernel kernel, const cudaLaunchConfig_t& config, void (*call)(const void*), const void* what);
const char* revision();  ///< of the program that this library is for
}  // namespace stand_in

template <class... Parameters>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), cudaFuncAttribute attribute, int value) {
  return stand_in::set_attribute(reinterpret_cast<stand_in::Kernel>(kernel), attribute, value);
}
template <class... Parameters>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*)(Parameters...)) {
  attributes->numRegs = 0;
  return cudaGetLastError();
}
template <class... Parameters>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*)(Parameters...), int,
                                                          std::size_t) {
  *blocks = 1;
  return cudaGetLastError();
}

namespace stand_in {
/// Nobody looks at how a kernel gets its arguments, which come from the host's memory.
template <class Call>
[[gnu::no_sanitize("thread"), gnu::noinline]] void call(const void* what) {
  (*static_cast<const Call*>(what))();
}
}  // namespace stand_in

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  const auto call = [&]() __attribute__((no_sanitize("thread"))) { kernel(arguments...); };
  return stand_in::run(reinterpret_cast<stand_in::Kernel>(kernel), *config, stand_in::call<decltype(call)>,
                       &call);
}
