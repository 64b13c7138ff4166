#include "study_tables.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "attributes.hpp"
#include "datasets.hpp"
#include "layout.hpp"
#include "seal.hpp"

namespace rodeo {

std::string table_path(const Table& table, const std::string& column) {
  return "/" + table.name + "/" + column;
}

namespace {

constexpr const char* commit_name = "commit";

std::string group_path(const std::string& table) { return "/" + table; }

Hdf5Handle open_group(hid_t file, const std::string& table) {
  return {H5Gopen2(file, group_path(table).c_str(), H5P_DEFAULT), H5Gclose, "there is no table " + table};
}

hid_t stored_type(NumberType type) {
  switch (type) {
    case NumberType::integer:
      return H5T_STD_I64LE;
    case NumberType::natural:
      return H5T_STD_U64LE;
    case NumberType::byte:
      return H5T_STD_U8LE;
    case NumberType::real:
      break;
  }
  return H5T_IEEE_F64LE;
}

NumberType number_type(hid_t dataset, const std::string& path) {
  const Hdf5Handle found(H5Dget_type(dataset), H5Tclose, "cannot read a type");
  using enum NumberType;
  for (const NumberType type : {real, integer, natural, byte}) {
    if (H5Tequal(found.get(), stored_type(type)) > 0) return type;
  }
  throw Hdf5Error("dataset " + path + " is of another type");
}

std::vector<hsize_t> extent_of_column(const Table& table, const TableColumn& column) {
  return column.width ? std::vector<hsize_t>{table.rows, *column.width} : std::vector<hsize_t>{table.rows};
}

void create_table(hid_t file, const Table& table) {
  create_group(file, group_path(table.name));
  const Hdf5Handle group = open_group(file, table.name);
  std::vector<std::string> names;
  for (const TableColumn& column : table.columns) names.push_back(column.name);
  create_texts(group.get(), "columns", names);
  for (const auto& [name, text] : table.attributes) create_text(group.get(), name.c_str(), text);
  for (const TableColumn& column : table.columns) {
    const bool last = &column == &table.columns.back();
    const Hdf5Handle dataset = create_dataset(file, table_path(table, column.name), stored_type(column.type),
                                              extent_of_column(table, column), last);
    if (!column.names.empty()) create_texts(dataset.get(), "names", column.names);
  }
  create_dataset(file, table_path(table, commit_name), H5T_STD_U64LE, {table.rows}, true);
}

TableColumn read_column(hid_t file, const Table& table, const std::string& name) {
  const std::string path = table_path(table, name);
  const Hdf5Handle dataset = open_dataset(file, path);
  check_storage(file, dataset.get(), path);
  TableColumn column{.name = name, .type = number_type(dataset.get(), path)};
  const std::vector<hsize_t> extent = extent_of(dataset.get());
  if (extent.size() == 2) column.width = extent[1];
  if (extent.empty() || extent.size() > 2 || extent[0] != table.rows) {
    throw Hdf5Error("dataset " + path + " has another shape");
  }
  return column;
}

/// The checksum of a row's numbers and its place.
std::uint64_t word_of(const TableRow& row) {
  Checksum checksum(row.row);
  checksum.add(std::as_bytes(std::span(row.numbers)));
  return commit_word(checksum.value(), checksum.value());
}

template <class Number>
void write_numbers(hid_t file, const std::string& path, hid_t memory_type, hsize_t first, hsize_t count,
                   const std::vector<Number>& numbers) {
  const Hdf5Handle dataset = open_dataset(file, path);
  write_selection(dataset.get(), memory_type,
                  select_rows(dataset.get(), first, count, numbers.size() / count), numbers.data());
}

template <class Number>
std::vector<Number> read_numbers(hid_t file, const std::string& path, hid_t memory_type, hsize_t first,
                                 hsize_t count, hsize_t width) {
  const Hdf5Handle dataset = open_dataset(file, path);
  std::vector<Number> numbers(count * width);
  read_selection(dataset.get(), memory_type, select_rows(dataset.get(), first, count, width), numbers.data());
  return numbers;
}

/// Writes rows that follow one another.
void write_run(hid_t file, const Table& table, std::span<const TableRow> rows) {
  const hsize_t first = rows.front().row;
  std::ptrdiff_t begin = 0;
  for (const TableColumn& column : table.columns) {
    const auto end = begin + static_cast<std::ptrdiff_t>(column.numbers());
    std::vector<double> numbers;
    for (const TableRow& row : rows) {
      numbers.insert(numbers.end(), row.numbers.begin() + begin, row.numbers.begin() + end);
    }
    write_numbers(file, table_path(table, column.name), H5T_NATIVE_DOUBLE, first, rows.size(), numbers);
    begin = end;
  }
  std::vector<std::uint64_t> words;
  for (const TableRow& row : rows) words.push_back(word_of(row));
  write_numbers(file, table_path(table, commit_name), H5T_NATIVE_UINT64, first, rows.size(), words);
}

/// The commit words; zero where there is no row.
std::vector<std::uint64_t> read_words(hid_t file, const Table& table) {
  return read_numbers<std::uint64_t>(file, table_path(table, commit_name), H5T_NATIVE_UINT64, 0, table.rows,
                                     1);
}

/// Rows [first, first + words) of a table that are whole; their words were read before.
std::vector<TableRow> read_run(hid_t file, const Table& table, std::uint64_t first,
                               std::span<const std::uint64_t> words) {
  if (words.empty()) return {};
  std::vector<TableRow> rows(words.size());
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k].row = first + k;
  for (const TableColumn& column : table.columns) {
    const std::size_t width = column.numbers();
    const std::vector<double> numbers = read_numbers<double>(file, table_path(table, column.name),
                                                             H5T_NATIVE_DOUBLE, first, rows.size(), width);
    auto next = numbers.begin();
    for (TableRow& row : rows) {
      row.numbers.insert(row.numbers.end(), next, next + static_cast<std::ptrdiff_t>(width));
      next += static_cast<std::ptrdiff_t>(width);
    }
  }
  std::erase_if(rows, [&](const TableRow& row) {
    const std::uint64_t word = words[row.row - first];
    return word == 0 || word != word_of(row);
  });
  return rows;
}

}  // namespace

