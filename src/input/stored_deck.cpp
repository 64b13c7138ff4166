#include "rodeo/input/deck.hpp"

namespace rodeo {

Deck Deck::parse_stored(const std::string& text, const std::string& name) {
  Deck deck = parse(text, name);
  // A stored deck has all defaults written out. Before there was this key, rod.damping was as published.
  if (!deck.is_given("rod.damping_law"_key)) {
    Value& law = deck.values_["rod.damping_law"_key.place];
    law = {.given = true, .numbers = {}, .texts = {"published"}, .places = {name}};
  }
  return deck;
}

}  // namespace rodeo
