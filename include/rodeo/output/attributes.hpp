#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <hdf5.h>

#include "rodeo/output/hdf5_handle.hpp"

namespace rodeo {

/// A UTF-8 text of at most `size` bytes.
Hdf5Handle text_type(std::size_t size);

// Attributes as plain h5py reads them: texts as str, numbers as numpy scalars.

void create_text(hid_t object, const char* name, const std::string& text);
void create_texts(hid_t object, const char* name, const std::vector<std::string>& texts);
void create_integer(hid_t object, const char* name, std::int64_t value);

/// A text of fixed capacity (h5py: bytes), which update_fixed_text can replace in place.
void create_fixed_text(hid_t object, const char* name, const std::string& text, std::size_t capacity);

/// Both write over the old value without moving anything in the file, so that a kill cannot break its
/// structure. A text beyond the capacity is cut, with "..." at its end.
void update_fixed_text(hid_t object, const char* name, const std::string& text);
void update_integer(hid_t object, const char* name, std::int64_t value);

/// Reads either kind of text.
std::string read_text(hid_t object, const char* name);
std::vector<std::string> read_texts(hid_t object, const char* name);
std::int64_t read_integer(hid_t object, const char* name);

}  // namespace rodeo
