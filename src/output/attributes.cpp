#include "attributes.hpp"

#include <algorithm>

namespace rodeo {

namespace {

/// The longest text that is stored whole.
constexpr std::size_t longest_text = 32768;

Hdf5Handle open_attribute(hid_t object, const char* name) {
  return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose, "there is no attribute " + std::string(name)};
}

/// The text in so many bytes: with zeros at its end, or cut.
std::string fitted_to(std::string text, std::size_t capacity) {
  if (text.size() > capacity) text.replace(capacity - 3, std::string::npos, "...");
  text.resize(capacity, '\0');
  return text;
}

/// Reads all entries of a text attribute, of fixed or variable length.
std::vector<std::string> read_entries(hid_t attribute) {
  const Hdf5Handle type(H5Aget_type(attribute), H5Tclose, "cannot read an attribute's type");
  const Hdf5Handle space(H5Aget_space(attribute), H5Sclose, "cannot read an attribute's shape");
  if (H5Tget_class(type.get()) != H5T_STRING) throw Hdf5Error("an attribute that should be a text is not");
  const auto count = static_cast<std::size_t>(
      hdf5_check(H5Sget_simple_extent_npoints(space.get()), "cannot read an attribute's shape"));
  if (count > most_attribute_bytes) throw Hdf5Error("an attribute's size makes no sense");
  std::vector<std::string> texts(count);
  if (count == 0) return texts;
  // Other programs write texts of variable length.
  if (H5Tis_variable_str(type.get()) > 0) {
    std::vector<char*> entries(count, nullptr);
    hdf5_check(H5Aread(attribute, type.get(), entries.data()), "cannot read an attribute");
    for (std::size_t i = 0; i < count; ++i) {
      if (entries[i] != nullptr) texts[i] = entries[i];
    }
    hdf5_check(H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, entries.data()),
               "cannot free an attribute's texts");
    return texts;
  }
  const std::size_t size = H5Tget_size(type.get());
  if (size > most_attribute_bytes / count) throw Hdf5Error("an attribute's size makes no sense");
  std::string buffer(size * count, '\0');
  hdf5_check(H5Aread(attribute, type.get(), buffer.data()), "cannot read an attribute");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string entry = buffer.substr(i * size, size);
    texts[i] = entry.substr(0, entry.find('\0'));
  }
  return texts;
}

/// An attribute that is one integer as create_integer makes it: HDF5 breaks down when it converts to or from
/// a type that a damaged file describes.
Hdf5Handle open_integer(hid_t object, const char* name) {
  Hdf5Handle attribute = open_attribute(object, name);
  const Hdf5Handle space(H5Aget_space(attribute.get()), H5Sclose, "cannot read an attribute's shape");
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose, "cannot read an attribute's type");
  if (H5Tequal(type.get(), H5T_STD_I64LE) <= 0 || H5Sget_simple_extent_npoints(space.get()) != 1) {
    throw Hdf5Error("attribute " + std::string(name) + " is not one integer");
  }
  return attribute;
}

}  // namespace

Hdf5Handle text_type(std::size_t size) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "cannot make a text type");
  hdf5_check(H5Tset_size(type.get(), size), "cannot size a text type");
  hdf5_check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "cannot pad a text type");
  hdf5_check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "cannot make a text type UTF-8");
  return type;
}

std::uint64_t stored_bytes(const std::vector<std::string>& texts) { return padded(texts).size(); }

std::string padded(const std::vector<std::string>& texts) {
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  std::string all;
  for (const std::string& text : texts) all.append(text).append(width - text.size(), '\0');
  return all;
}

void create_attribute(hid_t object, const char* name, hid_t type, hid_t memory_type, const void* values,
                      std::optional<hsize_t> count) {
  const Hdf5Handle space(count ? H5Screate_simple(1, &*count, nullptr) : H5Screate(H5S_SCALAR), H5Sclose,
                         "cannot make a shape");
  const Hdf5Handle attribute(H5Acreate2(object, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                             "cannot create attribute " + std::string(name));
  if (count == hsize_t{0}) return;
  hdf5_check(H5Awrite(attribute.get(), memory_type, values), "cannot write an attribute");
}

void create_text(hid_t object, const char* name, const std::string& text) {
  create_fixed_text(object, name, text, std::clamp(text.size(), std::size_t{1}, longest_text));
}

void create_texts(hid_t object, const char* name, const std::vector<std::string>& texts) {
  const Hdf5Handle type = text_type(texts.empty() ? 1 : stored_bytes(texts) / texts.size());
  create_attribute(object, name, type.get(), type.get(), padded(texts).data(), texts.size());
}

void create_integer(hid_t object, const char* name, std::int64_t value) {
  create_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void create_fixed_text(hid_t object, const char* name, const std::string& text, std::size_t capacity) {
  const Hdf5Handle type = text_type(capacity);
  create_attribute(object, name, type.get(), type.get(), fitted_to(text, capacity).data());
}

void update_fixed_text(hid_t object, const char* name, const std::string& text) {
  const Hdf5Handle attribute = open_attribute(object, name);
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose, "cannot read an attribute's type");
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 ||
      H5Tget_size(type.get()) < 3) {
    throw Hdf5Error("attribute " + std::string(name) + " is not a text of fixed length");
  }
  hdf5_check(H5Awrite(attribute.get(), type.get(), fitted_to(text, H5Tget_size(type.get())).data()),
             "cannot write an attribute");
}

void update_integer(hid_t object, const char* name, std::int64_t value) {
  const Hdf5Handle attribute = open_integer(object, name);
  hdf5_check(H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value), "cannot write an attribute");
}

std::string read_text(hid_t object, const char* name) {
  const std::vector<std::string> texts = read_texts(object, name);
  if (texts.size() != 1) throw Hdf5Error("attribute " + std::string(name) + " is not one text");
  return texts[0];
}

std::vector<std::string> read_texts(hid_t object, const char* name) {
  const Hdf5Handle attribute = open_attribute(object, name);
  return read_entries(attribute.get());
}

std::int64_t read_integer(hid_t object, const char* name) {
  const Hdf5Handle attribute = open_integer(object, name);
  std::int64_t value = 0;
  hdf5_check(H5Aread(attribute.get(), H5T_NATIVE_INT64, &value), "cannot read an attribute");
  return value;
}

}  // namespace rodeo
