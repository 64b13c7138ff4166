#include "rodeo/input/constraint.hpp"

#include <optional>
#include <stdexcept>
#include <string_view>

#include "rodeo/input/measures.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

/// Name, direction and bound of `NAME <= VALUE` or `NAME >= VALUE`. Throws std::invalid_argument.
Constraint parsed_constraint(std::string_view text) {
  const std::size_t sign = text.find_first_of("<>");
  if (sign == std::string_view::npos || !text.substr(sign + 1).starts_with('=')) {
    throw std::invalid_argument(in_quotes(text) + " is not of the form NAME <= VALUE or NAME >= VALUE");
  }
  const std::string_view bound = trimmed(text.substr(sign + 2));
  const std::optional<double> value = parse_real(bound);
  if (!value) throw std::invalid_argument(in_quotes(bound) + " is no finite decimal number for the bound");
  return {.name = std::string(trimmed(text.substr(0, sign))), .at_most = text[sign] == '<', .bound = *value};
}

}  // namespace

std::vector<Constraint> constraints_of(const Deck& deck) {
  constexpr Key key = "optimize.constraint"_key;
  std::vector<Constraint> constraints;
  if (!deck.has_value(key)) return constraints;
  const ObservableList list = observables_of(deck);
  for (std::size_t line = 0; line < deck.texts(key).size(); ++line) {
    try {
      constraints.push_back(parsed_constraint(deck.texts(key)[line]));
    } catch (const std::invalid_argument& reason) {
      throw DeckError(deck.places(key)[line] + ": optimize.constraint: " + reason.what());
    }
    Constraint& constraint = constraints.back();
    constraint.place = named_observable(deck, key, constraint.name);
    constraint.worst_share = deck.number("study.worst_share"_key);
    constraint.unit = list[constraint.place].unit;
  }
  return constraints;
}

}  // namespace rodeo
