#include "rodeo/output/convergence_group.hpp"

#include <string>

#include "rodeo/output/attributes.hpp"
#include "rodeo/output/hdf5_handle.hpp"

namespace rodeo {

namespace {

constexpr std::array norms = {&ErrorNorms::l1, &ErrorNorms::l2, &ErrorNorms::linf};
constexpr const char* order_path = "/convergence/observed_order";

Hdf5Handle open_dataset(hid_t file, const char* path) {
  return {H5Dopen2(file, path, H5P_DEFAULT), H5Dclose, "there is no dataset " + std::string(path)};
}

void write_column(hid_t dataset, const ConvergenceColumn& column, const ConvergenceTable& table) {
  std::vector<double> values;
  for (const ConvergenceRow& row : table.rows) {
    for (std::size_t entry = 0; entry < column.width; ++entry) values.push_back(column.get(row, entry));
  }
  hdf5_check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
             "cannot write the convergence table");
}

void create_column(hid_t file, const ConvergenceColumn& column, const ConvergenceTable& table) {
  const std::vector<hsize_t> extent = column.extent(table.rows.size());
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose,
                         "cannot make a shape");
  const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "cannot make properties");
  // Allocated now, so that one rank can write it later on its own.
  hdf5_check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), "cannot set an allocation time");
  const Hdf5Handle dataset(
      H5Dcreate2(file, column.path, column.type(), space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
      H5Dclose, std::string("cannot create ") + column.path);
  write_column(dataset.get(), column, table);
}

}  // namespace

// Numbers of elements are whole and far below 2^53, so they pass through a double unchanged.
const std::array<ConvergenceColumn, 7> convergence_columns = {
    {{convergence_elements_path, true, 1,
      [](const ConvergenceRow& row, std::size_t) { return static_cast<double>(row.elements); },
      [](ConvergenceRow& row, std::size_t, double value) {
        row.elements = static_cast<std::int64_t>(value);
      }},
     {"/convergence/step", false, 1, [](const ConvergenceRow& row, std::size_t) { return row.step; },
      [](ConvergenceRow& row, std::size_t, double value) { row.step = value; }},
     {"/convergence/spacing", false, 1, [](const ConvergenceRow& row, std::size_t) { return row.spacing; },
      [](ConvergenceRow& row, std::size_t, double value) { row.spacing = value; }},
     {"/convergence/L1", false, 1, [](const ConvergenceRow& row, std::size_t) { return row.error.l1; },
      [](ConvergenceRow& row, std::size_t, double value) { row.error.l1 = value; }},
     {"/convergence/L2", false, 1, [](const ConvergenceRow& row, std::size_t) { return row.error.l2; },
      [](ConvergenceRow& row, std::size_t, double value) { row.error.l2 = value; }},
     {"/convergence/Linf", false, 1, [](const ConvergenceRow& row, std::size_t) { return row.error.linf; },
      [](ConvergenceRow& row, std::size_t, double value) { row.error.linf = value; }},
     {order_path, false, norms.size(),
      [](const ConvergenceRow& row, std::size_t entry) { return row.order.*norms[entry]; },
      [](ConvergenceRow& row, std::size_t entry, double value) { row.order.*norms[entry] = value; }}}};

void create_convergence(hid_t file, const ConvergenceTable& table) {
  const Hdf5Handle group(H5Gcreate2(file, convergence_path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                         "cannot create /convergence");
  create_text(group.get(), "key", table.key);
  create_text(group.get(), "reference", table.reference);
  for (const ConvergenceColumn& column : convergence_columns) create_column(file, column, table);
  create_texts(open_dataset(file, order_path).get(), "names", {"L1", "L2", "Linf"});
}

void write_convergence(hid_t file, const ConvergenceTable& table) {
  for (const ConvergenceColumn& column : convergence_columns) {
    write_column(open_dataset(file, column.path).get(), column, table);
  }
}

ConvergenceTable read_convergence(hid_t file, hsize_t levels) {
  ConvergenceTable table;
  const Hdf5Handle group(H5Gopen2(file, convergence_path, H5P_DEFAULT), H5Gclose, "cannot open /convergence");
  table.key = read_text(group.get(), "key");
  table.reference = read_text(group.get(), "reference");
  table.rows.resize(levels);
  for (const ConvergenceColumn& column : convergence_columns) {
    std::vector<double> values(levels * column.width);
    hdf5_check(H5Dread(open_dataset(file, column.path).get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
                       H5P_DEFAULT, values.data()),
               "cannot read the convergence table");
    for (std::size_t i = 0; i < values.size(); ++i) {
      column.set(table.rows[i / column.width], i % column.width, values[i]);
    }
  }
  return table;
}

}  // namespace rodeo
