#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// The share of rod.region that the rods of a member take; nothing if rod.placement is not random.
std::optional<double> volume_share(const Deck& deck, const MemberSpec& spec);

/// Values of keys that each rod of a member has for itself. Read again as a scene (rod.scene) they give the
/// same rods.
struct PlacedRods {
  struct Column {
    std::string key;  ///< or an entry of one, "rod.origin[2]"
    std::string_view unit;
    std::size_t width = 1;
    std::string_view words;  ///< "a|b|c" if 0, 1, 2 stand for them
  };
  std::vector<Column> columns;
  std::vector<std::vector<double>> rods;  ///< the numbers of all columns for each
};

/// Whether random numbers or expressions say where a deck's rods stand, or what they are like.
bool has_computed_rods(const Deck& deck);

/// The rods of such a deck, or of any.
PlacedRods placed_rods(const Deck& deck);

}  // namespace rodeo
