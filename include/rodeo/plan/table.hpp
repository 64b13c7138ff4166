#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rodeo {

/// Storage of a column's numbers in the file. In memory all are doubles, which hold whole numbers up to 2^53.
enum class NumberType : std::uint8_t {
  real,     ///< 64 bits
  integer,  ///< 64 bits
  natural,  ///< 64 bits without a sign
  byte      ///< 8 bits without a sign
};

/// A column of a table, which is a dataset of the table's group in the file.
struct TableColumn {
  std::string name;
  std::string unit = {};  ///< SI, "1" for pure numbers; empty where the numbers of a row differ in it
  NumberType type = NumberType::real;
  /// Numbers of a row, which make a second dimension of the dataset; without it one, and no such dimension.
  std::optional<std::size_t> width = {};
  /// Names of the numbers of a row, or words that 0, 1, 2, ... stand for; may be empty.
  std::vector<std::string> names = {};

  std::size_t numbers() const { return width.value_or(1); }
};

/// A table that a plan leaves in the file, beside the rows of members: its layout, known before it runs.
struct Table {
  std::string name;                                                  ///< of its group
  std::vector<std::pair<std::string, std::string>> attributes = {};  ///< texts of the group
  /// The last column reads as zero until its row is written.
  std::vector<TableColumn> columns = {};
  std::uint64_t rows = 0;  ///< room for so many

  /// All numbers of a row.
  std::size_t numbers() const;
};

/// A row to be written over what the file has in its place, or one that was read.
struct TableRow {
  std::size_t table = 0;  ///< place in Plan::tables()
  std::uint64_t row = 0;
  std::vector<double> numbers = {};  ///< of all columns, in their order
};

/// A row's numbers in a column. Throws std::invalid_argument if the table has no such column.
std::span<const double> numbers_in(const Table& table, const TableRow& row, std::string_view column);

}  // namespace rodeo
