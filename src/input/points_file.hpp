#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

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