void create_tables(hid_t file, const std::vector<Table>& tables) {
  std::vector<std::string> names;
  for (const Table& table : tables) names.push_back(table.name);
  create_texts(file, "tables", names);
  for (const Table& table : tables) create_table(file, table);
}

std::uint64_t table_bytes(const Table& table) {
  constexpr std::uint64_t header = 1024;  // of a group or a dataset, with what HDF5 keeps of its attributes
  std::uint64_t metadata = 4 * header;
  std::uint64_t row = sizeof(std::uint64_t);
  for (const auto& [name, text] : table.attributes) metadata += name.size() + text.size();
  for (const TableColumn& column : table.columns) {
    metadata += header + 2 * column.name.size() + column.unit.size() + stored_bytes(column.names);
    row += H5Tget_size(stored_type(column.type)) * column.numbers();
  }
  return saturating_sum(metadata, saturating_product(table.rows, row));
}

std::vector<Table> read_tables(hid_t file) {
  std::vector<Table> tables;
  for (const std::string& name : read_texts(file, "tables")) {
    Table table{.name = name};
    table.rows = sound_extent(file, table_path(table, commit_name), 1)[0];
    check_dataset(file, table_path(table, commit_name), H5T_STD_U64LE, {table.rows});
    const Hdf5Handle group = open_group(file, name);
    for (const std::string& column : read_texts(group.get(), "columns")) {
      table.columns.push_back(read_column(file, table, column));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

std::vector<TableRow> rows_for(const Table& ordered, const Table& table, std::span<const TableRow> rows) {
  std::vector<TableRow> result;
  for (const TableRow& row : rows) {
    if (row.row >= ordered.rows || row.numbers.size() != table.numbers()) {
      throw std::invalid_argument("row " + std::to_string(row.row) + " does not fit table " + table.name);
    }
    TableRow& arranged = result.emplace_back();
    arranged.row = row.row;
    for (const TableColumn& column : ordered.columns) {
      const std::span<const double> numbers = numbers_in(table, row, column.name);
      arranged.numbers.insert(arranged.numbers.end(), numbers.begin(), numbers.end());
    }
  }
  return result;
}

void write_table(hid_t file, const Table& table, std::span<const TableRow> rows) {
  while (!rows.empty()) {
    std::size_t run = 1;
    while (run < rows.size() && rows[run].row == rows[run - 1].row + 1) ++run;
    write_run(file, table, rows.first(run));
    rows = rows.subspan(run);
  }
}

std::vector<TableRow> read_table(hid_t file, const Table& table) {
  return read_run(file, table, 0, read_words(file, table));
}

std::optional<TableRow> newest_row(hid_t file, const Table& table) {
  const std::vector<std::uint64_t> words = read_words(file, table);
  for (std::uint64_t row = words.size(); row-- > 0;) {
    if (words[row] == 0) continue;
    const std::vector<TableRow> found = read_run(file, table, row, std::span(words).subspan(row, 1));
    if (!found.empty()) return found.front();
  }
  return std::nullopt;
}

}  // namespace rodeo
