#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

#include "csv_lines.hpp"
#include "nearest_name.hpp"

namespace rodeo {

namespace {

/// A column of a CSV file: numbers under a name.
struct CsvColumn {
  std::string name;
  std::vector<double> values;
};

constexpr std::size_t most_table_rows = 100'000;

void add_row(const std::vector<CsvField>& fields, const CsvLines& lines, std::vector<CsvColumn>& columns) {
  const auto refuse = [&](const std::string& reason) { throw DeckError(lines.place(1) + ": " + reason); };
  if (fields.size() != columns.size()) {
    refuse(std::to_string(fields.size()) + " fields in this row, and " + std::to_string(columns.size()) +
           " names");
  }
  for (std::size_t k = 0; k < fields.size(); ++k) columns[k].values.push_back(lines.number(fields[k]));
  if (columns.front().values.size() > most_table_rows)
    refuse("more than " + std::to_string(most_table_rows) + " rows");
}

/// The columns of a CSV file: one line of names, and rows of numbers. Blank lines and '#' comments are left
/// out. `asked_at` is where the deck names the file. Throws DeckError with file and line: unreadable, without
/// rows, two columns of one name, a row with another number of fields, a field that is no finite number.
std::vector<CsvColumn> read_table(const std::string& path, const std::string& asked_at) {
  const std::string table = "table (" + asked_at + ")";
  const std::string text = read_table_text(path, table);
  CsvLines lines(text, path);
  std::vector<CsvColumn> columns;
  std::vector<CsvField> fields;
  if (lines.next(fields)) {
    lines.check_names(fields);
    for (const CsvField& name : fields) columns.push_back({name.text, {}});
  }
  while (lines.next(fields)) add_row(fields, lines, columns);
  if (columns.empty() || columns.front().values.empty()) {
    throw DeckError(path + ": no line of names with rows below it in this " + table);
  }
  return columns;
}

/// One line of table.column is `FILE : COLUMN : v, ...`.
struct StoredColumn {
  std::string_view file;
  std::string_view name;
  std::string_view values;

  explicit StoredColumn(std::string_view line) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) throw std::invalid_argument("is written as FILE : COLUMN : v, ...");
    file = trimmed(line.substr(0, first));
    name = trimmed(line.substr(first + 1, second - first - 1));
    values = line.substr(second + 1);
  }

  std::vector<double> numbers() const {
    std::vector<double> numbers;
    for (const std::string_view text : split(values, ',')) {
      const std::optional<double> number = parse_real(text);
      if (!number) throw std::invalid_argument(in_quotes(text) + " is not a finite decimal number");
      numbers.push_back(*number);
    }
    return numbers;
  }
};

}  // namespace

void Deck::take_tables(const std::string& deck_path) {
  Value& stored = values_["table.column"_key.place];
  for (const KeyInfo& info : key_table()) {
    if (!info.formulas) continue;
    const Value& lines = values_[info.key.place];
    for (std::size_t k = 0; k < lines.texts.size(); ++k) {
      const std::string& line = lines.texts[k];
      for (std::size_t at = line.find("table("); at != line.npos; at = line.find("table(", at + 1)) {
        const std::size_t begin = at + std::string_view("table(").size();
        const std::string name(trimmed(line.substr(begin, line.find(',', begin) - begin)));
        const bool known = std::ranges::any_of(
            stored.texts, [&](const std::string& text) { return text.starts_with(name + " :"); });
        if (known) continue;
        const std::string path =
            (std::filesystem::path(deck_path).parent_path() / std::filesystem::path(name)).string();
        for (const CsvColumn& column : read_table(path, std::string(info.name) + ", " + lines.places[k])) {
          std::string text = name + " : " + column.name + " : ";
          for (std::size_t row = 0; row < column.values.size(); ++row)
            text.append(row == 0 ? "" : ", ").append(format_real(column.values[row]));
          stored.texts.push_back(std::move(text));
          stored.places.push_back(path);
        }
        stored.given = true;
      }
    }
  }
}

std::pair<std::vector<double>, std::vector<double>> Deck::table(std::string_view file,
                                                                std::string_view column) const {
  std::vector<double> first;
  std::vector<std::string_view> names;
  for (const std::string& line : texts("table.column"_key)) {
    const StoredColumn stored(line);
    if (stored.file != file) continue;
    if (names.empty()) first = stored.numbers();
    names.push_back(stored.name);
    if (stored.name == column) return {first, stored.numbers()};
  }
  if (names.empty()) throw std::invalid_argument("the deck has no table " + in_quotes(file));
  throw std::invalid_argument(in_quotes(column) + " is no column of " + std::string(file) +
                              did_you_mean(column, names));
}

}  // namespace rodeo
