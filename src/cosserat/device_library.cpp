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

const DeviceFunctions& library() {
  static const DeviceFunctions& functions = load();
  return functions;
}

void check(const char* complaint) {
  if (complaint != nullptr) throw std::runtime_error(complaint);
}

}  // namespace

Batch::Batch(const HostBatch& batch) { check(library().upload(batch, batch_)); }
Batch::~Batch() { library().remove(batch_); }
void Batch::advance(std::span<const SliceTask> tasks) { check(library().advance(*batch_, tasks)); }
void Batch::fetch(std::span<double> storage) const { check(library().fetch(*batch_, storage)); }
std::string Batch::description() const {
  std::string description;
  check(library().describe(*batch_, description));
  return description;
}

int rods_at_once() {
  int rods = 0;
  check(library().rods_at_once(rods));
  return rods;
}

}  // namespace rodeo::cosserat::device
