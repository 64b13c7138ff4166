#include <algorithm>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <ucontext.h>
#include <vector>

// What of an H100 the library asks for; of its multiprocessors there is one, so that members come in several
// batches.
constexpr std::size_t most_scratch = 227 * 1024;
constexpr std::size_t scratch_without_asking = 48 * 1024;
constexpr unsigned most_threads = 1024;

namespace rodeo::cosserat::device {
double scratch[most_scratch / sizeof(double)];  // which kernels declare
}

dim3 threadIdx;
dim3 blockIdx;
dim3 blockDim;

// Where the linker has this library begin and end in memory.
extern "C" [[gnu::visibility("hidden")]] const char __ehdr_start;
extern "C" [[gnu::visibility("hidden")]] const char _end;

namespace {

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// The last access of a kind to eight bytes. Times are numbered from barrier to barrier.
struct Access {
  static constexpr int several = -1;
  std::int64_t time = 0;  ///< 0: never
  int thread = 0;
};
struct Word {
  Access write;
  Access read;
};

/// Memory that the threads of a kernel share.
struct Memory {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::vector<Word> words;

  Memory(const void* memory, std::size_t size) : begin(number(memory)), bytes(size), words((size + 7) / 8) {}

  bool has(std::uintptr_t address, std::size_t size) const {
    return address >= begin && address + size <= begin + bytes;
  }
  std::span<Word> words_of(std::uintptr_t address, std::size_t size) {
    const std::size_t first = (address - begin) / 8;
    return std::span(words).subspan(first, (address + size - 1 - begin) / 8 - first + 1);
  }
};

/// A thread of a block.
struct Fiber {
  static constexpr std::size_t stack_size = 256 * 1024;
  enum class Stage { fresh, waits, ended };

