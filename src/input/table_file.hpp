#pragma once

#include <string>
#include <vector>

namespace rodeo {

/// A column of a CSV file: numbers under a name.
struct CsvColumn {
  std::string name;
  std::vector<double> values;
};

/// The columns of a CSV file: one line of names, and rows of numbers. Blank lines and '#' comments are left
/// out. `asked_at` is where the deck names the file. Throws DeckError with file and line: unreadable, without
/// rows, two columns of one name, a row with another number of fields, a field that is no finite number.
std::vector<CsvColumn> read_table(const std::string& path, const std::string& asked_at);

}  // namespace rodeo
