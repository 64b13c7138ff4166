#include "sound_datasets.hpp"

#include <algorithm>

#include "datasets.hpp"

namespace rodeo {

std::vector<hsize_t> extent_of(hid_t dataset) {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, "cannot read a shape");
  std::vector<hsize_t> extent(
      static_cast<std::size_t>(hdf5_check(H5Sget_simple_extent_ndims(space.get()), "cannot read a shape")));
  hdf5_check(H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr), "cannot read a shape");
  return extent;
}

void check_storage(hid_t file, hid_t dataset, const std::string& path) {
  const Hdf5Handle properties(H5Dget_create_plist(dataset), H5Pclose, "cannot read a layout");
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, "cannot read a type");
  hsize_t file_bytes = 0;
  hdf5_check(H5Fget_filesize(file, &file_bytes), "cannot read the file's size");
  if (H5Pget_layout(properties.get()) != H5D_CONTIGUOUS || H5Pget_external_count(properties.get()) != 0) {
    throw Hdf5Error("dataset " + path + " is not contiguous");
  }
  const std::vector<hsize_t> extent = extent_of(dataset);
  if (std::find(extent.begin(), extent.end(), 0) != extent.end()) return;
  hsize_t bytes = H5Tget_size(type.get());
  for (const hsize_t length : extent) {
    if (length > file_bytes || __builtin_mul_overflow(bytes, length, &bytes)) {
      throw Hdf5Error("the size of dataset " + path + " makes no sense");
    }
  }
  const haddr_t offset = H5Dget_offset(dataset);
  if (offset == HADDR_UNDEF || offset > file_bytes || bytes > file_bytes - offset) {
    throw Hdf5Error("the file ends before dataset " + path + " does");
  }
}

void check_dataset(hid_t file, const std::string& path, hid_t type, const std::vector<hsize_t>& extent) {
  const Hdf5Handle dataset = open_dataset(file, path);
  const Hdf5Handle found(H5Dget_type(dataset.get()), H5Tclose, "cannot read a type");
  check_storage(file, dataset.get(), path);
  if (H5Tequal(found.get(), type) <= 0) throw Hdf5Error("dataset " + path + " is of another type");
  if (extent_of(dataset.get()) != extent) throw Hdf5Error("dataset " + path + " has another shape");
}

std::vector<hsize_t> sound_extent(hid_t file, const std::string& path, std::size_t rank) {
  const Hdf5Handle dataset = open_dataset(file, path);
  check_storage(file, dataset.get(), path);
  std::vector<hsize_t> extent = extent_of(dataset.get());
  if (extent.size() != rank) throw Hdf5Error("dataset " + path + " has another shape");
  return extent;
}

}  // namespace rodeo
