#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Most nodes a shape file may hold: the stored deck, which lists them, stays a deck by its size.
inline constexpr std::size_t most_shape_nodes = 1'000'001;

/// Source of rod.shape_file: a CSV file, or a dataset of an HDF5 file.
struct ShapeFile {
  std::string path;     ///< seen from the working directory
  std::string dataset;  ///< "/name"; empty: CSV
};

/// A file whose numbers a deck waits for.
struct AwaitedFile {
  Key named_by = no_key;  ///< rod.shape_file or rod.rest_length_file
  Key key = no_key;       ///< that takes the numbers
  int rod = -1;           ///< of which rod; -1: of all
  ShapeFile file;
};

/// The files of nodes and rest lengths that a deck of shape `file` still waits for. A relative path starts at
/// the folder of `deck_path`. Throws DeckError where rods have not a file each.
std::vector<AwaitedFile> awaited_files(const Deck& deck, const std::string& deck_path);

/// The numbers of a CSV file: those of one node a line, or one rest length; blank lines and '#' comments left
/// out, a first line of words skipped. Throws DeckError with file and line.
std::vector<double> read_csv_numbers(const AwaitedFile& awaited);

/// The coordinates x, y, z of each node in a CSV file, read like read_csv_numbers().
std::vector<double> read_csv_nodes(const std::string& path);

/// Reads a dataset of coordinates, of shape [nodes, 3], from an HDF5 file.
using ShapeReader = std::function<std::vector<double>(const std::string& path, const std::string& dataset)>;

/// Puts the numbers of awaited files into a deck. Throws DeckError, and what `read_dataset` throws; it may be
/// empty where nothing reads HDF5 files.
void take_files(const std::vector<AwaitedFile>& awaited, const ShapeReader& read_dataset, Deck& deck);

/// A member of a campaign's file in which a deck's rods start.
struct StateSource {
  std::string path;  ///< seen from the working directory
  std::uint64_t member = 0;
  std::optional<double> time;  ///< s; nothing: its last frame
};

/// The source that rod.state names, if the deck has it. Throws DeckError.
std::optional<StateSource> awaited_state(const Deck& deck, const std::string& deck_path);

/// The file of the search from which optimize.from goes on, if the deck has it. Throws DeckError.
std::optional<std::string> awaited_search(const Deck& deck, const std::string& deck_path);

/// A rod of that member, as rod.state_positions and its like hold it.
struct RodNumbers {
  std::vector<double> positions;
  std::vector<double> orientations;
  std::vector<double> velocities;
  std::vector<double> angular_velocities;
};

/// Puts them in the place of rod.state; `place` is where they come from. Throws DeckError where the deck has
/// another number of rods.
void take_state(const std::vector<RodNumbers>& rods, const std::string& place, Deck& deck);

}  // namespace rodeo
