#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <hdf5.h>

#include "rodeo/output/hdf5_handle.hpp"

namespace rodeo {

/// A UTF-8 text of at most `size` bytes.
Hdf5Handle text_type(std::size_t size);

/// HDF5 keeps attributes in their object's header, where none is larger than 64 KiB with its description.
inline constexpr std::size_t most_attribute_bytes = 65000;

// Texts have a fixed length (h5py: bytes). Those of variable length lie in a heap of the file, of which a
// damaged byte makes HDF5 read any number of bytes.

/// Creates an attribute of `count` entries, or of one value without.
void create_attribute(hid_t object, const char* name, hid_t type, hid_t memory_type, const void* values,
                      std::optional<hsize_t> count = std::nullopt);

/// A text beyond 32 KiB is cut, with "..." at its end.
void create_text(hid_t object, const char* name, const std::string& text);

/// Texts one behind the other, all as long as the longest, with zeros at their ends.
std::string padded(const std::vector<std::string>& texts);

/// Bytes of an attribute with these texts, all as long as the longest.
std::uint64_t stored_bytes(const std::vector<std::string>& texts);

/// All as long as the longest; together at most most_attribute_bytes.
void create_texts(hid_t object, const char* name, const std::vector<std::string>& texts);
void create_integer(hid_t object, const char* name, std::int64_t value);

/// A text with room for `capacity` bytes, which update_fixed_text can replace in place.
void create_fixed_text(hid_t object, const char* name, const std::string& text, std::size_t capacity);

/// Both write over the old value without moving anything in the file, so that a kill cannot break its
/// structure. A text beyond the capacity is cut, with "..." at its end.
void update_fixed_text(hid_t object, const char* name, const std::string& text);
void update_integer(hid_t object, const char* name, std::int64_t value);

/// Reads texts of fixed or variable length.
std::string read_text(hid_t object, const char* name);
std::vector<std::string> read_texts(hid_t object, const char* name);
std::int64_t read_integer(hid_t object, const char* name);

}  // namespace rodeo
