#include "create_row_tables.hpp"

#include <algorithm>

#include "attributes.hpp"
#include "datasets.hpp"
#include "layout.hpp"

namespace rodeo {

namespace {

template <class Value>
Hdf5Handle create_table(hid_t file, const char* path, hid_t file_type, hid_t memory_type,
                        const std::vector<Value>& values, const std::vector<hsize_t>& extent) {
  Hdf5Handle dataset = create_dataset(file, path, file_type, extent, false);
  hdf5_check(H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
             "cannot write node tables");
  return dataset;
}

}  // namespace

std::vector<Hdf5Handle> create_row_tables(hid_t file, const EnsembleSchema& schema) {
  std::vector<Hdf5Handle> created;
  create_group(file, "/members");
  create_group(file, "/trajectories");
  for (const ColumnFormat& format : column_formats(schema)) {
    std::vector<hsize_t> extent{schema.members};
    if (format.matrix) extent.push_back(format.entries_per_row);
    created.push_back(create_dataset(file, format.path, format.type, extent, format.zero_filled));
  }
  created.push_back(create_dataset(file, commit_path, H5T_STD_U64LE, {schema.members}, true));
  if (std::ranges::any_of(schema.fields,
                          [](const FieldFormat& field) { return !field.of_nodes && field.points == 0; })) {
    create_group(file, frame_observables_path);
  }
  for (const FieldFormat& field : schema.fields) {
    const FieldLayout layout(schema, field);
    created.push_back(create_dataset(file, field_path(field), layout.type(), layout.extent(), false));
  }
  if (!schema.scenario.empty()) {
    created.push_back(create_table(file, scenario_path, H5T_STD_U32LE, H5T_NATIVE_UINT32, schema.scenario,
                                   {schema.scenario.size()}));
    const auto keys = schema.parameter_names.end() - static_cast<std::ptrdiff_t>(schema.scenario_parameters);
    create_texts(created.back().get(), "keys", {keys, schema.parameter_names.end()});
  }
  if (schema.ragged()) {
    created.push_back(
        create_table(file, nodes_path, H5T_STD_I32LE, H5T_NATIVE_INT32, schema.nodes, {schema.nodes.size()}));
    // Signed, since numpy makes a float of an unsigned 64-bit number plus a signed one, which is no index.
    created.push_back(create_table(file, offset_path, H5T_STD_I64LE, H5T_NATIVE_UINT64,
                                   FieldLayout(schema, schema.fields.front()).offsets(),
                                   {schema.nodes.size()}));
  }
  const auto create_rod_table = [&](const char* path, const std::vector<std::int32_t>& values) {
    if (values.empty()) return;
    created.push_back(
        create_table(file, path, H5T_STD_I32LE, H5T_NATIVE_INT32, values, {schema.members, schema.rods()}));
  };
  create_rod_table(rod_nodes_path, schema.rod_nodes);
  create_rod_table(rod_numbers_path, schema.rod_numbers);
  return created;
}

}  // namespace rodeo
