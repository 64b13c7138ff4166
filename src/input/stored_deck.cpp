#include "rodeo/input/deck.hpp"

namespace rodeo {

Deck Deck::parse_stored(const std::string& text, const std::string& name) {
  Deck deck = parse(text, name);
  // A stored deck has all defaults written out. Before there was this key, rod.damping was as published.
  if (!deck.is_given(Key::rod_damping_law)) {
    Value& law = deck.values_[static_cast<std::size_t>(Key::rod_damping_law)];
    law = {.given = true, .numbers = {}, .texts = {"published"}, .places = {name}};
  }
  return deck;
}

}  // namespace rodeo