  std::unique_ptr<char[]> stack{new char[stack_size]};
  ucontext_t start;
  std::jmp_buf state;
  Stage stage = Stage::fresh;
};

std::map<std::uintptr_t, Memory> allocations;  // by their last byte
std::map<stand_in::Kernel, std::size_t> scratch_allowed;
char fault[200] = "";  // that a kernel has ended with
bool is_well() { return fault[0] == 0; }

// Of the kernel that runs.
void (*call_kernel)(const void*) = nullptr;
const void* kernel_called = nullptr;
std::vector<Fiber> fibers;
Fiber* running = nullptr;
std::jmp_buf scheduler;
Memory block_scratch(nullptr, 0);
std::int64_t now = 1;
std::int64_t launch_begin = 1;
std::int64_t block_begin = 1;

[[noreturn]] void back_to_scheduler() {
  running = nullptr;
  std::longjmp(scheduler, 1);
}

void run_fiber() {
  call_kernel(kernel_called);
  running->stage = Fiber::Stage::ended;
  back_to_scheduler();
}

void wait_at_barrier() {
  running->stage = Fiber::Stage::waits;
  if (setjmp(running->state) == 0) back_to_scheduler();
}

/// Runs a thread up to its next barrier, or its end.
void run_to_barrier(Fiber& fiber) {
  running = &fiber;
  if (setjmp(scheduler) != 0) return;
  if (fiber.stage == Fiber::Stage::waits) std::longjmp(fiber.state, 1);
  getcontext(&fiber.start);
  fiber.start.uc_stack.ss_sp = fiber.stack.get();
  fiber.start.uc_stack.ss_size = Fiber::stack_size;
  makecontext(&fiber.start, run_fiber, 0);
  setcontext(&fiber.start);
}

void run_block() {
  std::ranges::fill(block_scratch.words, Word());
  block_begin = ++now;
  const std::span<Fiber> threads = std::span(fibers).first(blockDim.x);
  for (Fiber& fiber : threads) fiber.stage = Fiber::Stage::fresh;
  std::ptrdiff_t ended = 0;
  for (; ended == 0 && is_well(); ++now) {
    for (threadIdx.x = 0; threadIdx.x < blockDim.x && is_well(); ++threadIdx.x)
      run_to_barrier(threads[threadIdx.x]);
    ended = std::ranges::count(threads, Fiber::Stage::ended, &Fiber::stage);
  }
  if (is_well() && ended < std::ssize(threads))
    std::snprintf(fault, sizeof fault, "threads of block %u wait at a barrier where others have ended",
                  blockIdx.x);
}

/// Ends the kernel.
[[noreturn]] void fail(const char* what, std::uintptr_t address, const void* instruction) {
  std::snprintf(fault, sizeof fault, "thread %u of block %u %s (address %zx, instruction %zx of the library)",
                threadIdx.x, blockIdx.x, what, address, number(instruction) - number(&__ehdr_start));
  back_to_scheduler();
}

Memory* memory_of(std::uintptr_t address, std::size_t size) {
  if (block_scratch.has(address, size)) return &block_scratch;
  const auto place = allocations.lower_bound(address);
  return place != allocations.end() && place->second.has(address, size) ? &place->second : nullptr;
}

/// Constants and what the stand-in says of threads and blocks.
bool is_constant(std::uintptr_t address) {
  using rodeo::cosserat::device::scratch;
  return address >= number(&__ehdr_start) && address < number(&_end) &&
         !(address >= number(scratch) && address < number(std::end(scratch)));
}

/// Whether the thread that runs, or all of its block, have not waited for that of an access.
bool is_unordered(const Access& before) {
  if (before.time == now) return before.thread != static_cast<int>(threadIdx.x);
  return before.time >= launch_begin && before.time < block_begin;
}

void access(const void* memory, std::size_t size, bool writes, const void* instruction) {
  if (running == nullptr) return;
  const std::uintptr_t address = number(memory);
  if (address - number(running->stack.get()) < Fiber::stack_size) return;
  Memory* const found = memory_of(address, size);
  if (found == nullptr) {
    if (!writes && is_constant(address)) return;
    fail(writes ? "writes to memory that is not the kernel's" : "reads memory that is not the kernel's",
         address, instruction);
  }
  for (Word& word : found->words_of(address, size)) {
    if (is_unordered(word.write))
      fail(writes ? "writes where another thread does" : "reads what another thread writes", address,
           instruction);
    if (writes) {
      if (is_unordered(word.read)) fail("writes what another thread reads", address, instruction);
      word.write = {now, static_cast<int>(threadIdx.x)};
    } else {
      if (word.write.time == 0) fail("reads what nothing has written", address, instruction);
      const bool is_first = word.read.time != now || word.read.thread == static_cast<int>(threadIdx.x);
      word.read = {now, is_first ? static_cast<int>(threadIdx.x) : Access::several};
    }
  }
}

/// Memory of the device, all of it; null if it is not.
Memory* device_memory(const void* memory, std::size_t bytes) {
  const auto place = allocations.lower_bound(number(memory));
  return place != allocations.end() && place->second.has(number(memory), bytes) ? &place->second : nullptr;
}

void note_written(Memory& memory, const void* begin, std::size_t bytes) {
  for (Word& word : memory.words_of(number(begin), bytes)) word.write.time = 1;
}

}  // namespace

// Accesses as the compiler tells of them.
#define RODEO_ACCESS(name, size, writes) \
  extern "C" void name(void* memory) { access(memory, size, writes, __builtin_return_address(0)); }
