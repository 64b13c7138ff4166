#include "rodeo/input/need.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/observe/observables.hpp"

#include "deck_checks.hpp"
#include "value_line.hpp"

namespace rodeo {

namespace {

std::vector<std::string_view> split_at_word(std::string_view text, std::string_view word) {
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word)) {
    parts.push_back(trimmed(text.substr(0, at)));
    text.remove_prefix(at + word.size());
  }
  parts.push_back(trimmed(text));
  return parts;
}

Key known_key(std::string_view name) {
  const Key key = find_key(trimmed(name));
  if (key == no_key) throw std::invalid_argument(unknown_key_message(trimmed(name)));
  return key;
}

Condition parse_condition(std::string_view text) {
  constexpr std::string_view no = "no ";
  constexpr std::string_view given = "given ";
  constexpr std::string_view drawn = "drawn ";
  using Kind = Condition::Kind;
  if (text.starts_with(no)) return {Kind::without, known_key(text.substr(no.size())), {}, 0.0};
  if (text.starts_with(given)) return {Kind::given, known_key(text.substr(given.size())), {}, 0.0};
  if (text.starts_with(drawn)) return {Kind::drawn, known_key(text.substr(drawn.size())), {}, 0.0};
  if (const std::size_t above = text.find('>'); above != text.npos) {
    const std::optional<double> bound = parse_real(trimmed(text.substr(above + 1)));
    if (!bound) throw std::invalid_argument(in_quotes(text) + " has no number");
    return {Kind::above, known_key(text.substr(0, above)), {}, *bound};
  }
  const std::size_t equals = text.find('=');
  if (equals == text.npos) return {Kind::set, known_key(text), {}, 0.0};
  Condition condition{Kind::one_of, known_key(text.substr(0, equals)), {}, 0.0};
  for (const std::string_view word : split(text.substr(equals + 1), '|')) {
    if (!is_choice(key_info(condition.key), word))
      throw std::invalid_argument(in_quotes(word) + " is no word");
    condition.words.push_back(word);
  }
  return condition;
}

std::vector<KeyValues> lines_of_rods(const Deck& deck) {
  std::vector<KeyValues> lines;
  for (const EachRod& each : deck.each_rods()) {
    KeyValues line{"rod.each"_key, each.place, each.address, each.numbers, each.words};
    // A normal distribution stands for two numbers, as its mean may be the default.
    if (each.kind == EachRod::Kind::normal) line.numbers[1] += line.numbers[0];
    lines.push_back(std::move(line));
  }
  return lines;
}

/// The lines of rod.each, and those of the study that is run.
std::vector<KeyValues> value_lines(const Deck& deck) {
  std::vector<KeyValues> lines = lines_of_rods(deck);
  const auto add = [&](Key key, const std::string& place, const ParameterAddress& address,
                       const std::vector<double>& values, bool replaces = true) {
    KeyValues line{key, place, address, {}, {}, replaces};
    const KeyInfo& info = key_info(address.key);
    for (const double value : values) {
      if (info.type == ValueType::choice) {
        line.words.emplace_back(choice_word(info, value));
      } else {
        line.numbers.push_back(value);
      }
    }
    lines.push_back(std::move(line));
  };
  const auto add_drawn = [&](Key key, const RandomParameter& parameter) {
    // Any two numbers that it can be: it has more values than one.
    const bool bounded = std::isfinite(parameter.lower) && std::isfinite(parameter.upper);
    add(key, deck.places(key)[parameter.line], parameter.address,
        bounded ? std::vector{parameter.lower, parameter.upper}
                : std::vector{parameter.first, parameter.first + parameter.second});
  };
  const std::string_view study = deck.choice("study.kind"_key);
  if (study == "sweep" || study == "boundary") {
    const std::vector<SweepAxis> axes = deck.sweep_axes();
    for (const SweepAxis& axis : axes) {
      add("sweep.axis"_key, deck.places("sweep.axis"_key)[axis.line], axis.address, axis.values);
    }
  } else if (study == "convergence") {
    const SweepAxis axis = deck.convergence_axis();
    add("convergence.axis"_key, deck.place("convergence.axis"_key), axis.address, axis.values);
  } else if (study == "optimize") {
    for (const SearchParameter& parameter : deck.search_parameters()) {
      add("optimize.parameter"_key, deck.places("optimize.parameter"_key)[parameter.line], parameter.address,
          parameter.values.empty() ? std::vector{parameter.lower, parameter.upper} : parameter.values);
    }
    const ScenarioLines scenarios = deck.scenario_lines();
    for (const SweepAxis& axis : scenarios.listed) {
      add("study.scenarios"_key, deck.places("study.scenarios"_key)[axis.line], axis.address, axis.values);
    }
    for (const RandomParameter& parameter : scenarios.drawn) {
      add_drawn("study.scenarios"_key, parameter);
    }
  } else if (study == "sensitivity") {
    for (const RandomParameter& parameter : deck.random_parameters())
      add_drawn("sensitivity.parameter"_key, parameter);
  }
  if (deck.is_given("branch.key"_key)) {
    add("branch.key"_key, deck.place("branch.key"_key), deck.branch_address(),
        {deck.number("branch.from"_key), deck.number("branch.to"_key)});
  }
  if (study == "sweep" || study == "optimize") {
    const FidelityLevels levels = deck.fidelity_levels();
    for (std::size_t k = 0; k < levels.addresses.size(); ++k) {
      std::vector<double> values;
      for (const std::vector<double>& level : levels.values) values.push_back(level[k]);
      add("fidelity.level"_key, deck.place("fidelity.level"_key), levels.addresses[k], values,
          levels.replaced[k]);
    }
  }
  return lines;
}

