#include <algorithm>
#include <stdexcept>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

#include "formula_text.hpp"
#include "line_reader.hpp"
#include "value_check.hpp"
#include "value_line.hpp"

namespace rodeo {

namespace {

/// A level, as its line says it.
using LevelLine = std::vector<std::pair<ParameterAddress, double>>;

LevelLine parse_level(std::string_view text, const Deck& deck) {
  LevelLine level;
  for (const std::string_view part : arguments_of(text)) {
    const std::size_t equals = part.find('=');
    if (equals == part.npos) {
      throw std::invalid_argument(in_quotes(part) +
                                  " is not of the form KEY = VALUE, as in rod.elements = 20");
    }
    const ParameterAddress address = parse_parameter_address(part.substr(0, equals));
    if (std::ranges::count(level, address, &LevelLine::value_type::first) > 0)
      throw std::invalid_argument(address.name() + " stands twice on one level");
    level.emplace_back(address, parse_value(key_info(address.key), trimmed(part.substr(equals + 1)), deck));
  }
  return level;
}

/// The number that the deck itself has at an address; of a word its place among the choices. Nothing if it
/// has none.
std::optional<double> own_value(const Deck& deck, const ParameterAddress& address) {
  const KeyInfo& info = key_info(address.key);
  if (address.key != "variable.NAME"_key && !deck.has_value(address.key)) return std::nullopt;
  if (info.type == ValueType::choice) return choice_number(info, deck.choice(address.key));
  return deck.number(address);
}

/// The parameters of the study itself.
std::vector<ParameterAddress> varied_by(const Deck& deck) {
  std::vector<ParameterAddress> addresses;
  if (deck.choice("study.kind"_key) == "sweep") {
    for (const SweepAxis& axis : deck.sweep_axes()) addresses.push_back(axis.address);
  } else {
    for (const SearchParameter& parameter : deck.search_parameters()) addresses.push_back(parameter.address);
  }
  return addresses;
}

/// Name and expression of a line of measure.define.
struct Definition {
  std::string_view name;
  std::string_view expression;
};

std::vector<Definition> definitions_of(const Deck& deck) {
  std::vector<Definition> definitions;
  for (const std::string& line : deck.texts("measure.define"_key)) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos) continue;  // which is an error of its own
    const std::string_view name = std::string_view(line).substr(0, std::min(line.find('['), colon));
    definitions.push_back({trimmed(name), std::string_view(line).substr(colon + 1)});
  }
  return definitions;
}

/// The measures of which the objective is made, itself among them; none if it is none.
std::vector<Definition> objective_definitions(const Deck& deck) {
  std::vector<Definition> made_of;
  if (!deck.has_value("study.objective"_key)) return made_of;
  const std::vector<Definition> all = definitions_of(deck);
  // A measure names those that stand before it.
  for (auto measure = all.rbegin(); measure != all.rend(); ++measure) {
    const bool named = std::ranges::any_of(
        made_of, [&](const Definition& user) { return names_word(user.expression, measure->name); });
    if (named || measure->name == deck.texts("study.objective"_key).front()) made_of.push_back(*measure);
  }
  return made_of;
}

}  // namespace

FidelityLevels Deck::fidelity_levels() const {
  constexpr Key key = "fidelity.level"_key;
  FidelityLevels levels;
  if (!has_value(key)) return levels;
  const std::vector<ParameterAddress> varied = varied_by(*this);
  const std::vector<Definition> objective = objective_definitions(*this);
  std::vector<LevelLine> lines;
  for_each_line(key, [&](const std::string& text, const std::string&) {
    const LevelLine& level = lines.emplace_back(parse_level(text, *this));
    for (const auto& [address, value] : level) {
      check_varied(address);
      if (address.index >= 0) number(address);
      if (std::ranges::count(varied, address) > 0) {
        throw std::invalid_argument(address.name() +
                                    " is varied by the study itself, and cannot tell levels apart");
      }
      const std::string_view name = address.variable.empty() ? key_info(address.key).name : address.variable;
      for (const Definition& measure : objective) {
        if (!names_word(measure.expression, name) && !names_number(measure.expression, address.key)) continue;
        throw std::invalid_argument("the objective is made of " + std::string(name) + " (measure " +
                                    std::string(measure.name) +
                                    "), and would mean another thing on each level");
      }
      if (std::ranges::count(levels.addresses, address) == 0) levels.addresses.push_back(address);
    }
  });
  const bool alone = lines.size() == 1;
  if (alone) lines.emplace_back();  // above it stands the deck itself
  levels.replaced.resize(levels.addresses.size(), true);
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const auto refuse = [&](const std::string& message) {
      const std::size_t place = std::min(line, places(key).size() - 1);
      throw DeckError(places(key)[place] + ": " + std::string(key_info(key).name) + ": " + message);
    };
    std::vector<double>& values = levels.values.emplace_back();
    for (std::size_t k = 0; k < levels.addresses.size(); ++k) {
      const ParameterAddress& address = levels.addresses[k];
      const auto own = std::ranges::find(lines[line], address, &LevelLine::value_type::first);
      const bool named = own != lines[line].end();
      levels.replaced[k] = levels.replaced[k] && named;
      const std::optional<double> value = named ? own->second : own_value(*this, address);
      if (!value && alone)
        refuse("stands alone, and the deck, which is the level above, does not give " + address.name());
      if (!value)
        refuse("has no " + address.name() + ", which another level has and the deck itself does not give");
      values.push_back(*value);
    }
    if (line == 0 || values != levels.values[line - 1]) continue;
    refuse(alone ? "stands alone, and is what the deck itself says" : "is the level before once more");
  }
  return levels;
}

}  // namespace rodeo
