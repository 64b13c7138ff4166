#include "convergence_group.hpp"

#include <string>

#include "attributes.hpp"
#include "datasets.hpp"

namespace rodeo {

namespace {

constexpr std::array norms = {&ErrorNorms::l1, &ErrorNorms::l2, &ErrorNorms::linf};
constexpr const char* order_path = "/convergence/observed_order";

Hdf5Handle open_group(hid_t file) {
  return {H5Gopen2(file, convergence_path, H5P_DEFAULT), H5Gclose, "cannot open /convergence"};
}

void write_column(hid_t dataset, const ConvergenceColumn& column, const ConvergenceTable& table) {
  std::vector<double> values;
  for (const ConvergenceRow& row : table.rows) {
    for (std::size_t entry = 0; entry < column.width; ++entry) values.push_back(column.get(row, entry));
  }
  hdf5_check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
             "cannot write the convergence table");
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
  create_group(file, convergence_path);
  const Hdf5Handle group = open_group(file);
  create_text(group.get(), "key", table.key);
  create_text(group.get(), "reference", table.reference);
  for (const ConvergenceColumn& column : convergence_columns) {
    const Hdf5Handle dataset =
        create_dataset(file, column.path, column.type(), column.extent(table.rows.size()), false);
    write_column(dataset.get(), column, table);
  }
  create_texts(open_dataset(file, order_path).get(), "names", {"L1", "L2", "Linf"});
}

void write_convergence(hid_t file, const ConvergenceTable& table) {
  for (const ConvergenceColumn& column : convergence_columns) {
    write_column(open_dataset(file, column.path).get(), column, table);
  }
}

ConvergenceTable read_convergence(hid_t file, hsize_t levels) {
  ConvergenceTable table;
  const Hdf5Handle group = open_group(file);
  table.key = read_text(group.get(), "key");
  table.reference = read_text(group.get(), "reference");
  table.rows.resize(levels);
  for (const ConvergenceColumn& column : convergence_columns) {
    const std::vector<double> values =
        read_values<double>(file, column.path, H5T_NATIVE_DOUBLE, levels * column.width);
    for (std::size_t i = 0; i < values.size(); ++i) {
      column.set(table.rows[i / column.width], i % column.width, values[i]);
    }
  }
  return table;
}

}  // namespace rodeo
