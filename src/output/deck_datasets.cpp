#include "rodeo/output/deck_datasets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "rodeo/input/number_text.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/file_records.hpp"

#include "datasets.hpp"
#include "open_serial.hpp"

namespace rodeo {

namespace {

/// What `read` finds in a file. Throws FileError with one sentence where it cannot.
template <class Read>
auto found_in(const std::string& path, const Read& read) {
  silence_hdf5();
  const BreakdownGuard guard(path);
  const Hdf5Handle file = open_serial(path, H5F_ACC_RDONLY);
  try {
    return read(file.get());
  } catch (const Hdf5Error& error) {
    throw FileError(path + ": " + error.what());
  }
}

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

constexpr hsize_t most_values = 1'000'000;

void read_all(hid_t dataset, hid_t type, const std::string& path, void* values) {
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    throw_hdf5_error("cannot read " + path);
}

std::vector<double> numbers_of(hid_t dataset, const std::string& path, std::size_t count) {
  std::vector<double> numbers(count);
  read_all(dataset, H5T_NATIVE_DOUBLE, path, numbers.data());
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(numbers[i])) {
      throw Hdf5Error("number " + std::to_string(i) + " of " + path + " is not finite");
    }
  }
  return numbers;
}

/// Texts of fixed length, or of the variable length that h5py gives them.
std::vector<std::string> texts_of(hid_t dataset, hid_t type, const std::string& path, std::size_t count) {
  std::vector<std::string> texts(count);
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> entries(count, nullptr);
    read_all(dataset, type, path, entries.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (entries[i] != nullptr) texts[i] = entries[i];
    }
    const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, "cannot read a shape");
    hdf5_check(H5Dvlen_reclaim(type, space.get(), H5P_DEFAULT, entries.data()), "cannot free texts");
    return texts;
  }
  const std::size_t size = H5Tget_size(type);
  if (size > 256) throw Hdf5Error(path + " holds texts too long for words");
  std::string buffer(size * count, '\0');
  read_all(dataset, type, path, buffer.data());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view entry = std::string_view(buffer).substr(i * size, size);
    texts[i] = trimmed(entry.substr(0, entry.find('\0')));
  }
  return texts;
}

void add_columns(hid_t file, const std::string& group, const std::string& name,
                 std::vector<SceneColumn>& columns) {
  const std::string path = group + "/" + name;
  const Hdf5Handle dataset = open_dataset(file, path);
  const std::vector<hsize_t> extent = extent_of(dataset.get());
  if (extent.empty() || extent.size() > 2) {
    throw Hdf5Error(path + " is not of shape [rods] or [rods, numbers of a rod]");
  }
  const hsize_t width = extent.size() == 2 ? extent[1] : 1;
  if (width > most_values || extent[0] > most_values / std::max<hsize_t>(1, width)) {
    throw Hdf5Error(path + " holds more than " + std::to_string(most_values) + " values");
  }
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose, "cannot read a type");
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind == H5T_STRING && extent.size() == 1) {
    columns.push_back({name, texts_of(dataset.get(), type.get(), path, extent[0])});
    return;
  }
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) throw Hdf5Error(path + " holds neither numbers nor words");
  const std::vector<double> numbers = numbers_of(dataset.get(), path, extent[0] * width);
  for (hsize_t k = 0; k < width; ++k) {
    SceneColumn& column = columns.emplace_back();
    column.key = extent.size() == 1 ? name : name + "[" + std::to_string(k) + "]";
    for (hsize_t rod = 0; rod < extent[0]; ++rod) {
      column.values.push_back(format_real(numbers[rod * width + k]));
    }
  }
}

/// A campaign's table has the rods of all candidates that have others.
void require_one_candidate(hid_t file, const std::string& path) {
  if (H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0) return;
  std::vector<SceneColumn> candidates;
  add_columns(file, path.substr(0, path.rfind('/')), path.substr(path.rfind('/') + 1), candidates);
  for (const SceneColumn& column : candidates) {
    if (std::ranges::adjacent_find(column.values, std::ranges::not_equal_to()) == column.values.end())
      continue;
    throw Hdf5Error(path + " names several candidates; take the file of one: rodeo best FILE --member K");
  }
}

std::vector<SceneColumn> read_columns(hid_t file, const std::string& group) {
  std::vector<SceneColumn> columns;
  const Hdf5Handle opened(H5Gopen2(file, group.c_str(), H5P_DEFAULT), H5Gclose, "there is no group " + group);
  const std::vector<std::string> names = names_in(opened.get());
  require_one_candidate(file, group + "/candidate");
  for (const std::string& name : names) {
    if (name.find('.') != std::string::npos) add_columns(file, group, name, columns);
  }
  return columns;
}

constexpr std::array<std::string_view, 4> state_fields = {"position", "orientation", "velocity",
                                                          "angular_velocity"};

