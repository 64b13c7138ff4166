#include <algorithm>
#include <array>
#include <cuda_runtime.h>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "device_batch.hpp"
#include "device_kernels.hpp"

namespace rodeo::cosserat::device {

class DeviceBatch {
 public:
  virtual ~DeviceBatch() = default;
  virtual void advance(std::span<const SliceTask> tasks) = 0;
  virtual void fetch(std::span<double> storage) const = 0;
  virtual std::string description() const = 0;
};

namespace {

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("the device failed to ") + what + ": " + cudaGetErrorString(error));
}

/// Begins so many blocks of a kernel, each with so many threads and bytes of scratch memory.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), std::size_t blocks, int threads, std::size_t scratch,
            const char* what, const Arguments&... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = scratch;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), what);
}

/// Numbers or structs in the memory of a device.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t count) : count_(count) {
    if (count > 0) check(cudaMalloc(&data_, count * sizeof(T)), "get memory");
  }
  explicit DeviceArray(std::span<const T> values) : DeviceArray(values.size()) { set(values); }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~DeviceArray() { cudaFree(data_); }

  void set(std::span<const T> values) {
    check(cudaMemcpy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice),
          "copy to its memory");
  }
  T* data() const { return data_; }
  std::size_t size() const { return count_; }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// Pins memory of the host, which the device then reads and writes several times as fast; unpinned memory
/// works too.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::span<const double> memory) : begin_(const_cast<double*>(memory.data())) {
    if (cudaHostRegister(begin_, memory.size_bytes(), cudaHostRegisterDefault) == cudaSuccess) return;
    begin_ = nullptr;
    cudaGetLastError();  // which forgets it
  }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() {
    if (begin_ != nullptr) cudaHostUnregister(begin_);
  }

 private:
  void* begin_;
};

/// Places of the arrays of a member, which determine their pitches.
struct Places {
  std::size_t on_host = 0;
  std::size_t on_device = 0;
  int elements = 0;
};

constexpr int copying_threads = 256;

/// Copies the arrays of members, one a block, from the pitch and places of the host to those of the device.
__global__ void pack(const Places* places, const double* from, double* to, int pitch) {
  const Places own = places[blockIdx.x];
  const int host_pitch = field_pitch(own.elements);
  const int entries = device_pitch(own.elements);
  for (int i = static_cast<int>(threadIdx.x); i < all_arrays * entries; i += static_cast<int>(blockDim.x)) {
    const int entry = field_front - 1 + i % entries;
    to[own.on_device + i / entries * pitch + entry] = from[own.on_host + i / entries * host_pitch + entry];
  }
}

/// Copies the arrays that steps change back to the host.
__global__ void unpack(const Places* places, const double* from, double* to, int pitch, int work) {
  const Places own = places[blockIdx.x];
  const int host_pitch = field_pitch(own.elements);
  const int entries = device_pitch(own.elements);
  const int changed = field::state_count + work;
  for (int i = static_cast<int>(threadIdx.x); i < changed * entries; i += static_cast<int>(blockDim.x)) {
    const int entry = field_front - 1 + i % entries;
    const int k = i / entries;
    const int array = k < field::state_count ? k : lasting_arrays + k - field::state_count;
    to[own.on_host + array * host_pitch + entry] = from[own.on_device + array * pitch + entry];
  }
}

/// A kernel and its limits.
template <class Member>
struct Kernel {
  void (*function)(KernelBatch<Member>);
  int threads;
  int pitch;          ///< of the arrays; 0: any
  int most_elements;  ///< of a member
};

constexpr int any_number = std::numeric_limits<int>::max();

template <class Member, int threads, int pitch, int rods>
constexpr Kernel<Member> plain_kernel() {
  return {advance_plain<Member, threads, pitch, rods>, threads, pitch, pitch > 0 ? pitch - 3 : any_number};
}

/// Kernels in the order of their limits, with as many rods a multiprocessor as fit its scratch memory.
template <class Member>
std::span<const Kernel<Member>> kernels();
template <>
std::span<const Kernel<PlainMember>> kernels() {
  static constexpr std::array all = {
      plain_kernel<PlainMember, 32, 26, 20>(), plain_kernel<PlainMember, 64, 58, 10>(),
      plain_kernel<PlainMember, 128, 106, 5>(), plain_kernel<PlainMember, 128, 0, 4>()};
  return all;
}
template <>
std::span<const Kernel<PlainMemberOnPlane>> kernels() {
  static constexpr std::array all = {
      plain_kernel<PlainMemberOnPlane, 32, 26, 14>(), plain_kernel<PlainMemberOnPlane, 64, 58, 7>(),
      plain_kernel<PlainMemberOnPlane, 128, 106, 3>(), plain_kernel<PlainMemberOnPlane, 128, 0, 3>()};
  return all;
}
template <>
std::span<const Kernel<AnyMember>> kernels() {
  static constexpr std::array all = {Kernel<AnyMember>{advance_any<64, 4>, 64, 0, any_number}};
  return all;
}

