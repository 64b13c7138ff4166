#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rodeo/plan/part.hpp"
#include "rodeo/plan/plan.hpp"

namespace rodeo {

/// A table of the file that is known beforehand.
struct SceneTable {
  Table table;
  std::vector<TableRow> rows;
};

/// The rods that random numbers have placed or made: table /scene, with a row for each rod of each candidate
/// whose rods differ from those of the candidate before, as far as a million rows go. Nothing where the deck
/// says all of them itself, and of a search that varies keys of rods, whose candidates are not known.
std::optional<SceneTable> make_scene_table(const Deck& deck, const Plan& plan, const Part& part,
                                           std::span<const ParameterAddress> varied);

}  // namespace rodeo
