#include "points_file.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "rodeo/input/number_text.hpp"

#include "deck_limits.hpp"
#include "value_check.hpp"

namespace rodeo {

namespace {

std::string read_text(const std::string& path, const std::string& table) {
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
    if (size > largest_stored_deck_bytes) {
      throw DeckError(path + ": more than " + std::to_string(largest_stored_deck_bytes) + " bytes in " +
                      what);
    }
    text.resize(size + block);
    file.read(text.data() + size, static_cast<std::streamsize>(block));
    text.resize(size + static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw DeckError(path + ": reading " + what + " failed");
  return text;
}

/// A field of a row, without its quotes.
struct Cell {
  std::string text;
  std::size_t column = 0;  ///< where it begins, from 1
};

/// Reads the lines of a CSV file one after the other.
class Lines {
 public:
  Lines(std::string_view text, const std::string& path) : rest_(text), path_(path) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }

  /// The fields of the next line that has some; false at the end of the file.
  bool next(std::vector<Cell>& fields) {
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

  /// "points.csv:3:7"
  std::string place(std::size_t column) const {
    return path_ + ":" + std::to_string(number_) + ":" + std::to_string(column);
  }

  /// One beyond the last character of the line that was read last, from 1.
  std::size_t end_column() const { return at_ + 1; }

 private:
  void skip_blanks() {
    while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r')) ++at_;
  }

  bool ended() const { return at_ == line_.size() || line_[at_] == '#'; }

  void read_fields(std::vector<Cell>& fields) {
    for (;;) {
      skip_blanks();
      fields.push_back({{}, at_ + 1});
      const bool quoted = !ended() && line_[at_] == '"';
      fields.back().text = quoted ? quoted_text() : std::string(plain_text());
      skip_blanks();
      if (ended()) return;
      if (line_[at_] != ',') throw DeckError(place(at_ + 1) + ": no comma follows the closing quote");
      ++at_;
    }
  }

  std::string_view plain_text() {
    const std::size_t end = std::min(line_.find_first_of(",#", at_), line_.size());
    const std::string_view text = trimmed(line_.substr(at_, end - at_));
    at_ = end;
    return text;
  }

  /// A quote within stands twice.
  std::string quoted_text() {
    const std::size_t begin = at_ + 1;
    std::string text;
    for (++at_; at_ < line_.size(); ++at_) {
      if (line_[at_] == '"' && (++at_ == line_.size() || line_[at_] != '"')) return text;
      text += line_[at_];
    }
    throw DeckError(place(begin) + ": the quote that begins here does not end on its line");
  }

  std::string_view rest_;
  const std::string& path_;
  std::string_view line_;
  std::size_t number_ = 0;
  std::size_t at_ = 0;
};

std::vector<PointColumn> read_header(const std::vector<Cell>& fields, const Lines& lines) {
  std::vector<PointColumn> columns;
  for (const Cell& field : fields) {
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
  try {
    return {parse_parameter_address(key), place, {}};
  } catch (const std::invalid_argument& reason) {
    throw DeckError(place + ": " + reason.what());
  }
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
  const std::string text = read_text(path, use.what);
  Lines lines(text, path);
  std::vector<Cell> fields;
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

std::vector<PointColumn> read_points(const std::string& path, const std::string& asked_at) {
  return read_columns(path, {.what = "file of candidates (sweep.points, " + asked_at + ")",
                             .most_values = most_axis_values,
                             .whole = "a sweep"});
}

}  // namespace rodeo