/// Numbers of lasting arrays and of work arrays that members use; those after them are left out.
struct UsedArrays {
  int lasting = lasting_arrays;
  int work = field::work_count;
};
UsedArrays used_arrays(const PlainMember& member) {
  const bool is_loaded = member.forces.act(0.0);
  UsedArrays used;
  used.work = (is_loaded ? field::ground_force_on_first : field::external_force) - field::work;
  used.lasting = member.forces.responses.acts(0.0)        ? field::half_drag + 1
                 : member.muscle.kind != MuscleKind::none ? field::muscle_sine + 1
                 : member.forces.gravity.acts(0.0)        ? field::mass + 1
                                                          : static_cast<int>(field::mass);
  return used;
}
UsedArrays used_arrays(const PlainMemberOnPlane&) { return {}; }
UsedArrays used_arrays(const AnyMember&) { return {}; }

template <class Member>
Member member_of(const MemberData& member, const RodData& rod) {
  if constexpr (std::is_same_v<Member, AnyMember>) {
    return any_member(member);
  } else {
    return plain_member<Member>(member, rod);
  }
}

template <class Member>
class BatchOf final : public DeviceBatch {
 public:
  explicit BatchOf(const HostBatch& batch) : host_storage_(batch.storage) {
    int largest = 0;
    for (const MemberData& member : batch.members) largest = std::max(largest, member.elements);
    for (const Kernel<Member>& kernel : kernels<Member>()) {
      if (largest <= kernel.most_elements) {
        kernel_ = kernel;
        break;
      }
    }
    launch_.pitch = kernel_.pitch > 0 ? kernel_.pitch : device_pitch(largest);
    std::vector<Member> members;
    std::vector<Places> places;
    std::size_t numbers = 0;
    for (const MemberData& member : batch.members) {
      Member own = member_of<Member>(member, batch.rods[static_cast<std::size_t>(member.first_rod)]);
      own.offset = numbers;
      places.push_back({member.offset, numbers, member.elements});
      numbers += array_numbers(all_arrays, launch_.pitch);
      const UsedArrays used = used_arrays(own);
      launch_.lasting = std::max(launch_.lasting, used.lasting);
      launch_.work = std::max(launch_.work, used.work);
      members.push_back(own);
    }
    members_ = DeviceArray<Member>(std::span<const Member>(members));
    places_ = DeviceArray<Places>(std::span<const Places>(places));
    rods_ = DeviceArray<RodData>(batch.rods);
    tasks_ = DeviceArray<SliceTask>(members.size());
    as_on_host_ = DeviceArray<double>(batch.storage);
    storage_ = DeviceArray<double>(numbers);
    check(cudaMemset(storage_.data(), 0, numbers * sizeof(double)), "clear its memory");
    launch(pack, places.size(), copying_threads, 0, "pack arrays", places_.data(), as_on_host_.data(),
           storage_.data(), launch_.pitch);
    launch_.storage = storage_.data();
    launch_.members = members_.data();
    launch_.rods = rods_.data();
    launch_.tasks = tasks_.data();
    find_scratch();
  }

  void advance(std::span<const SliceTask> tasks) override {
    tasks_.set(tasks);
    launch(kernel_.function, tasks.size(), kernel_.threads, scratch_, "begin steps", launch_);
    check(cudaDeviceSynchronize(), "take steps");
  }

  void fetch(std::span<double> storage) const override {
    launch(unpack, places_.size(), copying_threads, 0, "unpack arrays", places_.data(), storage_.data(),
           as_on_host_.data(), launch_.pitch, launch_.work);
    check(cudaMemcpy(storage.data(), as_on_host_.data(), storage.size_bytes(), cudaMemcpyDeviceToHost),
          "copy from its memory");
  }

