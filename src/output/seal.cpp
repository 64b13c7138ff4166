#include "seal.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rodeo/output/hdf5_handle.hpp"

#include "attributes.hpp"
#include "datasets.hpp"
#include "layout.hpp"

namespace rodeo {

namespace {

constexpr const char* seal_name = "crc32";

constexpr std::array sealed_paths = {deck_path,        parameter_labels_path, observable_labels_path,
                                     nodes_path,       offset_path,           rod_nodes_path,
                                     rod_numbers_path, scenario_path};

/// CRC-32 remainders of all single bytes, by the reflected polynomial.
constexpr std::array<std::uint32_t, 256> remainders = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0xedb88320U : 0);
    table[byte] = remainder;
  }
  return table;
}();

std::uint32_t crc32(std::span<const std::byte> bytes) {
  std::uint32_t remainder = ~std::uint32_t{0};
  for (const std::byte byte : bytes) {
    remainder = remainders[(remainder ^ std::to_integer<std::uint32_t>(byte)) & 0xff] ^ (remainder >> 8);
  }
  return ~remainder;
}

std::uint32_t crc32_of(hid_t dataset, const char* path) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, "cannot read a type");
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, "cannot read a shape");
  const auto entries =
      static_cast<std::size_t>(hdf5_check(H5Sget_simple_extent_npoints(space.get()), "cannot read a shape"));
  std::vector<std::byte> bytes(entries * H5Tget_size(type.get()));
  if (H5Dread(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    throw_hdf5_error(std::string("cannot read ") + path);
  return crc32(bytes);
}

}  // namespace

void seal(hid_t file) {
  for (const char* const path : sealed_paths) {
    if (H5Lexists(file, path, H5P_DEFAULT) <= 0) continue;
    const Hdf5Handle dataset = open_dataset(file, path);
    create_integer(dataset.get(), seal_name, crc32_of(dataset.get(), path));
  }
}

void require_unbroken_seals(hid_t file) {
  for (const char* const path : sealed_paths) {
    if (H5Lexists(file, path, H5P_DEFAULT) <= 0) continue;
    const Hdf5Handle dataset = open_dataset(file, path);
    if (H5Aexists(dataset.get(), seal_name) <= 0) continue;
    if (read_integer(dataset.get(), seal_name) == std::int64_t{crc32_of(dataset.get(), path)}) continue;
    throw Hdf5Error(std::string(path) + " is not as it was written: its checksum is another");
  }
}

}  // namespace rodeo
