#pragma once

#include <string>

#include "datasets.hpp"
#include "open_serial.hpp"

namespace rodeo {

/// A new file of HDF5 that is in memory alone: no disk is full while HDF5 writes it, which does not get over
/// that.
class FileInMemory {
 public:
  hid_t get() const { return file_.get(); }

  /// All of it.
  std::string bytes() const {
    hdf5_check(H5Fflush(get(), H5F_SCOPE_GLOBAL), "cannot write it");
    // As it is: H5Fget_file_image() clears a flag and leaves the checksum that was made with it.
    hsize_t size = 0;
    void* memory = nullptr;
    hdf5_check(H5Fget_filesize(get(), &size), "cannot write it");
    hdf5_check(H5Fget_vfd_handle(get(), H5P_DEFAULT, &memory), "cannot write it");
    return {*static_cast<const char* const*>(memory), static_cast<std::size_t>(size)};
  }

 private:
  static Hdf5Handle access() {
    constexpr std::size_t increment = std::size_t{1} << 20;
    Hdf5Handle properties = unlocked_access();
    hdf5_check(H5Pset_fapl_core(properties.get(), increment, false), "cannot keep it in memory");
    return properties;
  }

  Hdf5Handle file_ = create_file("in memory", access().get());
};

}  // namespace rodeo
