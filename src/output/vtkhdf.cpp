#include "vtkhdf.hpp"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "datasets.hpp"
#include "open_serial.hpp"

namespace rodeo {

namespace {

/// A new file of HDF5 that is in memory alone: no disk is full while HDF5 writes it, which does not get over
/// that.
class FileInMemory {
 public:
  hid_t get() const { return file_.get(); }

  /// All bytes of the file.
  std::string bytes() const {
    hdf5_check(H5Fflush(get(), H5F_SCOPE_GLOBAL), "cannot write it");
    // Copied as it is: H5Fget_file_image() clears a flag and leaves the checksum that was made with it.
    hsize_t size = 0;
    void* memory = nullptr;
    hdf5_check(H5Fget_filesize(get(), &size), "cannot write it");
    hdf5_check(H5Fget_vfd_handle(get(), H5P_DEFAULT, &memory), "cannot write it");
    return {*static_cast<const char* const*>(memory), static_cast<std::size_t>(size)};
  }

 private:
  static Hdf5Handle access() {
    constexpr std::size_t increment = std::size_t{1} << 20;
    Hdf5Handle properties = unlocked_access();
    hdf5_check(H5Pset_fapl_core(properties.get(), increment, false), "cannot keep it in memory");
    return properties;
  }

  Hdf5Handle file_ = create_file("in memory", access().get());
};

template <class Value>
hid_t memory_type() {
  if constexpr (std::is_same_v<Value, double>) return H5T_NATIVE_DOUBLE;
  return std::is_same_v<Value, std::int64_t> ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT8;
}

/// Creates a dataset and writes all of it.
template <class Value>
void put(hid_t file, const std::string& path, hid_t type, const std::vector<hsize_t>& extent,
         const std::vector<Value>& values) {
  const Hdf5Handle dataset = create_dataset(file, path, type, extent, false);
  hdf5_check(H5Dwrite(dataset.get(), memory_type<Value>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
             "cannot write a dataset");
}

constexpr std::uint8_t polyline = 4;  // VTK_POLY_LINE
const std::string root = "/VTKHDF";

void put_numbers(hid_t file, const std::string& path, const std::vector<std::int64_t>& numbers) {
  put(file, path, H5T_STD_I64LE, {numbers.size()}, numbers);
}

/// Offset of each frame's entries: `step` for each frame before it, or 0 if all frames share them.
std::vector<std::int64_t> offsets(std::size_t frames, std::size_t step) {
  std::vector<std::int64_t> numbers(frames);
  for (std::size_t k = 0; k < frames; ++k) numbers[k] = static_cast<std::int64_t>(k * step);
  return numbers;
}

void put_attribute(hid_t group, const char* name, hid_t type, hid_t memory, hid_t space, const void* value) {
  const Hdf5Handle attribute(H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                             "cannot create an attribute");
  hdf5_check(H5Awrite(attribute.get(), memory, value), "cannot write an attribute");
}

void describe(hid_t file, std::size_t frames) {
  const Hdf5Handle group(H5Gopen2(file, root.c_str(), H5P_DEFAULT), H5Gclose, "cannot open a group");
  const Hdf5Handle steps(H5Gopen2(group.get(), "Steps", H5P_DEFAULT), H5Gclose, "cannot open a group");
  const Hdf5Handle scalar(H5Screate(H5S_SCALAR), H5Sclose, "cannot shape an attribute");
  const hsize_t two = 2;
  const Hdf5Handle pair(H5Screate_simple(1, &two, nullptr), H5Sclose, "cannot shape an attribute");
  const std::int64_t version[] = {2, 0};
  put_attribute(group.get(), "Version", H5T_STD_I64LE, H5T_NATIVE_INT64, pair.get(), version);
  const std::string kind = "UnstructuredGrid";
  const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose, "cannot make a type");
  hdf5_check(H5Tset_size(text.get(), kind.size()), "cannot size a type");
  hdf5_check(H5Tset_strpad(text.get(), H5T_STR_NULLPAD), "cannot pad a type");
  put_attribute(group.get(), "Type", text.get(), text.get(), scalar.get(), kind.data());
  const auto count = static_cast<std::int64_t>(frames);
  put_attribute(steps.get(), "NSteps", H5T_STD_I64LE, H5T_NATIVE_INT64, scalar.get(), &count);
}

/// Writes one part, whose cells are those of every frame.
void put_lines(hid_t file, const EnsembleSchema& schema, std::uint64_t member) {
  const std::vector<std::int32_t> rods = schema.rod_nodes_of(member);
  const std::vector<std::int32_t> numbers = schema.rod_numbers_of(member);
  std::vector<std::int64_t> begins{0};
  for (const std::int32_t rod : rods) begins.push_back(begins.back() + rod);
  std::vector<std::int64_t> nodes(static_cast<std::size_t>(begins.back()));
  std::iota(nodes.begin(), nodes.end(), std::int64_t{0});
  put_numbers(file, root + "/NumberOfPoints", {begins.back()});
  put_numbers(file, root + "/NumberOfCells", {static_cast<std::int64_t>(rods.size())});
  put_numbers(file, root + "/NumberOfConnectivityIds", {begins.back()});
  put_numbers(file, root + "/Offsets", begins);
  put_numbers(file, root + "/Connectivity", nodes);
  put(file, root + "/Types", H5T_STD_U8LE, {rods.size()}, std::vector(rods.size(), polyline));
  put_numbers(file, root + "/CellData/rod", {numbers.begin(), numbers.end()});
}

}  // namespace

std::string vtkhdf_bytes(const EnsembleSchema& schema, const MemberRow& row) {
  const FileInMemory file;
  for (const char* const group :
       {"", "/PointData", "/CellData", "/FieldData", "/Steps", "/Steps/PointDataOffsets",
        "/Steps/CellDataOffsets", "/Steps/FieldDataOffsets", "/Steps/FieldDataSizes"}) {
    create_group(file.get(), root + group);
  }
  std::vector<std::size_t> reached;
  std::vector<double> time;
  for (std::size_t frame = 0; frame < row.time.size(); ++frame) {
    if (!std::isfinite(row.time[frame])) continue;
    reached.push_back(frame);
    time.push_back(row.time[frame]);
  }
  describe(file.get(), reached.size());
  put_lines(file.get(), schema, row.member);
  const std::string steps = root + "/Steps";
  const auto nodes = static_cast<std::size_t>(schema.nodes_of(row.member));
  const std::vector<std::int64_t> from_start = offsets(reached.size(), 0);
  put(file.get(), steps + "/Values", H5T_IEEE_F64LE, {time.size()}, time);
  put_numbers(file.get(), steps + "/PartOffsets", from_start);
  put_numbers(file.get(), steps + "/NumberOfParts", std::vector<std::int64_t>(reached.size(), 1));
  put_numbers(file.get(), steps + "/PointOffsets", offsets(reached.size(), nodes));
  for (const char* const same : {"/CellOffsets", "/ConnectivityIdOffsets"}) {
    put(file.get(), steps + same, H5T_STD_I64LE, {reached.size(), 1}, from_start);
  }
  put_numbers(file.get(), steps + "/CellDataOffsets/rod", from_start);
  const hid_t number = schema.single_precision ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
  for (std::size_t k = 0; k < schema.fields.size(); ++k) {
    const FieldFormat& field = schema.fields[k];
    if (field.points > 0 || field.modes > 0) continue;
    const auto components = static_cast<std::size_t>(field.components);
    const std::size_t size = (field.of_nodes ? nodes : 1) * components;
    std::vector<double> values;
    values.reserve(reached.size() * size);
    for (const std::size_t frame : reached) {
      const auto begin = row.fields[k].begin() + static_cast<std::ptrdiff_t>(frame * size);
      values.insert(values.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
    if (!field.of_nodes) {
      put(file.get(), root + "/FieldData/" + field.name, H5T_IEEE_F64LE, {values.size()}, values);
      put_numbers(file.get(), steps + "/FieldDataOffsets/" + field.name, offsets(reached.size(), 1));
      put(file.get(), steps + "/FieldDataSizes/" + field.name, H5T_STD_I64LE, {reached.size(), 2},
          std::vector<std::int64_t>(2 * reached.size(), 1));
      continue;
    }
    std::vector<hsize_t> extent{reached.size() * nodes};
    if (components > 1) extent.push_back(components);
    const bool places = field.name == "position";
    put(file.get(), root + (places ? "/Points" : "/PointData/" + field.name), number, extent, values);
    if (!places) {
      put_numbers(file.get(), steps + "/PointDataOffsets/" + field.name, offsets(reached.size(), nodes));
    }
  }
  return file.bytes();
}

bool is_vtkhdf(hid_t file) {
  for (const char* const part : {"", "/CellData", "/CellData/rod"}) {
    if (H5Lexists(file, (root + part).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return true;
}

}  // namespace rodeo