#define RODEO_ACCESSES(size)                             \
  RODEO_ACCESS(__tsan_read##size, size, false)           \
  RODEO_ACCESS(__tsan_write##size, size, true)           \
  RODEO_ACCESS(__tsan_unaligned_read##size, size, false) \
  RODEO_ACCESS(__tsan_unaligned_write##size, size, true)
RODEO_ACCESSES(1)
RODEO_ACCESSES(2)
RODEO_ACCESSES(4)
RODEO_ACCESSES(8)
RODEO_ACCESSES(16)
extern "C" void __tsan_read_range(void* memory, std::size_t size) {
  access(memory, size, false, __builtin_return_address(0));
}
extern "C" void __tsan_write_range(void* memory, std::size_t size) {
  access(memory, size, true, __builtin_return_address(0));
}
extern "C" void __tsan_init() {}
extern "C" void __tsan_func_entry(void*) {}
extern "C" void __tsan_func_exit() {}
extern "C" void __tsan_vptr_update(void**, void*) {}

void __syncthreads() { wait_at_barrier(); }
/// Of blocks of one warp, whose threads are all there are.
void __syncwarp() {
  if (blockDim.x > 32) std::abort();
  wait_at_barrier();
}

namespace stand_in {

const char* revision() { return RODEO_GIT_REVISION; }

/// As much as RODEO_STAND_IN_MEMORY says, for tests of a device that is full.
cudaError_t allocate(void** memory, std::size_t bytes) {
  const char* const most = std::getenv("RODEO_STAND_IN_MEMORY");
  if (most != nullptr && bytes > std::stoull(most)) return cudaErrorMemoryAllocation;
  *memory = std::malloc(bytes);
  allocations.emplace(number(*memory) + bytes - 1, Memory(*memory, bytes));
  return cudaGetLastError();
}

cudaError_t set_attribute(Kernel kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaGetLastError();
  if (static_cast<std::size_t>(value) > most_scratch) return cudaErrorInvalidValue;
  scratch_allowed[kernel] = static_cast<std::size_t>(value);
  return cudaGetLastError();
}

cudaError_t run(Kernel kernel, const cudaLaunchConfig_t& config, void (*call)(const void*),
                const void* what) {
  const std::size_t bytes = config.dynamicSmemBytes;
  blockDim = config.blockDim;
  if (config.gridDim.x == 0 || blockDim.x == 0 || blockDim.x > most_threads ||
      bytes > std::max(scratch_without_asking, scratch_allowed[kernel]))
    return cudaErrorInvalidValue;
  call_kernel = call;
  kernel_called = what;
  if (fibers.size() < blockDim.x) fibers.resize(blockDim.x);
  block_scratch = Memory(rodeo::cosserat::device::scratch, bytes);
  launch_begin = now + 1;
  for (blockIdx.x = 0; blockIdx.x < config.gridDim.x && is_well(); ++blockIdx.x) run_block();
  return cudaGetLastError();
}

}  // namespace stand_in

const char* cudaGetErrorString(cudaError_t error) {
  if (error == cudaErrorLaunchFailure) return fault;
  return error == cudaErrorMemoryAllocation ? "out of memory" : "invalid argument";
}
/// Once a kernel has failed all that follows does.
cudaError_t cudaGetLastError() { return is_well() ? cudaSuccess : cudaErrorLaunchFailure; }
cudaError_t cudaDeviceSynchronize() { return cudaGetLastError(); }
cudaError_t cudaDeviceReset() {
  fault[0] = 0;
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  if (memory == nullptr) return cudaGetLastError();
  const auto place = allocations.lower_bound(number(memory));
  if (place == allocations.end() || place->second.begin != number(memory)) return cudaErrorInvalidValue;
  allocations.erase(place);
  std::free(memory);
  return cudaGetLastError();
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaGetLastError();
  Memory* const target = device_memory(to, bytes);
  if ((target != nullptr) != (kind == cudaMemcpyHostToDevice) ||
      (device_memory(from, bytes) != nullptr) != (kind == cudaMemcpyDeviceToHost))
    return cudaErrorInvalidValue;
  if (target != nullptr) note_written(*target, to, bytes);
  std::memcpy(to, from, bytes);
  return cudaGetLastError();
}

cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  Memory* const target = device_memory(memory, bytes);
  if (target == nullptr) return cudaErrorInvalidValue;
  note_written(*target, memory, bytes);
  std::memset(memory, value, bytes);
  return cudaGetLastError();
}

cudaError_t cudaHostRegister(void*, std::size_t, unsigned) { return cudaGetLastError(); }
cudaError_t cudaHostUnregister(void*) { return cudaGetLastError(); }

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaGetLastError();
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrMultiProcessorCount ? 1 : static_cast<int>(most_scratch);
  return cudaGetLastError();
}
