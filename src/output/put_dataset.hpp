#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets.hpp"

namespace rodeo {

template <class Value>
hid_t memory_type();
template <>
inline hid_t memory_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t memory_type<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}
template <>
inline hid_t memory_type<double>() {
  return H5T_NATIVE_DOUBLE;
}

/// Creates a dataset and writes all of it.
template <class Value>
void put(hid_t file, const std::string& path, hid_t type, const std::vector<hsize_t>& extent,
         const std::vector<Value>& values) {
  const Hdf5Handle dataset = create_dataset(file, path, type, extent, false);
  hdf5_check(H5Dwrite(dataset.get(), memory_type<Value>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
             "cannot write a dataset");
}

}  // namespace rodeo
