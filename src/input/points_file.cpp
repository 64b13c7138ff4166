#include "points_file.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "rodeo/input/number_text.hpp"

#include "csv_lines.hpp"
#include "deck_checks.hpp"
#include "value_check.hpp"

namespace rodeo {

namespace {

std::vector<PointColumn> read_header(const std::vector<CsvField>& fields, const CsvLines& lines) {
  std::vector<PointColumn> columns;
  for (const CsvField& field : fields) {
    PointColumn column = column_of(field.text, lines.place(field.column));
    const auto earlier = std::ranges::find(columns, column.address, &PointColumn::address);
    if (earlier != columns.end()) {
      throw DeckError(column.place + ": " + column.address.name() + " has a column already, at " +
                      earlier->place);
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace

PointColumn column_of(const std::string& key, const std::string& place) {
  return {located(place, [&] { return parse_parameter_address(key); }), place, {}};
}

void add_value(std::string_view text, const std::string& place, PointColumn& column) {
  const KeyInfo& info = key_info(column.address.key);
  const auto refuse = [&](std::string_view reason) {
    throw DeckError(place + ": " + value_message(info, text, reason));
  };
  if (!column.values.empty()) column.values += ", ";
  if (info.type == ValueType::choice) {
    if (!is_choice(info, text)) refuse("no such choice");
    column.values += text;
    return;
  }
  const std::optional<double> number = parse_real(text);
  if (!number) refuse(text.empty() ? "no value" : "not a finite decimal number");
  if (const std::string_view problem = number_problem(info, *number); !problem.empty()) refuse(problem);
  column.values += format_real(*number);
}

std::vector<PointColumn> read_columns(const std::string& path, const TableUse& use) {
  const std::string text = read_table_text(path, use.what);
  CsvLines lines(text, path);
  std::vector<CsvField> fields;
  if (!lines.next(fields)) {
    throw DeckError(path + ":1:1: no header of keys in this " + use.what);
  }
  std::vector<PointColumn> columns = read_header(fields, lines);
  std::size_t rows = 0;
  while (lines.next(fields)) {
    if (fields.size() != columns.size()) {
      const std::size_t column =
          fields.size() > columns.size() ? fields[columns.size()].column : lines.end_column();
      throw DeckError(lines.place(column) + ": " + std::to_string(fields.size()) +
                      (fields.size() == 1 ? " value" : " values") + " in this row, and the header names " +
                      std::to_string(columns.size()) + (columns.size() == 1 ? " key" : " keys"));
    }
    for (std::size_t k = 0; k < columns.size(); ++k) {
      add_value(fields[k].text, lines.place(fields[k].column), columns[k]);
    }
    if (++rows * columns.size() <= use.most_values) continue;
    throw DeckError(lines.place(1) + ": more than " + std::to_string(use.most_values) +
                    " values, which are too many for " + use.whole);
  }
  if (rows == 0) {
    throw DeckError(lines.place(lines.end_column()) + ": no row follows the header in this " + use.what);
  }
  return columns;
}

}  // namespace rodeo
