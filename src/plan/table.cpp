#include "rodeo/plan/table.hpp"

#include <stdexcept>

namespace rodeo {

std::size_t Table::numbers() const {
  std::size_t sum = 0;
  for (const TableColumn& column : columns) sum += column.numbers();
  return sum;
}

std::span<const double> numbers_in(const Table& table, const TableRow& row, std::string_view column) {
  std::size_t first = 0;
  for (const TableColumn& candidate : table.columns) {
    if (candidate.name == column) return std::span(row.numbers).subspan(first, candidate.numbers());
    first += candidate.numbers();
  }
  throw std::invalid_argument("table " + table.name + " has no column " + std::string(column));
}

}  // namespace rodeo
