#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

#include "deck_checks.hpp"
#include "formula_text.hpp"
#include "line_reader.hpp"
#include "value_line.hpp"

namespace rodeo {

namespace {

std::string_view start_of(const ValueLine& line) {
  if (const std::optional<std::string_view> start = line.option("start")) return *start;
  throw std::invalid_argument("has no start: write start s behind " + std::string(line.signature));
}

double scale_of(const ValueLine& line, double otherwise, const Deck& deck) {
  const std::optional<std::string_view> text = line.option("scale");
  const double scale = text ? parse_expression(*text, &deck) : otherwise;
  if (!(scale > 0.0)) refuse_text(text.value_or(line.written), "is no scale: it must be above 0");
  return scale;
}

/// The bounds, start and scale alone.
SearchParameter parse_range(const ValueLine& line, const Deck& deck) {
  SearchParameter parameter;
  std::tie(parameter.lower, parameter.upper) = parse_bounds(line.written, deck);
  parameter.logarithmic = line.option("log").has_value();
  parameter.start = parse_expression(start_of(line), &deck);
  if (parameter.start < parameter.lower || parameter.start > parameter.upper) {
    throw std::invalid_argument("start " + format_real(parameter.start) + " is outside the bounds [" +
                                format_real(parameter.lower) + ", " + format_real(parameter.upper) + "]");
  }
  if (parameter.logarithmic && parameter.lower <= 0.0)
    refuse_text(line.written, "has no logarithms: with log both bounds must be above 0");
  parameter.scale = scale_of(line,
                             parameter.logarithmic ? std::log10(parameter.upper) - std::log10(parameter.lower)
                                                   : parameter.upper - parameter.lower,
                             deck);
  if (std::isfinite(parameter.scale)) return parameter;
  refuse_text(line.written,
              "needs a scale, as a bound is missing: start s scale d, with d what counts as a large change");
}

/// The values, start and scale alone.
SearchParameter parse_list(const ValueLine& line, const KeyInfo& info, const Deck& deck) {
  SearchParameter parameter;
  for (const std::string_view value : line.arguments) {
    parameter.values.push_back(parse_value(info, value, deck));
    if (std::ranges::count(parameter.values, parameter.values.back()) > 1)
      refuse_text(value, "stands in the list twice");
  }
  if (parameter.values.size() < 2) refuse_text(line.written, "has one value: nothing varies");
  const std::string_view start = start_of(line);
  parameter.start = parse_value(info, start, deck);
  if (std::ranges::count(parameter.values, parameter.start) == 0)
    refuse_text(start, "does not stand in the list, in which the search is to start");
  const auto [lower, upper] = std::ranges::minmax(parameter.values);
  parameter.lower = lower;
  parameter.upper = upper;
  parameter.scale = scale_of(line, static_cast<double>(parameter.values.size() - 1), deck);
  return parameter;
}

void check_key(SearchParameter& parameter) {
  const KeyInfo& info = key_info(parameter.address.key);
  if (!parameter.values.empty()) return;
  parameter.whole = info.type == ValueType::integer;
  for (const double bound : {parameter.lower, parameter.upper, parameter.start}) {
    const bool unbounded = std::isinf(info.minimum) && std::isinf(info.maximum);
    if (std::isinf(bound) && unbounded) continue;
    if (std::isinf(bound))
      throw std::invalid_argument(value_message(info, format_real(bound), "a bound is missing"));
    check_value(info, bound);
  }
}

std::vector<SearchParameter> parse_search_parameters(std::string_view text, const Deck& deck) {
  const ValueLine line(text, {"optimize.parameter"_key});
  line.expect_end();
  const std::vector<ParameterAddress> addresses = parse_parameter_addresses(line.address);
  const KeyInfo& info = key_info(addresses.front().key);
  const bool is_list = line.form == "list";
  if (info.type == ValueType::choice && !is_list) {
    throw std::invalid_argument(std::string(info.name) + " takes words (" + allowed_values(info) +
                                "), which have no bounds: write " + std::string(info.name) +
                                " : list(word,...) start word");
  }
  SearchParameter parameter = is_list ? parse_list(line, info, deck) : parse_range(line, deck);
  std::vector<SearchParameter> parameters;
  for (const ParameterAddress& address : addresses) {
    parameter.address = address;
    check_key(parameter);
    parameters.push_back(parameter);
  }
  return parameters;
}

using RandomKind = RandomParameter::Kind;

constexpr double no_end = std::numeric_limits<double>::infinity();

/// More parameters than this is taken for a mistake in the deck.
constexpr std::size_t most_random_parameters = 100;

constexpr auto kinds = std::to_array<std::string_view>({"uniform", "loguniform", "normal", "lognormal"});

/// Cuts a distribution off at the ends of "[lower, upper]".
void cut_off(std::string_view text, const Deck& deck, RandomParameter& parameter) {
  const auto [lower, upper] = parse_bounds(text, deck);
  // Far from its middle a distribution is as good as its end: a mistake.
  constexpr double farthest = 8.0;
  const bool logarithmic = parameter.kind == RandomKind::lognormal;
  const auto deviations = [&parameter, logarithmic](double end) {
    if (logarithmic && end <= 0.0) return -no_end;
    const double from = logarithmic ? std::log(end / parameter.first) : end - parameter.first;
    return from / parameter.second;
  };
  if (deviations(lower) > farthest || deviations(upper) < -farthest) {
    refuse_text(text, "holds hardly any of the distribution, whose middle is more than " +
                          format_real(farthest) + " deviations away");
  }
  parameter.lower = std::max(lower, parameter.lower);
  parameter.upper = upper;
}

/// Throws std::invalid_argument unless all values of a parameter are allowed for its key.
void check_reach(const RandomParameter& parameter, const ValueLine& line) {
  const KeyInfo& info = key_info(parameter.address.key);
  for (const double end : {parameter.lower, parameter.upper}) {
    const double limit = end < parameter.upper ? info.minimum : info.maximum;
    // A lognormal number is above 0, which is as good a bound as one that is excluded.
    const bool open = parameter.kind == RandomKind::lognormal && end == 0.0;
    if (std::isfinite(end) && !open) {
      check_value(info, end);
    } else if (open ? limit > 0.0 : std::isfinite(limit)) {
      throw std::invalid_argument(std::string(line.form) + " reaches numbers that " +
                                  parameter.address.name() + " cannot take (" + allowed_with_unit(info) +
                                  "): cut it off, as in " + std::string(line.signature) +
                                  " in [lower, upper]");
    }
  }
}

/// Reads the distribution behind the address, which `parameter` has already.
void parse_distribution(const ValueLine& line, const Deck& deck, RandomParameter& parameter) {
  const KeyInfo& info = key_info(parameter.address.key);
  if (info.type == ValueType::choice || info.type == ValueType::integer) {
    throw std::invalid_argument(parameter.address.name() +
                                (info.type == ValueType::choice ? " takes words" : " is a whole number") +
                                ", and distributions are of real numbers");
  }
  const auto place = std::ranges::find(kinds, line.form) - kinds.begin();
  parameter.kind = static_cast<RandomKind>(place);
  parameter.first = parse_expression(line.arguments[0], &deck);
  parameter.second = parse_expression(line.arguments[1], &deck);
  const std::string signature(line.signature);
  const bool of_bounds = parameter.kind == RandomKind::uniform || parameter.kind == RandomKind::loguniform;
  check_distribution(signature, of_bounds, parameter.first, parameter.second);
  const bool logarithmic =
      parameter.kind == RandomKind::loguniform || parameter.kind == RandomKind::lognormal;
  if (logarithmic && parameter.first <= 0.0) {
    throw std::invalid_argument(signature + " takes numbers above 0, not " + format_real(parameter.first));
  }
  parameter.lower = of_bounds ? parameter.first : logarithmic ? 0.0 : -no_end;
  parameter.upper = of_bounds ? parameter.second : no_end;

  if (const std::optional<std::string_view> cut = line.option("in")) cut_off(*cut, deck, parameter);
  check_reach(parameter, line);
}

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

std::vector<SearchParameter> Deck::search_parameters() const {
  if (!has_value("optimize.parameter"_key)) {
    throw missing_error("optimize.parameter"_key, "study.kind = optimize needs at least one");
  }
  std::vector<SearchParameter> parameters;
  std::size_t line = 0;
  for_each_line("optimize.parameter"_key, [&](const std::string& text, const std::string&) {
    add_parameters(parse_search_parameters(text, *this), line++, parameters);
  });
  return parameters;
}

void check_distribution(const std::string& signature, bool of_bounds, double first, double second) {
  if (second > (of_bounds ? first : 0.0)) return;
  throw std::invalid_argument(signature + " takes " +
                              (of_bounds ? "an upper number above the lower one" : "a deviation above 0") +
                              ", not " + format_real(second));
}

std::vector<RandomParameter> parse_random_parameters(std::string_view text, const Deck& deck) {
  const ValueLine line(text, {"sensitivity.parameter"_key});
  line.expect_end();
  RandomParameter parameter;
  std::vector<RandomParameter> parameters;
  for (const ParameterAddress& address : parse_parameter_addresses(line.address)) {
    parameter.address = address;
    if (parameters.empty()) parse_distribution(line, deck, parameter);
    parameters.push_back(parameter);
  }
  return parameters;
}

std::vector<RandomParameter> Deck::random_parameters() const {
  const Key key = "sensitivity.parameter"_key;
  if (!has_value(key)) throw missing_error(key, "study.kind = sensitivity needs two at least");
  std::vector<RandomParameter> parameters;
  std::size_t line = 0;
  for_each_line(key, [&](const std::string& text, const std::string&) {
    add_parameters(parse_random_parameters(text, *this), line++, parameters);
    if (parameters.size() > most_random_parameters)
      throw std::invalid_argument("is one of more than " + std::to_string(most_random_parameters) +
                                  " parameters");
  });
  if (parameters.size() > 1) return parameters;
  throw error(
      key, "is the only parameter, to which all variance belongs: give two at least, or study.kind = sweep");
}

std::vector<CorrelatedPair> Deck::correlated_pairs() const {
  std::vector<CorrelatedPair> pairs;
  for_each_line("study.correlation"_key, [&](const std::string& text, const std::string&) {
    const std::size_t colon = end_of_address(text);
    const std::vector<std::string_view> keys = split(std::string_view(text).substr(0, colon), ',');
    if (colon == text.npos || keys.size() != 2) refuse_text(text, "is not of the form KEY, KEY : r");
    const std::string_view number = trimmed(std::string_view(text).substr(colon + 1));
    const double coefficient = parse_expression(number, this);
    if (!(std::abs(coefficient) < 1.0))
      refuse_text(number, "is no coefficient of correlation, a number between -1 and 1");
    const CorrelatedPair pair{parse_parameter_address(trimmed(keys[0])),
                              parse_parameter_address(trimmed(keys[1])), coefficient};
    const std::string names = pair.first.name() + " and " + pair.second.name();
    if (pair.first == pair.second) throw std::invalid_argument(names + " are the same number");
    const bool twice = std::ranges::any_of(pairs, [&](const CorrelatedPair& earlier) {
      return (earlier.first == pair.first && earlier.second == pair.second) ||
             (earlier.first == pair.second && earlier.second == pair.first);
    });
    if (twice) throw std::invalid_argument(names + " have a coefficient already");
    pairs.push_back(pair);
  });
  return pairs;
}

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