bool is_numeric(Key key) {
  const ValueType type = key_info(key).type;
  return type != ValueType::choice && type != ValueType::text;
}

struct ParsedFeature {
  std::size_t place;  ///< in model_features
  std::vector<Clause> asked;
};

/// The features that a deck may ask for and a model may not have.
const std::vector<ParsedFeature>& refusable() {
  static const std::vector<ParsedFeature> features = [] {
    std::vector<ParsedFeature> parsed;
    for (std::size_t place = 0; place < model_features.size(); ++place) {
      const ModelFeature& feature = model_features[place];
      if (feature.asked != asked_always) parsed.push_back({place, parse_need(feature.asked)});
    }
    return parsed;
  }();
  return features;
}

/// "; it has contact.kind = imc, contact.kind = ipc": the model's features that the same key asks for.
std::string alternatives(const Model& model, const Condition& asked) {
  std::string text;
  if (asked.kind != Condition::Kind::one_of) return text;
  for (const ParsedFeature& other : refusable()) {
    const Clause& first = other.asked.front();
    if (first.conditions.size() > 1 || first.conditions.front().key != asked.key) continue;
    if (model.has(other.place)) text.append(text.empty() ? "; it has " : ", ").append(first.text);
  }
  return text;
}

/// "model.kind = der", "time.method = static" or "time.scheme = backward_euler".
std::string said_by(Key key, const Model& model) {
  std::string_view word = model.name;
  if (key == "time.method"_key) word = word_of(model.method);
  if (key == "time.scheme"_key) word = word_of(*model.scheme);
  return std::string(key_info(key).name) + " = " + std::string(word);
}

/// The key whose other value would have the feature: that of the scheme before that of the method, and of the
/// method before that of the kind.
Key key_that_lacks(const Model& model, std::size_t place) {
  const bool has_by_scheme = std::ranges::any_of(model_table, [&](const Model& row) {
    return row.kind == model.kind && row.method == model.method && row.has(place);
  });
  if (has_by_scheme) return "time.scheme"_key;
  return model_of(model.kind).has(place) ? "time.method"_key : "model.kind"_key;
}

/// A model that has the feature and differs in this key's value, if one does.
const Model& having(std::size_t place, const Model& model, Key key) {
  const auto row = std::ranges::find_if(model_table, [&](const Model& other) {
    const bool is_like = key == "model.kind"_key || other.kind == model.kind;
    return other.has(place) && is_like && (key != "time.scheme"_key || other.method == model.method);
  });
  return *row;
}

/// ": it has no time steps"
std::string reason(const Model& model, std::size_t place) {
  return ": " + std::string(model.has_rods ? model.lacks.reason(place) : "its members are no rods");
}

}  // namespace

std::vector<Clause> parse_need(std::string_view text) {
  std::vector<Clause> need;
  if (trimmed(text).empty()) return need;
  for (const std::string_view clause_text : split_at_word(text, " and ")) {
    Clause clause{clause_text, {}};
    for (const std::string_view condition : split_at_word(clause_text, " or ")) {
      clause.conditions.push_back(parse_condition(condition));
    }
    need.push_back(std::move(clause));
  }
  return need;
}

std::vector<Clause> need_of(const Observable& observable) {
  std::vector<Clause> need = parse_need(observable.need);
  const bool names_models = std::ranges::any_of(
      need, [](const Clause& clause) { return clause.conditions.front().key == "model.kind"_key; });
  if (names_models) return need;
  const std::vector<Clause> rods = parse_need(needs_rods.view());
  need.insert(need.begin(), rods.begin(), rods.end());
  return need;
}

const Deck& default_deck() {
  static const Deck deck = Deck::parse("", "the defaults");
  return deck;
}

