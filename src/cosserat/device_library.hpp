#pragma once

#include <span>
#include <string>

#include "device_batch.hpp"

namespace rodeo::cosserat::device {

// Functions that load librodeo_device.so (scripts/device_library) by the system's loader on first use. They
// throw std::runtime_error if there is none, or one of another version, and for errors of the device's
// driver.

/// A batch whose members take their steps on a device.
class Batch {
 public:
  /// Copies members to the device; their arrays have to stay where they are.
  explicit Batch(const HostBatch& batch);
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch();

  // Calls of DeviceFunctions.
  void advance(std::span<const SliceTask> tasks);
  void fetch(std::span<double> storage) const;
  std::string description() const;

 private:
  DeviceBatch* batch_ = nullptr;
};

int rods_at_once();

}  // namespace rodeo::cosserat::device
