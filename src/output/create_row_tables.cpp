#include "rodeo/output/row_tables.hpp"

namespace rodeo {

namespace {

Hdf5Handle create_dataset(hid_t file, const char* path, hid_t type, const std::vector<hsize_t>& extent,
                          bool zero_filled) {
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose,
                         std::string("cannot shape ") + path);
  const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "cannot make properties");
  hdf5_check(H5Pset_layout(properties.get(), H5D_CONTIGUOUS), "cannot set a layout");
  hdf5_check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), "cannot set an allocation time");
  // Filling the payload would write the whole file twice.
  hdf5_check(H5Pset_fill_time(properties.get(), zero_filled ? H5D_FILL_TIME_ALLOC : H5D_FILL_TIME_NEVER),
             "cannot set a fill time");
  return {H5Dcreate2(file, path, type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Dclose,
          std::string("cannot create ") + path};
}

void create_group(hid_t file, const char* path) {
  Hdf5Handle(H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
             std::string("cannot create ") + path);
}

template <class Value>
void create_table(hid_t file, const char* path, hid_t file_type, hid_t memory_type,
                  const std::vector<Value>& values, const std::vector<hsize_t>& extent) {
  const Hdf5Handle dataset = create_dataset(file, path, file_type, extent, false);
  hdf5_check(H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
             "cannot write node tables");
}

}  // namespace

void create_row_tables(hid_t file, const EnsembleSchema& schema) {
  create_group(file, "/members");
  create_group(file, "/trajectories");
  for (const ColumnFormat& format : column_formats(schema)) {
    std::vector<hsize_t> extent{schema.members};
    if (format.matrix) extent.push_back(format.entries_per_row);
    create_dataset(file, format.path, format.type, extent, format.zero_filled);
  }
  create_dataset(file, commit_path, H5T_STD_U64LE, {schema.members}, true);
  for (const FieldFormat& field : schema.fields) {
    const FieldLayout layout(schema, field.components);
    create_dataset(file, field_path(field.name).c_str(), layout.type(), layout.extent(), false);
  }
  if (schema.ragged()) {
    create_table(file, nodes_path, H5T_STD_I32LE, H5T_NATIVE_INT32, schema.nodes, {schema.nodes.size()});
    // Signed, since numpy makes a float of an unsigned 64-bit number plus a signed one, which is no index.
    create_table(file, offset_path, H5T_STD_I64LE, H5T_NATIVE_UINT64, FieldLayout(schema, 1).offsets(),
                 {schema.nodes.size()});
  }
  if (!schema.rod_nodes.empty()) {
    create_table(file, rod_nodes_path, H5T_STD_I32LE, H5T_NATIVE_INT32, schema.rod_nodes,
                 {schema.members, schema.rods()});
  }
}

}  // namespace rodeo