PossibleValues::PossibleValues(const Deck& deck) : PossibleValues(deck, value_lines(deck)) {}

PossibleValues::PossibleValues(const Deck& deck, std::vector<KeyValues> lines)
    : deck_(deck), lines_(std::move(lines)) {}

PossibleValues PossibleValues::of_member(const Deck& deck) { return {deck, lines_of_rods(deck)}; }

bool PossibleValues::can_hold(const Condition& condition) const {
  using Kind = Condition::Kind;
  const Key key = condition.key;
  const auto fits_word = [&](std::string_view word) {
    if (condition.kind == Kind::one_of) return std::ranges::count(condition.words, word) > 0;
    return !default_deck().has_value(key) || default_deck().texts(key).front() != word;
  };
  const auto fits_number = [&](double number, std::size_t entry) {
    if (condition.kind == Kind::above) return number > condition.bound;
    if (!default_deck().has_value(key)) return true;
    const std::vector<double>& numbers = default_deck().list(key);
    return number != numbers[std::min(entry, numbers.size() - 1)];
  };
  bool replaced = false;
  bool fits = false;
  for (const KeyValues& line : lines_) {
    if (line.address.key != key) continue;
    replaced = replaced || (line.address.index < 0 && line.replaces);
    const auto entry = static_cast<std::size_t>(std::max(0, line.address.index));
    fits = fits || std::ranges::any_of(line.words, fits_word) ||
           std::ranges::any_of(line.numbers, [&](double number) { return fits_number(number, entry); });
  }
  if (condition.kind == Kind::given) return deck_.is_given(key);
  if (condition.kind == Kind::drawn && key == "control.signal"_key) {
    return std::ranges::any_of(
        deck_.texts(key), [](const std::string& line) { return line.find(" noise ") != std::string::npos; });
  }
  if (condition.kind == Kind::drawn) {
    return std::ranges::any_of(deck_.each_rods(),
                               [](const EachRod& each) { return each.kind != EachRod::Kind::list; });
  }
  if (condition.kind == Kind::without) return !deck_.has_value(key) && !replaced;
  if (fits || replaced || !deck_.has_value(key)) return fits;
  if (!is_numeric(key)) return std::ranges::any_of(deck_.texts(key), fits_word);
  const std::vector<double>& numbers = deck_.list(key);
  for (std::size_t entry = 0; entry < numbers.size(); ++entry) {
    if (fits_number(numbers[entry], entry)) return true;
  }
  return false;
}

const Clause* PossibleValues::unmet(const std::vector<Clause>& need) const {
  for (const Clause& clause : need) {
    const bool met = std::ranges::any_of(clause.conditions,
                                         [&](const Condition& condition) { return can_hold(condition); });
    if (!met) return &clause;
  }
  return nullptr;
}

std::vector<bool> reported_observables(const Deck& deck) {
  const PossibleValues values(deck);
  const bool places_rods = deck.choice("rod.placement"_key) != "each";  // which rod.count does not count
  std::vector<bool> reported;
  for (const Observable& observable : observables) {
    std::vector<Clause> need = need_of(observable);
    if (places_rods) {
      std::erase_if(need, [](const Clause& one) { return one.conditions.front().key == "rod.count"_key; });
    }
    reported.push_back(values.unmet(need) == nullptr);
  }
  return reported;
}

const Model& model_in(const Deck& deck) {
  const auto kind = chosen<ModelKind>(deck, "model.kind"_key);
  const Model* const row = find_model(kind, chosen<TimeMethod>(deck, "time.method"_key));
  return row != nullptr ? *row : model_of(kind);
}

void check_features(const Deck& deck, const Model& model) {
  const PossibleValues values = PossibleValues::of_member(deck);
  // Members that are no rods are made by the million.
  const auto can_concern = [&](const Condition& condition) {
    return model.has_rods || condition.key == "model.precision"_key || condition.key == "model.device"_key;
  };
  for (const auto& [place, asked] : refusable()) {
    const std::vector<Condition>& conditions = asked.front().conditions;
    if (model.has(place) || std::ranges::none_of(conditions, can_concern) || values.unmet(asked) != nullptr)
      continue;
    const auto by = std::ranges::find_if(
        conditions, [&](const Condition& condition) { return values.can_hold(condition); });
    if (!can_concern(*by)) continue;
    const Key key = key_that_lacks(model, place);
    throw deck.error(by->key, said_by(key, model) + " (" + deck.place(key) + ") has no " +
                                  std::string(model_features[place].name) + " (" +
                                  std::string(asked.front().text) + ")" + alternatives(model, *by) + "; " +
                                  said_by(key, having(place, model, key)) + " has" + reason(model, place));
  }
}

}  // namespace rodeo
