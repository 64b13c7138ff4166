#include "dimensions.hpp"

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "rodeo/output/hdf5_handle.hpp"

#include "attributes.hpp"
#include "datasets.hpp"
#include "layout.hpp"
#include "sound_datasets.hpp"

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
      char text[64];
      std::snprintf(text, sizeof text, "This is a netCDF dimension without variable. %10llu",
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

}  // namespace

void name_dimensions(hid_t file, const EnsembleSchema& schema) {
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
  }
  scales.attach(commit_path, {"member"});
  for (const char* const path : {"/members/wall_seconds", "/trajectories/time"})
    create_text(open_dataset(file, path).get(), "units", "s");
  for (const FieldFormat& field : schema.fields) {
    scales.attach(field_path(field), dimensions_of(field, schema));
    create_text(open_dataset(file, field_path(field)).get(), "units", field.unit);
  }
  if (schema.ragged()) {
    scales.attach(nodes_path, {"member"});
    scales.attach(offset_path, {"member"});
  }
  if (!schema.rod_nodes.empty()) scales.attach(rod_nodes_path, {"member", "rod"});
  if (!schema.rod_numbers.empty()) scales.attach(rod_numbers_path, {"member", "rod"});
}

}  // namespace rodeo
