#include "csv_lines.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

#include "deck_checks.hpp"
#include "line_reader.hpp"
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

std::string read_table_text(const std::string& path, const std::string& table) {
  const std::string what = "this " + table;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw DeckError(path + ": is a directory, not a " + table);
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw DeckError(path + ": cannot read " + what + ": " + std::generic_category().message(errno));
  std::string text;
  constexpr std::size_t block = std::size_t{1} << 20;
  while (file) {
    const std::size_t size = text.size();
    if (size > largest_deck_bytes) {
      throw DeckError(path + ": more than " + std::to_string(largest_deck_bytes) + " bytes in " + what);
    }
    text.resize(size + block);
    file.read(text.data() + size, static_cast<std::streamsize>(block));
    text.resize(size + static_cast<std::size_t>(file.gcount()));
    const auto control =
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(size), text.end(), is_control);
    if (control == text.end()) continue;
    throw DeckError(path + ":" + std::to_string(1 + std::count(text.begin(), control, '\n')) +
                    ": a control character stands on this line, and " + what + " is plain text");
  }
  if (file.bad()) throw DeckError(path + ": reading " + what + " failed");
  return text;
}

CsvLines::CsvLines(std::string_view text, const std::string& path) : rest_(text), path_(path) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
}

bool CsvLines::next(std::vector<CsvField>& fields) {
  fields.clear();
  while (fields.empty() && !rest_.empty()) {
    ++number_;
    line_ = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(rest_.size(), line_.size() + 1));
    at_ = 0;
    skip_blanks();
    if (!ended()) read_fields(fields);
  }
  return !fields.empty();
}

double CsvLines::number(const CsvField& field) const {
  if (const std::optional<double> number = parse_real(field.text)) return *number;
  throw DeckError(place(field.column) + ": " + in_quotes(field.text) + " is not a finite decimal number");
}

void CsvLines::check_names(const std::vector<CsvField>& names) const {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->text.empty()) throw DeckError(place(name->column) + ": a column without a name");
    if (std::find_if(names.begin(), name, [&](const CsvField& other) { return other.text == name->text; }) !=
        name)
      throw DeckError(place(name->column) + ": there is a column " + name->text + " already");
  }
}

std::string CsvLines::place(std::size_t column) const {
  return path_ + ":" + std::to_string(number_) + ":" + std::to_string(column);
}

void CsvLines::skip_blanks() {
  while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r')) ++at_;
}

void CsvLines::read_fields(std::vector<CsvField>& fields) {
  for (;;) {
    skip_blanks();
    fields.push_back({{}, at_ + 1});
    const bool quoted = !ended() && line_[at_] == '"';
    fields.back().text = quoted ? quoted_text() : std::string(plain_text());
    skip_blanks();
    if (ended()) return;
    if (line_[at_] == ';') {
      throw DeckError(
          place(at_ + 1) +
          ": a semicolon; commas stand between the fields of such a file, and points in its numbers");
    }
    if (line_[at_] != ',') throw DeckError(place(at_ + 1) + ": no comma follows the closing quote");
    ++at_;
  }
}

std::string_view CsvLines::plain_text() {
  const std::size_t end = std::min(line_.find_first_of(",;#", at_), line_.size());
  const std::string_view text = trimmed(line_.substr(at_, end - at_));
  at_ = end;
  return text;
}

/// Text of a field in quotes, in which a quote of its own stands twice.
std::string CsvLines::quoted_text() {
  const std::size_t begin = at_ + 1;
  std::string text;
  for (++at_; at_ < line_.size(); ++at_) {
    if (line_[at_] == '"' && (++at_ == line_.size() || line_[at_] != '"')) return text;
    text += line_[at_];
  }
  throw DeckError(place(begin) + ": the quote that begins here does not end on its line");
}

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
