#include "description.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/member/status.hpp"
#include "rodeo/output/hdf5_handle.hpp"

#include "attributes.hpp"
#include "datasets.hpp"
#include "layout.hpp"
#include "long_names.hpp"
#include "study_tables.hpp"

namespace rodeo {

namespace {

/// An attribute with a zero behind its text, by which HDF5 knows scales.
void create_terminated_text(hid_t object, const char* name, const std::string& text) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "cannot make a text type");
  hdf5_check(H5Tset_size(type.get(), text.size() + 1), "cannot size a text type");
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, "cannot make a scalar");
  const Hdf5Handle attribute(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose, "cannot create an attribute");
  hdf5_check(H5Awrite(attribute.get(), type.get(), text.c_str()), "cannot write an attribute");
}

/// The dimension scales of a file, at its root, where all groups see them.
class Scales {
 public:
  explicit Scales(hid_t file) : file_(file) {}

  /// Says which scale each dimension of a dataset has. Written here instead of by H5DSattach_scale, whose
  /// list of those that use a scale has bytes that mean nothing, other ones in each file.
  void attach(const std::string& path, const std::vector<std::string>& names) {
    const Hdf5Handle dataset = open_dataset(file_, path);
    const std::vector<hsize_t> extent = extent_of(dataset.get());
    if (extent.size() != names.size()) throw Hdf5Error("dimensions of " + path + " are misnamed");
    std::vector<hobj_ref_t> references;
    for (std::size_t k = 0; k < names.size(); ++k) references.push_back(scale(names[k], extent[k]));
    std::vector<hvl_t> entries;
    for (hobj_ref_t& reference : references) entries.push_back({1, &reference});
    const Hdf5Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "cannot make a type of references");
    const hsize_t count = entries.size();
    const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "cannot make a shape");
    const Hdf5Handle attribute(
        H5Acreate2(dataset.get(), "DIMENSION_LIST", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose, "cannot name dimensions");
    hdf5_check(H5Awrite(attribute.get(), type.get(), entries.data()), "cannot name dimensions");
  }

 private:
  /// A dimension without values of its own, as netCDF has them, made when it is first asked for.
  hobj_ref_t scale(const std::string& name, hsize_t length) {
    const std::string path = "/" + name;
    if (!lengths_.contains(name)) {
      lengths_[name] = length;
      const Hdf5Handle dataset = create_unwritten_dataset(file_, path, H5T_IEEE_F32LE, length);
      char text[80];
      std::snprintf(text, sizeof text, "This is a netCDF dimension but not a netCDF variable.%10llu",
                    static_cast<unsigned long long>(length));
      create_terminated_text(dataset.get(), "CLASS", "DIMENSION_SCALE");
      create_terminated_text(dataset.get(), "NAME", text);
    }
    if (lengths_[name] != length) throw Hdf5Error("dimension " + name + " has two lengths");
    hobj_ref_t reference{};
    hdf5_check(H5Rcreate(&reference, file_, path.c_str(), H5R_OBJECT, -1), "cannot refer to a dimension");
    return reference;
  }

  hid_t file_;
  std::map<std::string, hsize_t> lengths_;
};

std::vector<std::string> dimensions_of(const FieldFormat& field, const EnsembleSchema& schema) {
  const std::string components = field.name + "_component";
  if (field.points > 0) return {"member", "data_point", components};
  if (!field.of_nodes) return {"member", "frame"};
  if (field.modes > 0) {
    return schema.ragged() ? std::vector<std::string>{"mode_row", components}
                           : std::vector<std::string>{"member", "mode", "node", components};
  }
  return schema.ragged() ? std::vector<std::string>{"row", components}
                         : std::vector<std::string>{"member", "frame", "node", components};
}

/// Says what a dataset holds and in which unit, by the names of netCDF's conventions.
void describe(hid_t file, const std::string& path, std::string_view unit) {
  const Hdf5Handle dataset = open_dataset(file, path);
  create_text(dataset.get(), "long_name", long_name(path));
  if (!unit.empty()) create_text(dataset.get(), "units", std::string(unit));
}

