#include "rodeo/output/export_member.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <sstream>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include <hdf5.h>

#include "rodeo/input/command_line.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/output/hdf5_handle.hpp"

#include "attributes.hpp"
#include "datasets.hpp"
#include "open_serial.hpp"
#include "temporary_file.hpp"

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
  create_filled(file, path, type, memory_type<Value>(), extent, values.data());
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

void describe(hid_t file, std::size_t frames) {
  const Hdf5Handle group(H5Gopen2(file, root.c_str(), H5P_DEFAULT), H5Gclose, "cannot open a group");
  const Hdf5Handle steps(H5Gopen2(group.get(), "Steps", H5P_DEFAULT), H5Gclose, "cannot open a group");
  const std::int64_t version[] = {2, 0};
  create_attribute(group.get(), "Version", H5T_STD_I64LE, H5T_NATIVE_INT64, version, 2);
  const std::string kind = "UnstructuredGrid";
  const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose, "cannot make a type");
  hdf5_check(H5Tset_size(text.get(), kind.size()), "cannot size a type");
  hdf5_check(H5Tset_strpad(text.get(), H5T_STR_NULLPAD), "cannot pad a type");
  create_attribute(group.get(), "Type", text.get(), text.get(), kind.data());
  const auto count = static_cast<std::int64_t>(frames);
  create_attribute(steps.get(), "NSteps", H5T_STD_I64LE, H5T_NATIVE_INT64, &count);
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

/// The file of the frames of a member that it reached, as an unstructured grid of polylines, one for each
/// rod, that goes through time (VTKHDF 2.0, as the documentation of VTK defines it). The lines are there once
/// for all frames. Fields of nodes are point data, the numbers of the rods cell data, observables field data.
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

/// Whether a file holds rods as vtkhdf_bytes() has them.
bool is_vtkhdf(hid_t file) {
  for (const char* const part : {"", "/CellData", "/CellData/rod"}) {
    if (H5Lexists(file, (root + part).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return true;
}

/// "velocity_x", …; the name alone where there is one component.
std::vector<std::string> column_names(const FieldFormat& field) {
  if (field.name == "position") return {"x", "y", "z"};
  if (field.components == 1) return {field.name};
  std::vector<std::string> names;
  for (const char letter : std::string(field.components == 4 ? "wxyz" : "xyz")) {
    names.push_back(field.name + '_' + letter);
  }
  return names;
}

/// A line of names, and one for each node of each frame.
std::string csv_text(const EnsembleSchema& schema, const MemberRow& row) {
  const std::vector<std::int32_t> rods = schema.rod_nodes_of(row.member);
  const std::vector<std::int32_t> numbers = schema.rod_numbers_of(row.member);
  const bool several = !schema.rod_nodes.empty();
  std::ostringstream text;
  text.precision(17);
  text << (several ? "time,rod,node" : "time,node");
  for (const FieldFormat& field : schema.fields) {
    if (field.points > 0 || field.modes > 0) continue;
    for (const std::string& name : column_names(field)) text << ',' << name;
  }
  text << '\n';
  const auto nodes = static_cast<std::size_t>(schema.nodes_of(row.member));
  for (std::size_t frame = 0; frame < row.time.size(); ++frame) {
    if (!std::isfinite(row.time[frame])) continue;
    std::size_t entry = frame * nodes;
    for (std::size_t rod = 0; rod < rods.size(); ++rod) {
      for (std::int32_t node = 0; node < rods[rod]; ++node, ++entry) {
        text << row.time[frame] << ",";
        if (several) text << numbers[rod] << ",";
        text << node;
        for (std::size_t field = 0; field < schema.fields.size(); ++field) {
          if (schema.fields[field].points > 0 || schema.fields[field].modes > 0) continue;
          const auto components = static_cast<std::size_t>(schema.fields[field].components);
          const std::size_t place = schema.fields[field].of_nodes ? entry * components : frame;
          for (std::size_t c = 0; c < components; ++c) text << ',' << row.fields[field][place + c];
        }
        text << '\n';
      }
    }
  }
  return text.str();
}

/// Whether the file at a path begins with the first line of a text.
bool begins_like(const std::string& path, const std::string& text) {
  const std::string line = text.substr(0, text.find('\n') + 1);
  std::string found(line.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(found.data(), static_cast<std::streamsize>(found.size())) && found == line;
}

bool holds_vtkhdf(const std::string& path) {
  silence_hdf5();
  const BreakdownGuard guard(path);
  try {
    return is_vtkhdf(open_serial(path, H5F_ACC_RDONLY).get());
  } catch (const FileError&) {
    return false;
  }
}

/// Writes a file, in place of one of the same kind. Throws FileError if something else stands there.
void replace_export(const std::string& path, const std::string& bytes,
                    const std::function<bool(const std::string& path)>& is_ours) {
  std::error_code error;
  const bool free = !std::filesystem::exists(std::filesystem::symlink_status(path, error));
  const bool regular = std::filesystem::is_regular_file(path, error);
  if (!free && !(regular && (std::filesystem::file_size(path, error) == 0 || is_ours(path))))
    throw FileError(path + " is there already and is no such export: it is left as it is; move it away");
  TemporaryFile::remove_leftovers(path);
  TemporaryFile file(path);
  file.write(bytes);
  file.publish();
}

}  // namespace

std::string export_member(const EnsembleReader& reader, const std::string& path, std::uint64_t member,
                          const std::string& format) {
  const EnsembleSchema& schema = reader.schema();
  if (std::ranges::find(export_formats, format) == export_formats.end())
    throw FileError("cannot export " + format + ": use " + export_format_list);
  if (member >= schema.members) {
    throw FileError("there is no member " + std::to_string(member) + " in " + path + ", which has " +
                    std::to_string(schema.members) + ", counted from 0");
  }
  if (schema.frames == 0) throw FileError(path + " has no trajectories (output.frames = 0)");
  const MemberRow row = reader.read_member(member);
  if (row.status == MemberStatus::pending) {
    throw FileError("member " + std::to_string(member) + " of " + path + " is not finished yet");
  }
  const std::filesystem::path data_file(path);
  const std::string target =
      (data_file.parent_path() / data_file.stem()).string() + "_member_" + std::to_string(member);
  if (format == "csv") {
    const std::string text = csv_text(schema, row);
    replace_export(target + ".csv", text, [&](const auto& there) { return begins_like(there, text); });
    return target + ".csv";
  }
  try {
    // ParaView 5.11 knows it by this ending.
    replace_export(target + ".hdf", vtkhdf_bytes(schema, row), holds_vtkhdf);
  } catch (const Hdf5Error& error) {
    throw FileError("cannot export member " + std::to_string(member) + ": " + error.what());
  }
  return target + ".hdf";
}

}  // namespace rodeo
