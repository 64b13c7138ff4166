#include "device_library.hpp"

#include <dlfcn.h>
#include <stdexcept>

namespace rodeo::cosserat::device {

namespace {

const DeviceFunctions& load() {
  void* const library = dlopen("librodeo_device.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw std::runtime_error(std::string("no library for steps on a device (scripts/device_library): ") +
                             dlerror());
  const auto functions =
      reinterpret_cast<decltype(&rodeo_device_functions)>(dlsym(library, "rodeo_device_functions"));
  if (functions == nullptr || functions()->sizes != struct_sizes)
    throw std::runtime_error("librodeo_device.so is of another version of rodeo");
  return *functions();
}

}  // namespace

const DeviceFunctions& device_library() {
  static const DeviceFunctions& functions = load();
  return functions;
}

}  // namespace rodeo::cosserat::device
