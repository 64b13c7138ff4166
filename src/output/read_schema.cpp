#include "read_schema.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

#include "rodeo/observe/trajectory_fields.hpp"
#include "rodeo/output/file_records.hpp"

#include "attributes.hpp"
#include "datasets.hpp"
#include "layout.hpp"
#include "seal.hpp"
#include "study_tables.hpp"

namespace rodeo {

namespace {

std::string read_deck(hid_t file) {
  const Hdf5Handle dataset = open_dataset(file, deck_path);
  check_storage(file, dataset.get(), deck_path);
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose, "cannot read a type");
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 ||
      !extent_of(dataset.get()).empty()) {
    throw Hdf5Error("the deck is not one text");
  }
  hsize_t file_bytes = 0;
  hdf5_check(H5Fget_filesize(file, &file_bytes), "cannot read the file's size");
  if (H5Tget_size(type.get()) > file_bytes) throw Hdf5Error("the size of the deck makes no sense");
  std::string deck(H5Tget_size(type.get()), '\0');
  hdf5_check(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, deck.data()),
             "cannot read the deck");
  deck.resize(std::min(deck.find('\0'), deck.size()));
  return deck;
}

std::vector<std::string> read_names(hid_t file, const char* path, const char* attribute,
                                    std::uint64_t count) {
  const Hdf5Handle dataset = open_dataset(file, path);
  std::vector<std::string> names = read_texts(dataset.get(), attribute);
  if (names.size() != count)
    throw Hdf5Error(std::string(path) + " has not as many " + attribute + " as columns");
  return names;
}

std::vector<std::int32_t> read_nodes(hid_t file, std::uint64_t members) {
  check_dataset(file, nodes_path, H5T_STD_I32LE, {members});
  check_dataset(file, offset_path, H5T_STD_I64LE, {members});
  return read_values<std::int32_t>(file, nodes_path, H5T_NATIVE_INT32, members);
}

/// A number for each of all members' rods; empty if the file says nothing of them.
std::vector<std::int32_t> read_of_rods(hid_t file, const char* path, std::uint64_t members) {
  if (H5Lexists(file, path, H5P_DEFAULT) <= 0) return {};
  const hsize_t rods = sound_extent(file, path, 2)[1];
  check_dataset(file, path, H5T_STD_I32LE, {members, rods});
  return read_values<std::int32_t>(file, path, H5T_NATIVE_INT32, members * rods);
}

/// Number of modes whose shapes a file holds.
std::int32_t read_modes(hid_t file, const EnsembleSchema& schema) {
  const std::string path = field_path(mode_shapes_field(1));
  const std::uint64_t nodes = std::accumulate(schema.nodes.begin(), schema.nodes.end(), std::uint64_t{0});
  const hsize_t modes = !schema.ragged() ? sound_extent(file, path, 4)[1]
                        : nodes > 0      ? sound_extent(file, path, 2)[0] / nodes
                                         : 0;
  if (modes == 0 || modes > INT32_MAX) throw Hdf5Error("its number of modes makes no sense");
  return static_cast<std::int32_t>(modes);
}

/// Fields that a file stores, of all that it may hold.
std::vector<FieldFormat> read_fields(hid_t file, const EnsembleSchema& schema) {
  std::vector<FieldFormat> fields;
  const auto add_stored = [&](const FieldFormat& field) {
    if (H5Lexists(file, field_path(field).c_str(), H5P_DEFAULT) > 0) fields.push_back(field);
  };
  for (const TrajectoryField& field : trajectory_fields) {
    add_stored({std::string(field.name), std::string(field.unit), field.components});
  }
  if (H5Lexists(file, frame_observables_path, H5P_DEFAULT) > 0) {
    for (std::size_t k = 0; k < schema.observable_names.size(); ++k) {
      add_stored({schema.observable_names[k], schema.observable_units[k], 1, false});
    }
  }
  if (const std::string path = field_path(at_data_field(1)); H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0) {
    const hsize_t points = sound_extent(file, path, 3)[1];
    if (points == 0 || points > INT32_MAX) throw Hdf5Error("its number of data points makes no sense");
    fields.push_back(at_data_field(static_cast<std::int32_t>(points)));
  }
  if (H5Lexists(file, field_path(mode_shapes_field(1)).c_str(), H5P_DEFAULT) > 0) {
    fields.push_back(mode_shapes_field(read_modes(file, schema)));
  }
  return fields;
}

void check_offsets(hid_t file, const FieldLayout& layout, std::uint64_t members) {
  const auto offsets = read_values<std::uint64_t>(file, offset_path, H5T_NATIVE_UINT64, members);
  if (!std::equal(offsets.begin(), offsets.end(), layout.offsets().begin())) {
    throw Hdf5Error("the members' offsets do not fit their node counts");
  }
}

