#include "rodeo/input/constraint.hpp"

#include <stdexcept>
#include <string_view>

#include "rodeo/input/measures.hpp"
#include "rodeo/input/number_text.hpp"

#include "formula_text.hpp"

namespace rodeo {

namespace {

/// Name, direction and bound of `NAME <= VALUE` or `NAME >= VALUE`. Throws std::invalid_argument.
Constraint parsed_constraint(std::string_view text, const Deck& deck) {
  const std::size_t sign = text.find_first_of("<>");
  if (sign == std::string_view::npos || !text.substr(sign + 1).starts_with('=')) {
    throw std::invalid_argument(in_quotes(text) + " is not of the form NAME <= VALUE or NAME >= VALUE");
  }
  return {.name = std::string(trimmed(text.substr(0, sign))),
          .at_most = text[sign] == '<',
          .bound = parse_expression(trimmed(text.substr(sign + 2)), &deck)};
}

}  // namespace

std::vector<Constraint> constraints_of(const Deck& deck) {
  constexpr Key key = "optimize.constraint"_key;
  std::vector<Constraint> constraints;
  if (!deck.has_value(key)) return constraints;
  const ObservableList list = observables_of(deck);
  deck.for_each_line(key, [&](const std::string& line, const std::string&) {
    Constraint& constraint = constraints.emplace_back(parsed_constraint(line, deck));
    constraint.place = named_observable(deck, key, constraint.name);
    constraint.worst_share = deck.number("study.worst_share"_key);
    constraint.unit = list[constraint.place].unit;
  });
  return constraints;
}

}  // namespace rodeo
