#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <hdf5.h>

namespace rodeo {

// Checks of a file's claims about its datasets, before they are trusted. A false one is an Hdf5Error.

std::vector<hsize_t> extent_of(hid_t dataset);

/// Checks that all bytes a dataset claims are in the file. After this its extent may be trusted with memory.
void check_storage(hid_t file, hid_t dataset, const std::string& path);

/// Checks the storage of a dataset, and that it has this type and extent.
void check_dataset(hid_t file, const std::string& path, hid_t type, const std::vector<hsize_t>& extent);

/// The extent of a dataset of known rank whose storage is sound.
std::vector<hsize_t> sound_extent(hid_t file, const std::string& path, std::size_t rank);

}  // namespace rodeo
