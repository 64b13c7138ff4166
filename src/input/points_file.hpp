#pragma once

#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// A column of a file of points: a key, and its values in all rows as list(v, ...) has them.
struct PointColumn {
  ParameterAddress address;
  std::string place;  ///< of its header: "points.csv:1:12", with line and column
  std::string values;
};

/// The columns of a CSV file: a header of keys as sweep.axis names them, and one row a point, with numbers in
/// SI units or words. Fields may stand in quotes; blank lines and '#' comments are left out. `asked_at` is
/// where the deck names the file. Throws DeckError with file, line and column: unreadable, no header or no
/// row, a key that cannot be varied or stands twice, a row with another number of fields, a value that its
/// key does not allow, more values than a sweep may have.
std::vector<PointColumn> read_points(const std::string& path, const std::string& asked_at);

}  // namespace rodeo
