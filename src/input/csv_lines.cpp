#include "csv_lines.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

#include "deck_checks.hpp"
#include "line_reader.hpp"

namespace rodeo {

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

}  // namespace rodeo