/// Throws FileError if frames of the file do not hold whole states of all rods.
void require_states(const EnsembleSchema& schema, const std::string& path) {
  if (schema.frames == 0) {
    throw FileError(path +
                    " holds no frames, in which a state could stand: give its deck output.frames = 2 or more "
                    "and output.fields = velocity, orientation, angular_velocity");
  }
  std::string missing;
  for (const std::string_view name : state_fields) {
    if (std::ranges::find(schema.fields, name, &FieldFormat::name) != schema.fields.end()) continue;
    missing.append(missing.empty() ? "" : ", ").append(name);
  }
  if (missing.empty()) return;
  throw FileError("the frames of " + path + " hold no " + missing +
                  ", without which they are no whole states: give its deck output.fields = velocity, "
                  "orientation, angular_velocity");
}

/// The frame that is asked for: the last one that the member reached, or the one at a time.
std::size_t frame_of(const MemberRow& row, const StateSource& source, const std::string& name) {
  const auto reached = static_cast<std::size_t>(
      std::ranges::find_if(row.time, [](double t) { return std::isnan(t); }) - row.time.begin());
  if (reached == 0) throw FileError(name + " has no frame: it ended before its first one");
  if (!source.time) return reached - 1;
  const double interval = row.time.size() > 1 && reached > 1 ? row.time[1] - row.time[0] : 1.0;
  constexpr double rounding = 1e-6;  // of the time between frames
  std::size_t nearest = 0;
  for (std::size_t k = 1; k < reached; ++k) {
    if (std::abs(row.time[k] - *source.time) < std::abs(row.time[nearest] - *source.time)) nearest = k;
  }
  if (std::abs(row.time[nearest] - *source.time) <= rounding * interval) return nearest;
  throw FileError(name + " has no frame at " + format_real(*source.time) + " s; the nearest is at " +
                  format_real(row.time[nearest]) + " s, its last at " + format_real(row.time[reached - 1]) +
                  " s");
}

/// The numbers of a rod's nodes, or of its elements, which stand at their first nodes.
std::vector<double> numbers_of(const std::vector<double>& frame, std::size_t components,
                               std::size_t first_node, std::size_t count) {
  const auto begin = frame.begin() + static_cast<std::ptrdiff_t>(components * first_node);
  return {begin, begin + static_cast<std::ptrdiff_t>(components * count)};
}

}  // namespace

std::vector<double> read_shape_dataset(const std::string& path, const std::string& dataset,
                                       std::size_t most_nodes) {
  return found_in(path, [&](hid_t file) { return read_rows_of_three(file, dataset, most_nodes); });
}

std::vector<SceneColumn> read_scene_group(const std::string& path, const std::string& group) {
  return found_in(path, [&](hid_t file) { return read_columns(file, group); });
}

std::vector<RodNumbers> read_member_state(const StateSource& source) {
  const EnsembleReader reader(source.path);
  const EnsembleSchema& schema = reader.schema();
  if (source.member >= schema.members) {
    throw FileError(source.path + " has members 0 to " + std::to_string(schema.members - 1) + ", not " +
                    std::to_string(source.member));
  }
  require_states(schema, source.path);
  const std::string name = "member " + std::to_string(source.member) + " of " + source.path;
  const MemberRow row = reader.read_member(source.member);
  if (row.status == MemberStatus::pending) throw FileError(name + " is not finished");
  const std::vector<std::int32_t> numbers = schema.rod_numbers_of(source.member);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (numbers[k] == static_cast<std::int32_t>(k)) continue;
    throw FileError("the frames of " + source.path +
                    " hold some rods only, not whole states: give its deck output.rods = all");
  }
  const std::size_t frame = frame_of(row, source, name);
  std::array<std::vector<double>, state_fields.size()> fields;
  for (std::size_t k = 0; k < state_fields.size(); ++k) {
    const auto field = static_cast<std::size_t>(
        std::ranges::find(schema.fields, state_fields[k], &FieldFormat::name) - schema.fields.begin());
    const std::vector<double>& all = row.fields[field];
    const auto entries = static_cast<std::ptrdiff_t>(all.size() / row.time.size());
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(frame) * entries;
    fields[k].assign(begin, begin + entries);
    if (std::ranges::all_of(fields[k], [](double number) { return std::isfinite(number); })) continue;
    throw FileError(name + " has numbers that are not finite in that frame");
  }
  std::vector<RodNumbers> rods;
  std::size_t first = 0;
  for (const std::int32_t count : schema.rod_nodes_of(source.member)) {
    const auto nodes = static_cast<std::size_t>(count);
    rods.push_back({numbers_of(fields[0], 3, first, nodes), numbers_of(fields[1], 4, first, nodes - 1),
                    numbers_of(fields[2], 3, first, nodes), numbers_of(fields[3], 3, first, nodes - 1)});
    first += nodes;
  }
  return rods;
}

}  // namespace rodeo