  std::string description() const override {
    int blocks = 0;
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, kernel_.function), "describe a kernel");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_.function, kernel_.threads, scratch_),
          "describe a kernel");
    const char* const of = std::is_same_v<Member, PlainMember> ? "plain"
                           : std::is_same_v<Member, AnyMember> ? "any"
                                                               : "on a plane";
    return std::string(of) + ", " + std::to_string(kernel_.threads) + " threads, " +
           std::to_string(attributes.numRegs) + " registers, " + std::to_string(scratch_) + " B, " +
           std::to_string(blocks) + " rods a multiprocessor";
  }

 private:
  /// Scratch memory of a block: a member's arrays have to fit into it, unless the kernel does without.
  void find_scratch() {
    int device = 0;
    int most = 0;
    check(cudaGetDevice(&device), "tell its number");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "tell its scratch memory");
    scratch_ = array_numbers(launch_.lasting + launch_.work, launch_.pitch) * sizeof(double);
    launch_.scratch = scratch_ <= static_cast<std::size_t>(most);
    if (!launch_.scratch) {
      if (!std::is_same_v<Member, AnyMember>) throw std::logic_error("plain members that do not fit");
      scratch_ = 0;
    }
    check(cudaFuncSetAttribute(kernel_.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(scratch_)),
          "set scratch memory");
    check(cudaFuncSetAttribute(kernel_.function, cudaFuncAttributePreferredSharedMemoryCarveout, 100),
          "set scratch memory");
  }

  PinnedMemory host_storage_;
  Kernel<Member> kernel_ = {};
  KernelBatch<Member> launch_;
  std::size_t scratch_ = 0;  ///< bytes of a block
  DeviceArray<Member> members_;
  DeviceArray<Places> places_;
  DeviceArray<RodData> rods_;
  DeviceArray<SliceTask> tasks_;
  DeviceArray<double> as_on_host_;  ///< storage as the host has it
  DeviceArray<double> storage_;
};

/// Elements of a plain member whose arrays fit into scratch memory, whatever it has.
constexpr int most_plain_elements = 400;

/// True if the kernels support all parts of these members.
bool takes(const HostBatch& batch) {
  return std::ranges::all_of(batch.members, [&](const MemberData& member) {
    const std::span rods =
        batch.rods.subspan(static_cast<std::size_t>(member.first_rod), static_cast<std::size_t>(member.rods));
    return member.circular && !member.actuated && member.motions == 0 && member.work.pitch == 0 &&
           !member.forces.contact().enabled &&
           std::ranges::all_of(rods, [](const RodData& rod) { return rod.actuation.count == 0; });
  });
}

std::unique_ptr<DeviceBatch> upload(const HostBatch& batch) {
  if (!takes(batch)) throw std::invalid_argument("the device has no kernels for these members");
  bool are_plain = true;
  bool on_plane = false;
  for (const MemberData& member : batch.members) {
    const RodData& rod = batch.rods[static_cast<std::size_t>(member.first_rod)];
    are_plain = are_plain && is_plain(member, rod) && member.elements <= most_plain_elements;
    on_plane = on_plane || member.forces.ground().has_plane;
  }
  // A member without a plane needs no law for one.
  for (const MemberData& member : batch.members)
    are_plain = are_plain && member.forces.ground().has_plane == on_plane;
  if (!are_plain) return std::make_unique<BatchOf<AnyMember>>(batch);
  if (on_plane) return std::make_unique<BatchOf<PlainMemberOnPlane>>(batch);
  return std::make_unique<BatchOf<PlainMember>>(batch);
}

int rods_at_once() {
  int device = 0;
  int multiprocessors = 0;
  check(cudaGetDevice(&device), "tell its number");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "tell how many multiprocessors it has");
  constexpr int rods =
      32;  // three times as many as there is room for: all have some until nearly all are done
  return rods * multiprocessors;
}

/// Error message of an action, valid until the next one; null without an error.
template <class Action>
const char* complaint_of(const Action& action) {
  static std::string complaint;
  try {
    action();
    return nullptr;
  } catch (const std::exception& error) {
    complaint = error.what();
    return complaint.c_str();
  }
}

}  // namespace

extern "C" const char* rodeo_device_revision() { return RODEO_GIT_REVISION; }

extern "C" const DeviceFunctions* rodeo_device_functions() {
  static const DeviceFunctions functions{
      struct_sizes,
      [](const HostBatch& batch, DeviceBatch*& uploaded) {
        return complaint_of([&] { uploaded = upload(batch).release(); });
      },
      [](DeviceBatch* batch) { delete batch; },
      [](DeviceBatch& batch, std::span<const SliceTask> tasks) {
        return complaint_of([&] { batch.advance(tasks); });
      },
      [](const DeviceBatch& batch, std::span<double> storage) {
        return complaint_of([&] { batch.fetch(storage); });
      },
      [](const DeviceBatch& batch, std::string& description) {
        return complaint_of([&] { description = batch.description(); });
      },
      [](int& rods) { return complaint_of([&] { rods = rods_at_once(); }); }};
  return &functions;
}

}  // namespace rodeo::cosserat::device