void require_readable(hid_t file) {
  const htri_t named = H5Aexists(file, "schema");
  if (named < 0) throw_hdf5_error("is damaged: cannot read its attributes");
  if (named == 0) throw Hdf5Error("is an HDF5 file but not a " + std::string(schema_name));
  const std::string name = read_text(file, "schema");
  if (name != schema_name) {
    throw Hdf5Error("holds a \"" + name + "\", not a \"" + std::string(schema_name) + "\"");
  }
  const std::int64_t version = read_integer(file, "schema_version");
  if (version != schema_version) {
    throw Hdf5Error("has schema version " + std::to_string(version) + ", this program reads version " +
                    std::to_string(schema_version));
  }
}

EnsembleSchema read_checked(hid_t file) {
  // Datasets that are read several times: opening one that is open takes a fifth of the time.
  const std::array open{open_dataset(file, commit_path), open_dataset(file, "/members/parameters"),
                        open_dataset(file, "/members/observables"), open_dataset(file, deck_path)};
  EnsembleSchema schema;
  schema.members = sound_extent(file, commit_path, 1)[0];
  const std::uint64_t parameters = sound_extent(file, "/members/parameters", 2)[1];
  const std::uint64_t observables = sound_extent(file, "/members/observables", 2)[1];
  const std::int64_t frames = read_integer(file, "frames");
  if (schema.members == 0 || frames < 0 || frames > INT32_MAX) throw Hdf5Error("its counts make no sense");
  schema.frames = static_cast<int>(frames);
  schema.deck = read_deck(file);
  schema.single_precision = read_text(file, "precision") == "float";
  schema.parameter_names = read_names(file, "/members/parameters", "names", parameters);
  const bool words = H5Aexists_by_name(file, "/members/parameters", "words", H5P_DEFAULT) > 0;
  schema.parameter_words = words ? read_names(file, "/members/parameters", "words", parameters)
                                 : std::vector<std::string>(parameters);
  if (H5Aexists_by_name(file, "/members/parameters", "units", H5P_DEFAULT) > 0)
    schema.parameter_units = read_names(file, "/members/parameters", "units", parameters);
  schema.observable_names = read_names(file, "/members/observables", "names", observables);
  schema.observable_units = read_names(file, "/members/observables", "units", observables);
  if (H5Aexists_by_name(file, "/members/observables", "definitions", H5P_DEFAULT) > 0) {
    const Hdf5Handle dataset = open_dataset(file, "/members/observables");
    schema.observable_definitions = read_texts(dataset.get(), "definitions");
  }

  if (H5Lexists(file, scenario_path, H5P_DEFAULT) > 0) {
    check_dataset(file, scenario_path, H5T_STD_U32LE, {schema.members});
    schema.scenario = read_values<std::uint32_t>(file, scenario_path, H5T_NATIVE_UINT32, schema.members);
    schema.scenario_parameters = read_texts(open_dataset(file, scenario_path).get(), "keys").size();
  }
  const bool ragged = H5Lexists(file, nodes_path, H5P_DEFAULT) > 0;
  if (ragged) {
    schema.nodes = read_nodes(file, schema.members);
  } else if (frames > 0) {
    const hsize_t nodes = sound_extent(file, field_path(schema.fields.front()), 4)[2];
    if (nodes > INT32_MAX) throw Hdf5Error("its node count makes no sense");
    schema.nodes = {static_cast<std::int32_t>(nodes)};
  }
  schema.rod_nodes = read_of_rods(file, rod_nodes_path, schema.members);
  schema.rod_numbers = read_of_rods(file, rod_numbers_path, schema.members);
  schema.fields = read_fields(file, schema);
  schema = normalized(schema);
  if (ragged != schema.ragged()) throw Hdf5Error("its node counts make no sense");

  if (ragged) check_offsets(file, FieldLayout(schema, schema.fields.front()), schema.members);
  for (const ColumnFormat& format : column_formats(schema)) {
    std::vector<hsize_t> extent{schema.members};
    if (format.matrix) extent.push_back(format.entries_per_row);
    check_dataset(file, format.path, format.type, extent);
  }
  check_dataset(file, commit_path, H5T_STD_U64LE, {schema.members});
  for (const FieldFormat& field : schema.fields) {
    const FieldLayout layout(schema, field);
    check_dataset(file, field_path(field), layout.type(), layout.extent());
  }
  schema.tables = read_tables(file);
  require_unbroken_seals(file);
  return schema;
}

}  // namespace

EnsembleSchema read_schema(hid_t file, const std::string& path) {
  try {
    require_readable(file);
  } catch (const Hdf5Error& error) {
    throw FileError(path + " " + error.what());
  }
  try {
    return read_checked(file);
  } catch (const Hdf5Error& error) {
    throw FileError(path + " is damaged: " + error.what());
  } catch (const std::invalid_argument& error) {
    throw FileError(path + " is damaged: " + error.what());
  }
}

}  // namespace rodeo
