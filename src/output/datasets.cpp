#include "datasets.hpp"

#include <algorithm>
#include <array>

namespace rodeo {

namespace {

/// Properties without times for a dataset, a group or a file, so that equal campaigns make equal bytes.
Hdf5Handle timeless_properties(hid_t kind) {
  Hdf5Handle properties(H5Pcreate(kind), H5Pclose, "cannot make properties");
  hdf5_check(H5Pset_obj_track_times(properties.get(), false), "cannot leave times out");
  return properties;
}

/// As many entries as are selected in the file, one after the other.
Hdf5Handle memory_space(const Hdf5Handle& selection) {
  const auto entries =
      static_cast<hsize_t>(hdf5_check(H5Sget_select_npoints(selection.get()), "cannot select"));
  return {H5Screate_simple(1, &entries, nullptr), H5Sclose, "cannot make a shape"};
}

}  // namespace

Hdf5Handle create_file(const std::string& path, hid_t access) {
  const Hdf5Handle properties = timeless_properties(H5P_FILE_CREATE);
  // All attributes stand at the beginning of the file, and a value is replaced in place.
  constexpr unsigned most = 1000;
  hdf5_check(H5Pset_attr_phase_change(properties.get(), most, most), "cannot set where attributes stand");
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties.get(), access), H5Fclose, "cannot create it"};
}

void create_group(hid_t file, const std::string& path) {
  const Hdf5Handle properties = timeless_properties(H5P_GROUP_CREATE);
  Hdf5Handle(H5Gcreate2(file, path.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Gclose,
             "cannot create " + path);
}

Hdf5Handle create_dataset(hid_t file, const std::string& path, hid_t type, const std::vector<hsize_t>& extent,
                          bool zero_filled) {
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose,
                         "cannot shape " + path);
  const Hdf5Handle properties = timeless_properties(H5P_DATASET_CREATE);
  hdf5_check(H5Pset_layout(properties.get(), H5D_CONTIGUOUS), "cannot set a layout");
  hdf5_check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), "cannot set an allocation time");
  // Filling the payload would write the whole file twice.
  hdf5_check(H5Pset_fill_time(properties.get(), zero_filled ? H5D_FILL_TIME_ALLOC : H5D_FILL_TIME_NEVER),
             "cannot set a fill time");
  return {H5Dcreate2(file, path.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
          H5Dclose, "cannot create " + path};
}

Hdf5Handle create_filled(hid_t file, const std::string& path, hid_t type, hid_t memory_type,
                         const std::vector<hsize_t>& extent, const void* values) {
  Hdf5Handle dataset = create_dataset(file, path, type, extent, false);
  if (H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    throw_hdf5_error("cannot write " + path);
  return dataset;
}

Hdf5Handle create_unwritten_dataset(hid_t file, const std::string& path, hid_t type, hsize_t length) {
  const Hdf5Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose, "cannot shape " + path);
  const Hdf5Handle properties = timeless_properties(H5P_DATASET_CREATE);
  hdf5_check(H5Pset_layout(properties.get(), H5D_CONTIGUOUS), "cannot set a layout");
  hdf5_check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_LATE), "cannot set an allocation time");
  return {H5Dcreate2(file, path.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
          H5Dclose, "cannot create " + path};
}

Hdf5Handle open_dataset(hid_t file, const std::string& path) {
  return {H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, "there is no dataset " + path};
}

Hdf5Handle select_rows(hid_t dataset, hsize_t first, hsize_t count, hsize_t entries) {
  Hdf5Handle space(H5Dget_space(dataset), H5Sclose, "cannot read a shape");
  // HDF5 takes the first entry for a dataset of one dimension.
  const std::array<hsize_t, 2> start{first, 0};
  const std::array<hsize_t, 2> length{count, entries};
  hdf5_check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, length.data(), nullptr),
             "cannot select rows");
  return space;
}

void write_selection(hid_t dataset, hid_t type, const Hdf5Handle& selection, const void* data) {
  hdf5_check(H5Dwrite(dataset, type, memory_space(selection).get(), selection.get(), H5P_DEFAULT, data),
             "the write failed");
}

void read_selection(hid_t dataset, hid_t type, const Hdf5Handle& selection, void* data) {
  hdf5_check(H5Dread(dataset, type, memory_space(selection).get(), selection.get(), H5P_DEFAULT, data),
             "the read failed");
}

std::vector<std::string> names_in(hid_t group) {
  H5G_info_t info{};
  hdf5_check(H5Gget_info(group, &info), "cannot read a group");
  std::vector<std::string> names;
  for (hsize_t place = 0; place < info.nlinks; ++place) {
    std::array<char, 256> name{};
    hdf5_check(H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, place, name.data(), name.size(),
                                  H5P_DEFAULT),
               "cannot read the name of a dataset");
    names.emplace_back(name.data());
  }
  return names;
}

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
