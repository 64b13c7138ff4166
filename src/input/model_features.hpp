#pragma once

#include <span>
#include <string_view>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// What a deck can ask of a model, and whether each has it.
struct ModelFeature {
  std::string_view name;
  std::string_view asked;  ///< how a deck asks for it, as parse_need() reads it; "always" if every one does
  bool cosserat;
  bool der;
};

/// The table of features: `rodeo features` prints it, and check_features() refuses by it.
std::span<const ModelFeature> model_features();

/// Throws DeckError if a member's deck, its numbers set, asks for what its model.kind does not have.
void check_features(const Deck& deck);

}  // namespace rodeo
