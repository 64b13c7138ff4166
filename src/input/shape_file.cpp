#include "rodeo/input/shape_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

bool is_header(const std::vector<std::string_view>& parts) {
  return std::ranges::none_of(parts, [](std::string_view part) { return parse_real(part).has_value(); });
}

/// Adds the three numbers of a line; throws DeckError, which `place` begins.
void add_node(const std::vector<std::string_view>& parts, const std::string& place,
              std::vector<double>& coordinates) {
  for (const std::string_view part : parts) {
    const std::optional<double> number = parse_real(part);
    if (!number) throw DeckError(place + ": " + in_quotes(part) + " is not a finite decimal number");
    coordinates.push_back(*number);
  }
  if (parts.size() == 3) return;
  throw DeckError(place + ": " + std::to_string(parts.size()) +
                  " numbers on this line, which holds x, y and z of a node");
}

}  // namespace

std::optional<ShapeFile> awaited_shape_file(const Deck& deck, const std::string& deck_path) {
  if (!deck.has_value("rod.shape_file"_key) || deck.has_value("rod.shape_nodes"_key) ||
      deck.choice("rod.shape"_key) != "file") {
    return std::nullopt;
  }
  const std::string& text = deck.texts("rod.shape_file"_key).front();
  const std::size_t colon = text.find(":/");
  const std::filesystem::path path = text.substr(0, colon);
  return ShapeFile{(std::filesystem::path(deck_path).parent_path() / path).string(),
                   colon == std::string::npos ? "" : text.substr(colon + 1)};
}

std::vector<double> read_csv_nodes(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw DeckError(path + ": is a directory, not a file of nodes (rod.shape_file)");
  }
  errno = 0;
  std::ifstream file(path);
  if (!file) {
    throw DeckError(path + ": cannot read this rod.shape_file: " + std::generic_category().message(errno));
  }
  std::vector<double> coordinates;
  std::array<char, 1024> buffer;
  bool is_first = true;
  for (std::size_t number = 1; file.getline(buffer.data(), buffer.size()); ++number) {
    const std::string_view text(buffer.data());
    const std::string_view line = trimmed(text.substr(0, text.find('#')));
    if (line.empty()) continue;
    const std::vector<std::string_view> parts = split(line, ',');
    const bool skipped = is_first && is_header(parts);
    is_first = false;
    if (skipped) continue;
    add_node(parts, path + ":" + std::to_string(number), coordinates);
    if (coordinates.size() <= 3 * most_shape_nodes) continue;
    throw DeckError(path + ": more than " + std::to_string(most_shape_nodes) + " nodes");
  }
  if (!file.eof()) throw DeckError(path + ": not a text file of nodes (a line is longer than 1000 bytes)");
  return coordinates;
}

}  // namespace rodeo
