#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"

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

/// Use of a table of keys, as messages name it.
struct TableUse {
  std::string what;  ///< "file of candidates (sweep.points, deck.ini:3)"
  std::size_t most_values = 0;
  std::string whole;  ///< what cannot have more values: "a sweep"
};

/// A column of a file of points: a key, and its values in all rows as list(v, ...) has them.
struct PointColumn {
  ParameterAddress address;
  std::string place;  ///< of its header: "points.csv:1:12", with line and column
  std::string values;
};

/// The columns of a CSV file: a header of keys as sweep.axis names them, and one row a point, with numbers in
/// SI units or words. Fields may stand in quotes; blank lines and '#' comments are left out. Throws DeckError
/// with file, line and column: unreadable, no header or no row, a key that cannot be varied or stands twice,
/// a row with another number of fields, a value that its key does not allow, too many values.
std::vector<PointColumn> read_columns(const std::string& path, const TableUse& use);

/// A column of such keys, whose values come one after the other as texts; `place` is where the key stands.
/// Throws DeckError if the key cannot be varied.
PointColumn column_of(const std::string& key, const std::string& place);

/// Adds a value, which stands at `place`, to those of a column. Throws DeckError if its key does not allow
/// it.
void add_value(std::string_view text, const std::string& place, PointColumn& column);

}  // namespace rodeo
