#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "rodeo/member/member_data.hpp"
#include "rodeo/member/rods.hpp"

namespace rodeo::cosserat::device {

/// The arrays of a batch on the host (BasicBatchViews) in double precision, as plain memory.
struct HostBatch {
  std::span<const double> storage;
  std::span<const MemberData> members;
  std::span<const RodData> rods;
};

/// A batch whose members take their steps on a device, in a library that is loaded where one is asked for.
/// Its functions throw std::runtime_error for what the device's driver complains of.
class DeviceBatch {
 public:
  virtual ~DeviceBatch() = default;

  /// Takes the steps of the tasks.
  virtual void advance(std::span<const SliceTask> tasks) = 0;

  /// Brings what steps change of the members' arrays into those of the host.
  virtual void fetch(std::span<double> storage) const = 0;

  /// For people: the kernel, and how many rods a multiprocessor takes at once.
  virtual std::string description() const = 0;
};

/// Of the structs that the library and those who call it share, which another version may have in another
/// form.
inline constexpr std::uint64_t struct_sizes = sizeof(MemberData) * 65536 + sizeof(RodData);

/// What the library offers.
struct DeviceFunctions {
  std::uint64_t sizes = struct_sizes;

  /// Copies members to the device, whose memory has to stay as long as the batch: such as have neither
  /// contact, motions, connections, further ground nor formulas, and sections that are alike about d1 and d2.
  std::unique_ptr<DeviceBatch> (*upload)(const HostBatch& batch) = nullptr;

  /// Rods of which a device takes the steps at once, or soon one after the other, without idling.
  int (*rods_at_once)() = nullptr;
};

/// By which names the library is asked for them, and for the revision that it was built from.
extern "C" [[gnu::visibility("default")]] const DeviceFunctions* rodeo_device_functions();
extern "C" [[gnu::visibility("default")]] const char* rodeo_device_revision();

}  // namespace rodeo::cosserat::device
