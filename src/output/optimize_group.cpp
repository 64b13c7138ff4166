#include "optimize_group.hpp"

#include <algorithm>
#include <array>

#include "attributes.hpp"
#include "datasets.hpp"

namespace rodeo {

namespace {

/// A scalar of a row; all of them are whole numbers below 2^53 or reals, and pass through a double unchanged.
struct Scalar {
  const char* name;
  hid_t type;
  double (*get)(const GenerationRow& row);
  void (*set)(GenerationRow& row, double value);
};

template <auto member>
Scalar scalar(const char* name, hid_t type) {
  using Value = std::remove_reference_t<decltype(std::declval<GenerationRow>().*member)>;
  return {name, type, [](const GenerationRow& row) { return static_cast<double>(row.*member); },
          [](GenerationRow& row, double value) { row.*member = static_cast<Value>(value); }};
}

/// As GenerationRow documents them.
std::array<Scalar, 14> scalars() {
  return {scalar<&GenerationRow::restart>("restart", H5T_STD_I64LE),
          scalar<&GenerationRow::population>("population", H5T_STD_I64LE),
          scalar<&GenerationRow::failed>("failed", H5T_STD_I64LE),
          scalar<&GenerationRow::best>("best", H5T_IEEE_F64LE),
          scalar<&GenerationRow::best_candidate>("best_candidate", H5T_STD_I64LE),
          scalar<&GenerationRow::generation_best>("generation_best", H5T_IEEE_F64LE),
          scalar<&GenerationRow::generation_mean>("mean", H5T_IEEE_F64LE),
          scalar<&GenerationRow::generation_median>("median", H5T_IEEE_F64LE),
          scalar<&GenerationRow::sigma>("sigma", H5T_IEEE_F64LE),
          scalar<&GenerationRow::axis_ratio>("axis_ratio", H5T_IEEE_F64LE),
          scalar<&GenerationRow::stop>("stop", H5T_STD_U8LE),
          scalar<&GenerationRow::last>("last", H5T_STD_U8LE),
          scalar<&GenerationRow::generation>("generation", H5T_STD_U64LE),
          scalar<&GenerationRow::evaluations>("evaluations", H5T_STD_U64LE)};
}

struct Vector {
  const char* name;
  std::vector<double> GenerationRow::*member;
};
constexpr std::array vectors = {Vector{"mean_vector", &GenerationRow::mean_vector},
                                Vector{"deviation", &GenerationRow::deviation},
                                Vector{"eigenvalues", &GenerationRow::eigenvalues}};

std::string path_of(const char* name) { return std::string(optimize_path) + "/" + name; }

/// Rows [first, first + count) of a dataset, selected in the file, and as many numbers in memory.
struct Selection {
  Hdf5Handle file;
  Hdf5Handle memory;
};

Selection select_rows(hid_t dataset, hsize_t first, hsize_t count, std::size_t width) {
  Selection selection;
  selection.file = {H5Dget_space(dataset), H5Sclose, "cannot read a shape"};
  const std::array<hsize_t, 2> start{first, 0};
  const std::array<hsize_t, 2> length{count, width};
  hdf5_check(H5Sselect_hyperslab(selection.file.get(), H5S_SELECT_SET, start.data(), nullptr, length.data(),
                                 nullptr),
             "cannot select generations");
  const hsize_t numbers = count * width;
  selection.memory = {H5Screate_simple(1, &numbers, nullptr), H5Sclose, "cannot make a shape"};
  return selection;
}

void write_rows(hid_t file, const char* name, hsize_t first, hsize_t count,
                const std::vector<double>& numbers) {
  const Hdf5Handle dataset = open_dataset(file, path_of(name));
  const Selection selection = select_rows(dataset.get(), first, count, numbers.size() / count);
  hdf5_check(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, selection.memory.get(), selection.file.get(),
                      H5P_DEFAULT, numbers.data()),
             "cannot write generations");
}

std::vector<double> read_rows(hid_t file, const char* name, hsize_t first, hsize_t count, std::size_t width) {
  const Hdf5Handle dataset = open_dataset(file, path_of(name));
  const Selection selection = select_rows(dataset.get(), first, count, width);
  std::vector<double> numbers(count * width);
  hdf5_check(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, selection.memory.get(), selection.file.get(),
                     H5P_DEFAULT, numbers.data()),
             "cannot read generations");
  return numbers;
}

}  // namespace

std::vector<GenerationColumn> generation_columns() {
  std::vector<GenerationColumn> columns;
  columns.reserve(vectors.size() + scalars().size());
  for (const Vector& vector : vectors) columns.push_back({path_of(vector.name), H5T_IEEE_F64LE, true});
  for (const Scalar& scalar : scalars()) columns.push_back({path_of(scalar.name), scalar.type, false});
  return columns;
}

void create_optimize(hid_t file, const EnsembleSchema& schema) {
  create_group(file, optimize_path);
  for (const GenerationColumn& column : generation_columns()) {
    // A generation that is not there yet must have no evaluations.
    const bool zero_filled = column.path == optimize_evaluations_path;
    const Hdf5Handle dataset =
        create_dataset(file, column.path, column.type, column.extent(schema), zero_filled);
    if (column.per_parameter && !column.path.ends_with("eigenvalues")) {
      create_texts(dataset.get(), "names", schema.parameter_names);
    }
    if (column.path.ends_with("/stop")) {
      create_texts(dataset.get(), "names", {stop_reason_names.begin(), stop_reason_names.end()});
    }
  }
}

std::uint64_t generation_bytes(const EnsembleSchema& schema) {
  std::uint64_t bytes = 0;
  for (const GenerationColumn& column : generation_columns()) {
    bytes += H5Tget_size(column.type) * (column.per_parameter ? schema.parameter_names.size() : 1);
  }
  return bytes;
}

void write_generations(hid_t file, std::span<const GenerationRow> rows) {
  if (rows.empty()) return;
  const hsize_t first = rows.front().generation;
  for (const Vector& vector : vectors) {
    std::vector<double> numbers;
    for (const GenerationRow& row : rows) {
      numbers.insert(numbers.end(), (row.*vector.member).begin(), (row.*vector.member).end());
    }
    write_rows(file, vector.name, first, rows.size(), numbers);
  }
  for (const Scalar& scalar : scalars()) {
    std::vector<double> numbers;
    for (const GenerationRow& row : rows) numbers.push_back(scalar.get(row));
    write_rows(file, scalar.name, first, rows.size(), numbers);
  }
}

std::optional<GenerationRow> read_latest_generation(hid_t file, const EnsembleSchema& schema) {
  const std::vector<double> evaluations = read_rows(file, "evaluations", 0, schema.generations, 1);
  const auto end = std::ranges::find(evaluations, 0.0);
  if (end == evaluations.begin()) return std::nullopt;
  const auto latest = static_cast<hsize_t>(end - evaluations.begin() - 1);
  GenerationRow row;
  for (const Scalar& scalar : scalars()) {
    scalar.set(row, read_rows(file, scalar.name, latest, 1, 1).front());
  }
  for (const Vector& vector : vectors) {
    row.*vector.member = read_rows(file, vector.name, latest, 1, schema.parameter_names.size());
  }
  if (static_cast<std::size_t>(row.stop) >= stop_reason_names.size()) {
    throw Hdf5Error("a generation stopped for no known reason");
  }
  return row;
}

}  // namespace rodeo
