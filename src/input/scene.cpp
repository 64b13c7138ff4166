#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

#include "deck_checks.hpp"
#include "points_file.hpp"
#include "value_check.hpp"
#include "value_line.hpp"

namespace rodeo {

namespace {

/// As many values as keep a stored deck a deck by its size.
constexpr std::size_t most_scene_values = 1'000'000;

std::vector<PointColumn> columns_of(const std::vector<SceneColumn>& table, const std::string& group) {
  std::vector<PointColumn> columns;
  for (const SceneColumn& read : table) {
    const std::string place = group + "/" + read.key;
    PointColumn& column = columns.emplace_back(column_of(read.key, place));
    const KeyInfo& info = key_info(column.address.key);
    for (std::size_t row = 0; row < read.values.size(); ++row) {
      std::string value = read.values[row];
      const std::optional<double> number = parse_real(value);
      if (info.type == ValueType::choice && number && number_problem(info, *number).empty()) {
        value = choice_word(info, *number);
      }
      add_value(value, place + ", row " + std::to_string(row), column);
    }
    if (read.values.size() == table.front().values.size()) continue;
    throw DeckError(place + ": has " + std::to_string(read.values.size()) + " rows, and " +
                    table.front().key + " has " + std::to_string(table.front().values.size()));
  }
  return columns;
}

/// The columns of a CSV file, or with a name of the form FILE:/GROUP those of an HDF5 file.
std::vector<PointColumn> read_scene_columns(const std::string& file, const SceneReader& read_scene,
                                            const TableUse& use) {
  const std::size_t colon = file.find(":/");
  if (colon == std::string::npos) return read_columns(file, use);
  if (!read_scene) throw DeckError(file + ": a scene in an HDF5 file cannot be read here");
  std::vector<PointColumn> columns =
      columns_of(read_scene(file.substr(0, colon), file.substr(colon + 1)), file);
  if (columns.empty() || columns.front().values.empty()) {
    throw DeckError(file + ": no key has a value in this " + use.what);
  }
  return columns;
}

}  // namespace

void Deck::take_scene(const std::string& deck_path, const SceneReader& read_scene) {
  if (choice("rod.placement"_key) != "file") return;
  require(*this, "rod.scene"_key, "rod.placement = file needs it");
  const std::filesystem::path path = texts("rod.scene"_key).front();
  const std::string file = (std::filesystem::path(deck_path).parent_path() / path).string();
  Value lines;
  lines.given = true;
  std::vector<EachRod> columns;
  const TableUse use = {.what = "scene (rod.scene, " + place("rod.scene"_key) + ")",
                        .most_values = most_scene_values,
                        .whole = "a scene"};
  for (const PointColumn& column : read_scene_columns(file, read_scene, use)) {
    std::string text = column.address.name() + " : list(" + column.values + ")";
    located(column.place, [&] {
      check_varied(column.address);
      columns.push_back(parse_each_rod(text, *this));
    });
    columns.back().place = column.place;
    // Zeros stand in for a list without default, such as rod.normal, whose entries are columns.
    Value& base = values_[column.address.key.place];
    const std::size_t length = key_info(column.address.key).list_length;
    if (length > 0 && base.numbers.empty())
      base = {true, std::vector<double>(length, 0.0), {}, {column.place}};
    lines.texts.push_back(std::move(text));
    lines.places.push_back(column.place);
  }
  const std::size_t rods = columns.front().count();
  const KeyInfo& count = key_info("rod.count"_key);
  if (static_cast<double>(rods) > count.maximum) {
    throw DeckError(file + ": " + std::to_string(rods) + " rods in this " + use.what +
                    ", which are more than a member may have (rod.count: " + allowed_values(count) + ")");
  }
  if (integer("rod.count"_key) != 1 && integer("rod.count"_key) != static_cast<std::int64_t>(rods)) {
    throw error("rod.count"_key,
                "is not the " + std::to_string(rods) + " rods of " + file + "; leave it out");
  }
  values_["rod.count"_key.place] = {true, {static_cast<double>(rods)}, {}, {place("rod.scene"_key)}};
  values_["rod.placement"_key.place].texts = {"each"};
  values_["rod.scene"_key.place] = {};
  Value& each = values_["rod.each"_key.place];
  each.given = true;
  each.texts.insert(each.texts.begin(), lines.texts.begin(), lines.texts.end());
  each.places.insert(each.places.begin(), lines.places.begin(), lines.places.end());
  scene_columns_ = columns.size();
  scene_file_ = file;
  columns.insert(columns.end(), each_rod_.begin(), each_rod_.end());
  each_rod_ = std::move(columns);
}

}  // namespace rodeo
