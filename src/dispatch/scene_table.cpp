#include "scene_table.hpp"

#include <algorithm>

#include "rodeo/input/number_text.hpp"
#include "rodeo/input/placement.hpp"

namespace rodeo {

namespace {

constexpr std::size_t most_rows = 1'000'000;

TableColumn table_column(const PlacedRods::Column& column) {
  TableColumn stored{.name = column.key, .unit = std::string(column.unit)};
  if (column.width > 1) stored.width = column.width;
  if (column.words.empty()) return stored;
  for (const std::string_view word : split(column.words, '|')) stored.names.emplace_back(word);
  return stored;
}

}  // namespace

std::optional<SceneTable> make_scene_table(const Deck& deck, const Plan& plan, const Part& part,
                                           std::span<const ParameterAddress> parameters) {
  if (!has_computed_rods(deck)) return std::nullopt;
  const bool varied = std::ranges::any_of(parameters, [](const ParameterAddress& address) {
    return address.key == "variable.NAME"_key || key_info(address.key).name.starts_with("rod.");
  });
  if (varied && plan.adaptive()) return std::nullopt;
  SceneTable scene;
  scene.table.name = "scene";
  scene.table.columns = {{.name = "candidate", .unit = "1", .type = NumberType::natural},
                         {.name = "rod", .unit = "1", .type = NumberType::natural}};
  Deck own = deck;
  PlacedRods before;
  const std::uint64_t candidates = varied ? plan.candidates() : 1;
  for (std::uint64_t candidate = 0; candidate < candidates; ++candidate) {
    if (varied) {
      const std::vector<double> point = plan.point(candidate);
      for (std::size_t k = 0; k < point.size(); ++k) own.set(parameters[k], point[k]);
    }
    PlacedRods placed = placed_rods(own);
    if (placed.rods == before.rods) continue;
    if (scene.rows.size() + placed.rods.size() > most_rows) break;
    for (std::size_t rod = 0; rod < placed.rods.size(); ++rod) {
      TableRow& row = scene.rows.emplace_back();
      row.row = scene.rows.size() - 1;
      row.numbers = {static_cast<double>(part.candidate(candidate)), static_cast<double>(rod)};
      row.numbers.insert(row.numbers.end(), placed.rods[rod].begin(), placed.rods[rod].end());
    }
    before = std::move(placed);
  }
  if (scene.rows.empty()) return std::nullopt;
  for (const PlacedRods::Column& column : before.columns) scene.table.columns.push_back(table_column(column));
  scene.table.rows = scene.rows.size();
  return scene;
}

}  // namespace rodeo
