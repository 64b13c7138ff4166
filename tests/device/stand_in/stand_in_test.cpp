// Kernels with the faults that the stand-in for CUDA's runtime is there to find.

#include <cuda_runtime.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace rodeo::cosserat::device {

constexpr unsigned threads = 64;

/// Each thread adds its number and that of another, so many after it, which that one writes.
__global__ void add_other(double* sums, unsigned offset, bool waits_before, bool waits_after) {
  extern __shared__ double scratch[];
  const unsigned own = threadIdx.x;
  scratch[own] = 0.0;
  __syncthreads();
  for (int round = 0; round < 2; ++round) {
    scratch[own] = own + round;
    if (waits_before) __syncthreads();
    sums[blockIdx.x * threads + own] = scratch[own] + scratch[(own + offset) % threads];
    if (waits_after) __syncthreads();
  }
}

__global__ void write_to(double* numbers, unsigned stride) { numbers[threadIdx.x * stride] = 1.0; }
__global__ void read_from(const double* numbers, double* read) { read[threadIdx.x] = numbers[threadIdx.x]; }
__global__ void write_once_a_block(double* number) {
  if (threadIdx.x == 0) *number = 1.0;
}
__global__ void read_scratch(double* read) {
  extern __shared__ double scratch[];
  read[threadIdx.x] = scratch[threadIdx.x];
}
__global__ void wait_in_part() {
  if (threadIdx.x > 0) __syncthreads();
}

namespace {

class StandIn : public testing::Test {
 protected:
  ~StandIn() override {
    cudaFree(memory_);
    cudaDeviceReset();
  }

  double* memory(std::size_t count) {
    cudaMalloc(&memory_, count * sizeof(double));
    return memory_;
  }

  /// What a kernel of so many blocks ends with; nothing if it is well.
  template <class... Parameters, class... Arguments>
  static std::string run(void (*kernel)(Parameters...), unsigned blocks, std::size_t scratch,
                         const Arguments&... arguments) {
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = scratch;
    const cudaError_t error = cudaLaunchKernelEx(&config, kernel, arguments...);
    return error == cudaSuccess ? "" : cudaGetErrorString(error);
  }

  static void expect_fault(const std::string& says, const std::string& found) {
    EXPECT_NE(found.find(says), std::string::npos) << found << " instead of " << says;
    EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
    cudaDeviceReset();
  }

  static constexpr std::size_t number_a_thread = threads * sizeof(double);

 private:
  double* memory_ = nullptr;
};

TEST_F(StandIn, RunsBlocksWhoseThreadsWaitForEachOther) {
  std::vector<double> sums(2 * threads);
  double* const device = memory(sums.size());
  EXPECT_EQ(run(add_other, 2, number_a_thread, device, 1U, true, true), "");
  EXPECT_EQ(cudaMemcpy(sums.data(), device, sums.size() * sizeof(double), cudaMemcpyDeviceToHost),
            cudaSuccess);
  for (unsigned i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], i % threads + (i + 1) % threads + 2) << i;
}

TEST_F(StandIn, FindsABarrierThatIsMissing) {
  double* const device = memory(threads);
  const unsigned before = threads - 1;
  expect_fault("thread 1 of block 0 writes what another thread reads",
               run(add_other, 1, number_a_thread, device, 1U, false, true));
  expect_fault("thread 1 of block 0 reads what another thread writes",
               run(add_other, 1, number_a_thread, device, before, false, true));
  expect_fault("another thread", run(add_other, 1, number_a_thread, device, 1U, true, false));
  expect_fault("another thread", run(add_other, 1, number_a_thread, device, before, true, false));
}

TEST_F(StandIn, FindsABarrierThatSomeDoNotReach) {
  expect_fault("wait at a barrier where others have ended", run(wait_in_part, 1, 0));
}

TEST_F(StandIn, FindsThreadsAndBlocksThatWriteToOnePlace) {
  double* const device = memory(threads);
  EXPECT_EQ(run(write_to, 1, 0, device, 1U), "");
  expect_fault("writes where another thread does", run(write_to, 1, 0, device, 0U));
  EXPECT_EQ(run(write_once_a_block, 1, 0, device), "");
  expect_fault("writes where another thread does", run(write_once_a_block, 2, 0, device));
}

TEST_F(StandIn, FindsWrongAddresses) {
  double* const device = memory(2 * threads - 2);
  std::vector<double> host(threads);
  expect_fault("thread 63 of block 0 writes to memory that is not the kernel's",
               run(write_to, 1, 0, device, 2U));
  expect_fault("writes to memory that is not the kernel's", run(write_to, 1, 0, host.data(), 1U));
  expect_fault("reads memory that is not the kernel's", run(read_from, 1, 0, host.data(), device));
  EXPECT_EQ(cudaMemcpy(device, device, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 2 * number_a_thread, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
}

TEST_F(StandIn, FindsWhatNothingHasWritten) {
  double* const device = memory(2 * threads);
  expect_fault("reads what nothing has written", run(read_from, 1, 0, device, device + threads));
  cudaMemset(device, 0, number_a_thread);
  EXPECT_EQ(run(read_from, 1, 0, device, device + threads), "");
  expect_fault("reads what nothing has written", run(read_scratch, 1, number_a_thread, device));
  expect_fault("thread 63 of block 0 writes to memory",
               run(add_other, 1, number_a_thread - 8, device, 1U, true, true));
}

TEST_F(StandIn, HasScratchMemoryAsAskedFor) {
  constexpr std::size_t without_asking = 48 * 1024;
  double* const device = memory(threads);
  EXPECT_EQ(run(add_other, 1, without_asking, device, 1U, true, true), "");
  EXPECT_EQ(run(add_other, 1, without_asking + 8, device, 1U, true, true), "invalid argument");
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  const auto ask = [](int bytes) {
    return cudaFuncSetAttribute(add_other, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  EXPECT_EQ(ask(most + 1), cudaErrorInvalidValue);
  EXPECT_EQ(ask(most), cudaSuccess);
  EXPECT_EQ(run(add_other, 1, static_cast<std::size_t>(most), device, 1U, true, true), "");
}

}  // namespace
}  // namespace rodeo::cosserat::device
