#pragma once

#include "device_batch.hpp"

namespace rodeo::cosserat::device {

/// The functions of librodeo_device.so (scripts/device_library), which is loaded when they are first asked
/// for, as the system's loader finds it. Throws std::runtime_error where there is none, or one of another
/// version.
const DeviceFunctions& device_library();

}  // namespace rodeo::cosserat::device
