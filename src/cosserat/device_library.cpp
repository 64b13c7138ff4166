#include "device_library.hpp"

#include <dlfcn.h>
#include <stdexcept>
#include <string>

namespace rodeo::cosserat::device {

namespace {

const DeviceFunctions& load() {
  void* const library = dlopen("librodeo_device.so", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw std::runtime_error(std::string("no library for steps on a device (scripts/device_library): ") +
                             dlerror());
  const std::string own = RODEO_GIT_REVISION;
  const auto revision =
      reinterpret_cast<decltype(&rodeo_device_revision)>(dlsym(library, "rodeo_device_revision"));
  const auto functions =
      reinterpret_cast<decltype(&rodeo_device_functions)>(dlsym(library, "rodeo_device_functions"));
  if (revision == nullptr || revision() != own || functions()->sizes != struct_sizes) {
    throw std::runtime_error("librodeo_device.so is of " +
                             (revision == nullptr ? "another version of rodeo" : std::string(revision())) +
                             ", the program of " + own + ": build it anew by scripts/device_library");
  }
  return *functions();
}

}  // namespace

const DeviceFunctions& device_library() {
  static const DeviceFunctions& functions = load();
  return functions;
}

}  // namespace rodeo::cosserat::device
