#pragma once

#include <cstdint>
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

/// A batch of the library, opaque to its callers.
class DeviceBatch;

/// Sizes of the structs that the library and its callers share, which may differ between versions.
inline constexpr std::uint64_t struct_sizes = sizeof(MemberData) * 65536 + sizeof(RodData);

/// Functions of the library. Its exceptions would end a program that has a C++ runtime of its own, so these
/// return an error message, valid until the next call, or null.
struct DeviceFunctions {
  std::uint64_t sizes = struct_sizes;

  /// Copies members to the device, whose memory has to stay as long as the batch: such as have neither
  /// contact, motions, connections, further ground nor formulas, and sections that are alike about d1 and d2.
  const char* (*upload)(const HostBatch& batch, DeviceBatch*& uploaded) = nullptr;
  void (*remove)(DeviceBatch* batch) = nullptr;

  /// Advances members by the steps of the tasks.
  const char* (*advance)(DeviceBatch& batch, std::span<const SliceTask> tasks) = nullptr;

  /// Copies the parts of the members' arrays that steps change to those of the host.
  const char* (*fetch)(const DeviceBatch& batch, std::span<double> storage) = nullptr;

  /// Describes the kernel, and how many rods a multiprocessor takes at once, for people.
  const char* (*describe)(const DeviceBatch& batch, std::string& description) = nullptr;

  /// Rods of which a device takes the steps at once, or soon one after the other, without idling.
  const char* (*rods_at_once)(int& rods) = nullptr;
};

/// Entry points of the library: its functions, and the revision that it was built from.
extern "C" [[gnu::visibility("default")]] const DeviceFunctions* rodeo_device_functions();
extern "C" [[gnu::visibility("default")]] const char* rodeo_device_revision();

}  // namespace rodeo::cosserat::device
