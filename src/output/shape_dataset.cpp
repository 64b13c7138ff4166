#include "rodeo/output/shape_dataset.hpp"

#include <cmath>

#include "rodeo/output/errors.hpp"

#include "breakdown_guard.hpp"
#include "datasets.hpp"
#include "open_serial.hpp"

namespace rodeo {

namespace {

std::vector<double> read_rows_of_three(hid_t file, const std::string& dataset_path, std::size_t most_nodes) {
  const Hdf5Handle dataset = open_dataset(file, dataset_path);
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose, "cannot read a shape");
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose, "cannot read a type");
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) throw Hdf5Error(dataset_path + " holds no numbers");
  std::vector<hsize_t> extent(2);
  if (H5Sget_simple_extent_ndims(space.get()) != 2 ||
      H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr) < 0 || extent[1] != 3) {
    throw Hdf5Error(dataset_path + " is not of shape [nodes, 3]");
  }
  if (extent[0] > most_nodes) {
    throw Hdf5Error(dataset_path + " holds more than " + std::to_string(most_nodes) + " nodes");
  }
  std::vector<double> coordinates(3 * extent[0]);
  hdf5_check(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, coordinates.data()),
             "cannot read the nodes");
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (!std::isfinite(coordinates[i]))
      throw Hdf5Error("node " + std::to_string(i / 3) + " of " + dataset_path + " is not finite");
  }
  return coordinates;
}

}  // namespace

std::vector<double> read_shape_dataset(const std::string& path, const std::string& dataset,
                                       std::size_t most_nodes) {
  silence_hdf5();
  const BreakdownGuard guard(path);
  const Hdf5Handle file = open_serial(path, H5F_ACC_RDONLY);
  try {
    return read_rows_of_three(file.get(), dataset, most_nodes);
  } catch (const Hdf5Error& error) {
    throw FileError(path + ": " + error.what());
  }
}

}  // namespace rodeo
