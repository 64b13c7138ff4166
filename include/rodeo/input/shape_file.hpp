#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Most nodes a shape file may hold: the stored deck, which lists them, stays a deck by its size.
inline constexpr std::size_t most_shape_nodes = 10'000;

/// What rod.shape_file names: a CSV file, or a dataset of an HDF5 file.
struct ShapeFile {
  std::string path;     ///< seen from the working directory
  std::string dataset;  ///< "/name"; empty: CSV
};

/// The file whose nodes a deck still waits for, if any: rod.shape = file without rod.shape_nodes. A relative
/// path starts at the folder of `deck_path`.
std::optional<ShapeFile> awaited_shape_file(const Deck& deck, const std::string& deck_path);

/// The coordinates x, y, z of all nodes of a CSV file: one node a line, blank lines and '#' comments left
/// out, a first line of words skipped. Throws DeckError with file and line.
std::vector<double> read_csv_nodes(const std::string& path);

}  // namespace rodeo
