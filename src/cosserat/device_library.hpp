#pragma once

#include <span>
#include <string>

#include "device_batch.hpp"

namespace rodeo::cosserat::device {

// These load librodeo_device.so (scripts/device_library) when they are first called, as the system's loader
// finds it. They throw std::runtime_error where there is none, or one of another version, and for what the
// device's driver complains of.

/// A batch whose members take their steps on a device.
class Batch {
 public:
  /// Copies members to the device; their arrays have to stay where they are.
  explicit Batch(const HostBatch& batch);
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch();

  // As DeviceFunctions have them.
  void advance(std::span<const SliceTask> tasks);
  void fetch(std::span<double> storage) const;
  std::string description() const;

 private:
  DeviceBatch* batch_ = nullptr;
};

int rods_at_once();

}  // namespace rodeo::cosserat::device
