#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <hdf5.h>

#include "rodeo/output/hdf5_handle.hpp"

namespace rodeo {

/// Creates an empty file in place of any other.
Hdf5Handle create_file(const std::string& path, hid_t access);

void create_group(hid_t file, const std::string& path);

/// Creates a dataset, contiguous and allocated at once, so that one rank can write it later on its own.
/// Without `zero_filled` it holds anything until it is written. An empty extent makes a single value.
Hdf5Handle create_dataset(hid_t file, const std::string& path, hid_t type, const std::vector<hsize_t>& extent,
                          bool zero_filled);

/// Creates a dataset and writes all of it.
Hdf5Handle create_filled(hid_t file, const std::string& path, hid_t type, hid_t memory_type,
                         const std::vector<hsize_t>& extent, const void* values);

/// Creates a dataset of one dimension that stays without values and takes no room for them.
Hdf5Handle create_unwritten_dataset(hid_t file, const std::string& path, hid_t type, hsize_t length);

Hdf5Handle open_dataset(hid_t file, const std::string& path);

/// Rows [first, first + count) of a dataset that has so many entries in each.
Hdf5Handle select_rows(hid_t dataset, hsize_t first, hsize_t count, hsize_t entries);

/// Writes values that follow one another to what is selected of a dataset, and reads them from there.
void write_selection(hid_t dataset, hid_t memory_type, const Hdf5Handle& selection, const void* values);
void read_selection(hid_t dataset, hid_t memory_type, const Hdf5Handle& selection, void* values);

/// Names of the objects in a group, in alphabetical order.
std::vector<std::string> names_in(hid_t group);

/// All `count` values of a dataset whose shape has been checked.
template <class Value>
std::vector<Value> read_values(hid_t file, const std::string& path, hid_t memory_type, std::size_t count) {
  std::vector<Value> values(count);
  const Hdf5Handle dataset = open_dataset(file, path);
  if (H5Dread(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    throw_hdf5_error("cannot read " + path);
  }
  return values;
}

// Checks of a file's claims about its datasets, before they are trusted. A false one is an Hdf5Error.

std::vector<hsize_t> extent_of(hid_t dataset);

/// Checks that all bytes a dataset claims are in the file. After this its extent may be trusted with memory.
void check_storage(hid_t file, hid_t dataset, const std::string& path);

/// Checks the storage of a dataset, and that it has this type and extent.
void check_dataset(hid_t file, const std::string& path, hid_t type, const std::vector<hsize_t>& extent);

/// The extent of a dataset of known rank whose storage is sound.
std::vector<hsize_t> sound_extent(hid_t file, const std::string& path, std::size_t rank);

}  // namespace rodeo
