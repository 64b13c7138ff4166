#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rodeo {

/// The text of a table in a file, which messages call `table`. Throws DeckError if it cannot be read, is
/// larger than a stored deck may be, or is no text.
std::string read_table_text(const std::string& path, const std::string& table);

/// A field of a row, without its quotes.
struct CsvField {
  std::string text;
  std::size_t column = 0;  ///< where it begins, from 1
};

/// Reads the lines of a CSV file one after the other: all numbers that stand in text files of their own are
/// read so. Commas separate the fields, which may stand in quotes; blank lines and '#' comments are left out.
class CsvLines {
 public:
  /// The text and the path must live as long as it does.
  CsvLines(std::string_view text, const std::string& path);

  /// The fields of the next line that has some; false at the end of the file. Throws DeckError on quotes that
  /// do not end, and on semicolons.
  bool next(std::vector<CsvField>& fields);

  /// The number in a field of the line that was read last. Throws DeckError if it is none, or not finite.
  double number(const CsvField& field) const;

  /// Throws DeckError if a name of the line that was read last is empty or stands there twice.
  void check_names(const std::vector<CsvField>& names) const;

  /// "points.csv:3:7"
  std::string place(std::size_t column) const;

  /// One beyond the last character of the line that was read last, from 1.
  std::size_t end_column() const { return at_ + 1; }

 private:
  void skip_blanks();
  bool ended() const { return at_ == line_.size() || line_[at_] == '#'; }
  void read_fields(std::vector<CsvField>& fields);
  std::string_view plain_text();
  std::string quoted_text();

  std::string_view rest_;
  const std::string& path_;
  std::string_view line_;
  std::size_t number_ = 0;
  std::size_t at_ = 0;
};

}  // namespace rodeo