/// The words of the statuses, as the conventions of climate and forecast files have flags.
void name_statuses(hid_t dataset) {
  std::array<std::uint8_t, member_status_count> values{};
  std::string meanings;
  for (int k = 0; k < member_status_count; ++k) {
    values[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(k);
    std::string word(to_string(static_cast<MemberStatus>(k)));
    std::ranges::replace(word, ' ', '_');
    meanings.append(k > 0 ? " " : "").append(word);
  }
  const hsize_t count = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "cannot make a shape");
  const Hdf5Handle attribute(
      H5Acreate2(dataset, "flag_values", H5T_STD_U8LE, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
      "cannot create an attribute");
  hdf5_check(H5Awrite(attribute.get(), H5T_NATIVE_UINT8, values.data()), "cannot write an attribute");
  create_text(dataset, "flag_meanings", meanings);
}

/// Writes names as rows of characters, of which readers of netCDF make labels along a dimension.
void create_labels(hid_t file, Scales& scales, const std::string& path, const std::string& dimension,
                   const std::vector<std::string>& names) {
  if (names.empty()) return;
  const std::size_t width = stored_bytes(names) / names.size();
  std::string characters;
  for (const std::string& name : names) characters.append(name).append(width - name.size(), '\0');
  const Hdf5Handle type = text_type(1);
  const Hdf5Handle dataset = create_dataset(file, path, type.get(), {names.size(), width}, false);
  hdf5_check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data()),
             "cannot write names");
  create_text(dataset.get(), "_Encoding", "utf-8");
  scales.attach(path, {dimension, dimension + "_name_character"});
  describe(file, path, "");
}

/// Unit of a column of members; empty for a matrix whose numbers differ in unit.
std::string_view unit_of_column(const ColumnFormat& format) {
  const std::string_view path = format.path;
  if (path == "/members/wall_seconds" || path == "/trajectories/time") return "s";
  return format.matrix ? "" : "1";
}

/// The units of numbers that belong to parameters or observables of these names; none if one does not.
std::vector<std::string> units_of(const std::vector<std::string>& names, const EnsembleSchema& schema) {
  std::vector<std::string> units;
  for (const std::string& name : names) {
    const auto find = [&](const std::vector<std::string>& known, const std::vector<std::string>& its_units) {
      const auto place = static_cast<std::size_t>(std::ranges::find(known, name) - known.begin());
      if (place < known.size()) units.push_back(its_units[place]);
      return place < known.size();
    };
    if (!find(schema.parameter_names, schema.parameter_units) &&
        !find(schema.observable_names, schema.observable_units)) {
      return {};
    }
  }
  return units;
}

void describe_table(hid_t file, const Table& table, const EnsembleSchema& schema, Scales& scales) {
  const std::string row = table.name + "_row";
  for (const TableColumn& column : table.columns) {
    const std::string path = table_path(table, column.name);
    std::vector<std::string> names = {row};
    if (column.width) names.push_back(table.name + "_" + column.name + "_entry");
    scales.attach(path, names);
    describe(file, path, column.unit);
    const std::vector<std::string> units = units_of(column.names, schema);
    if (column.unit.empty() && !units.empty()) {
      create_texts(open_dataset(file, path).get(), "units", units);
    }
  }
  const std::string commit = table_path(table, "commit");
  scales.attach(commit, {row});
  describe(file, commit, "1");
}

}  // namespace

void describe_datasets(hid_t file, const EnsembleSchema& schema) {
  Scales scales(file);
  for (const ColumnFormat& format : column_formats(schema)) {
    const std::string path = format.path;
    std::vector<std::string> names = {"member"};
    if (format.matrix) {
      names.emplace_back(path.ends_with("/parameters")    ? "parameter"
                         : path.ends_with("/observables") ? "observable"
                                                          : "frame");
    }
    scales.attach(path, names);
    describe(file, path, unit_of_column(format));
  }
  name_statuses(open_dataset(file, "/members/status").get());
  const auto label = [&](const char* path, const std::string& dimension,
                         const std::vector<std::string>& names) {
    create_labels(file, scales, path, dimension, names);
    create_text(open_dataset(file, "/members/" + dimension + "s").get(), "coordinates",
                "candidate " + std::string(schema.scenario.empty() ? "" : "scenario ") +
                    "repeat seed status" + (names.empty() ? "" : " " + dimension + "_name"));
  };
  label(parameter_labels_path, "parameter", schema.parameter_names);
  label(observable_labels_path, "observable", schema.observable_names);
  scales.attach(commit_path, {"member"});
  describe(file, commit_path, "1");
  for (const FieldFormat& field : schema.fields) {
    const std::string path = field_path(field);
    scales.attach(path, dimensions_of(field, schema));
    describe(file, path, field.unit);
    const bool in_time = field.of_nodes && field.modes == 0 && !schema.ragged();
    if (in_time) create_text(open_dataset(file, path).get(), "coordinates", "time");
  }
  const auto describe_count = [&](const char* path, const std::vector<std::string>& dimensions) {
    if (H5Lexists(file, path, H5P_DEFAULT) <= 0) return;
    scales.attach(path, dimensions);
    describe(file, path, "1");
  };
  describe_count(scenario_path, {"member"});
  describe_count(nodes_path, {"member"});
  describe_count(offset_path, {"member"});
  describe_count(rod_nodes_path, {"member", "rod"});
  describe_count(rod_numbers_path, {"member", "rod"});
  for (const Table& table : schema.tables) describe_table(file, table, schema, scales);
  scales.attach("/running", {"running_entry"});
  describe(file, "/running", "");
  describe(file, deck_path, "");
}

}  // namespace rodeo
