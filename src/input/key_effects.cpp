#include "rodeo/input/key_effects.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/input/assignments.hpp"
#include "rodeo/input/need.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/observe/equilibrium.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/observe/signals.hpp"

#include "deck_checks.hpp"
#include "line_reader.hpp"
#include "value_line.hpp"

namespace rodeo {

namespace {

bool belongs_to(const KeyNeed& row, Key key) {
  const std::string_view name = key_info(key).name;
  return row.keys.ends_with('.') ? name.starts_with(row.keys) : name == row.keys;
}

/// Keys of an end of a rod, which a joint there puts out of force.
struct EndKey {
  Key key;
  bool first;
};
constexpr EndKey end_keys[] = {{"rod.origin"_key, true},       {"boundary.first"_key, true},
                               {"boundary.last"_key, false},   {"load.end_force"_key, false},
                               {"load.end_couple"_key, false}, {"load.axial_force"_key, false}};

/// Sections whose lines of text hold expressions.
constexpr auto expression_sections =
    std::to_array<std::string_view>({"actuation.", "connection.", "control.", "ground.platen", "measure.",
                                     "motion.", "rod.each", "rod.start_"});

/// Keys of studies whose lines hold expressions beside the keys that get the values.
constexpr std::array value_keys = {
    "sweep.axis"_key,     "convergence.axis"_key,      "optimize.parameter"_key, "optimize.constraint"_key,
    "fidelity.level"_key, "sensitivity.parameter"_key, "study.scenarios"_key,    "study.correlation"_key};

/// Whether the values of a line, `KEY : VALUES with KEY : VALUES` or `KEY = VALUE, ...`, name a word.
bool values_name(std::string_view line, std::string_view word) {
  constexpr std::string_view with = " with ";
  for (std::string_view part : arguments_of(line)) {
    while (!part.empty()) {
      const std::size_t end = std::min(part.find(with), part.size());
      const std::string_view alone = part.substr(0, end);
      const std::size_t values = std::min(end_of_address(alone), alone.find('='));
      if (values != alone.npos && names_word(alone.substr(values), word)) return true;
      part.remove_prefix(std::min(end + with.size(), part.size()));
    }
  }
  return false;
}

/// Meaning that expressions give a name themselves; empty if the deck may define it.
std::string_view built_in_meaning(std::string_view name) {
  if (name == "pi") return "a constant";
  if (name == "t" || name == "t_end") return "a time";
  if (name == "s") return "the place along a rod";
  if (name == "period") return "muscle.period";
  if (observable_index(name) < observables.size()) return "an observable";
  if (std::ranges::find(signals(), name, &Signal::name) != signals().end()) return "a signal of measures";
  const std::vector<DefinedObservable> modes =
      mode_observables(static_cast<int>(key_info("modes.count"_key).maximum));
  const bool of_a_mode = std::ranges::find(modes, name, &DefinedObservable::name) != modes.end();
  return of_a_mode ? "an observable" : "";
}

/// Throws DeckError if a variable's name stands for something else in expressions too.
void check_name(const Variable& variable, const Deck& deck) {
  const auto refuse = [&](const std::string& other) {
    throw DeckError(variable.place + ": " + std::string(variable_section) + variable.name + ": " + other +
                    "; give the variable another name");
  };
  if (const std::string_view meaning = built_in_meaning(variable.name); !meaning.empty()) {
    refuse(variable.name + " is built into expressions, as " + std::string(meaning));
  }
  const std::vector<std::string>& measures = deck.texts("measure.define"_key);
  for (std::size_t k = 0; k < measures.size(); ++k) {
    const std::string_view name = trimmed(std::string_view(measures[k]).substr(0, measures[k].find('[')));
    if (name == variable.name) {
      refuse("measure.define defines " + variable.name + " too (" + deck.places("measure.define"_key)[k] +
             ")");
    }
  }
}

/// Finds values that a deck gives without effect, and the reasons.
class Effects {
 public:
  explicit Effects(const Deck& deck) : deck_(deck), values_(deck) {}

  /// Why the deck's own value of a key has no effect; empty if it has.
  std::string obstacle(Key key) const {
    if (std::string unmet = unmet_need(key); !unmet.empty()) return unmet;
    for (const KeyValues& line : values_.lines()) {
      if (line.address.key != key || !line.replaces) continue;
      if (line.address.index >= 0 && (line.key != "rod.each"_key || !is_given_by_entries(key))) continue;
      if (line.key == "rod.each"_key && is_named_by_own_line(key)) continue;
      if (line.key == "rod.each"_key) {
        const std::string name = line.address.name();
        return "rod.each (" + line.place + ") gives each rod its own; name it there, as in list(" + name +
               ", 2*" + name + "), or leave it out";
      }
      if (deck_.place(key) != command_line_place || is_named_in(line.key, line.address.name())) continue;
      return std::string(key_info(line.key).name) + " (" + line.place + ") varies it";
    }
    return {};
  }

  /// Why a line of the study or of rod.each has no effect; empty if it has.
  std::string obstacle(const KeyValues& line) const {
    std::string unmet = unmet_need(line.address.key);
    return unmet.empty() && line.key == "rod.each"_key ? joined_end(line) : unmet;
  }

  /// Why a variable has no effect; empty if it has.
  std::string obstacle(const Variable& variable) const {
    for (const KeyInfo& info : key_table()) {
      const bool is_expression = std::ranges::any_of(
          expression_sections, [&](std::string_view section) { return info.name.starts_with(section); });
      if (!is_expression || info.type != ValueType::text) continue;
      for (const std::string& line : deck_.texts(info.key)) {
        if (names_word(line, variable.name)) return {};
      }
    }
    const bool is_named =
        std::ranges::any_of(value_keys, [&](Key key) { return is_named_in(key, variable.name); });
    return is_named ? "" : "no expression of this deck names it";
  }

  /// True if the deck gives a key another value than its default.
  bool gives(Key key) const {
    if (!deck_.is_given(key)) return false;
    if (!default_deck().has_value(key)) return true;
    if (deck_.texts(key) != default_deck().texts(key)) return true;
    return deck_.texts(key).empty() && deck_.list(key) != default_deck().list(key);
  }

  const std::vector<KeyValues>& lines() const { return values_.lines(); }

 private:
  std::string unmet_need(Key key) const {
    for (const KeyNeed& row : key_needs()) {
      if (!belongs_to(row, key)) continue;
      const std::vector<Clause> need = parse_need(row.need);
      const Clause* const unmet = values_.unmet(need);
      if (unmet == nullptr) continue;
      if (!row.text.empty()) return "it needs " + std::string(row.text);
      return "it needs " + std::string(unmet->text) + state(*unmet);
    }
    return {};
  }

  /// ", which is none (deck.ini:3)", of the one word that a clause asks for.
  std::string state(const Clause& clause) const {
    const Condition& condition = clause.conditions.front();
    if (clause.conditions.size() > 1 || condition.kind != Condition::Kind::one_of) return {};
    return "; " + std::string(key_info(condition.key).name) + " is " +
           std::string(deck_.choice(condition.key)) + " (" + deck_.place(condition.key) + ")";
  }

  /// Whether rod.each gives rods each entry of a list, which the deck gives too.
  bool is_given_by_entries(Key key) const {
    if (!deck_.has_value(key)) return false;
    const std::vector<double>& numbers = deck_.list(key);
    const bool stands_for_none = std::ranges::all_of(numbers, [](double number) { return number == 0.0; });
    const auto given = std::ranges::count_if(deck_.each_rods(),
                                             [&](const EachRod& each) { return each.address.key == key; });
    return !stands_for_none && static_cast<std::size_t>(given) == numbers.size();
  }

  /// Whether rod.each makes its values of a key of the deck's own value of it.
  bool is_named_by_own_line(Key key) const {
    return std::ranges::any_of(deck_.each_rods(), [&](const EachRod& each) {
      return each.address.key == key && each.names_itself();
    });
  }

  /// Whether values of a study's lines name a word.
  bool is_named_in(Key lines, std::string_view word) const {
    return std::ranges::any_of(deck_.texts(lines),
                               [&](const std::string& line) { return values_name(line, word); });
  }

  /// Whether joint.kind joins the k-th rod to the one before in every candidate.
  bool is_joined(int k) const {
    bool varied = false;
    for (const KeyValues& line : values_.lines()) {
      if (line.address.key != "joint.kind"_key) continue;
      varied = true;
      if (line.key == "rod.each"_key) return line.words[static_cast<std::size_t>(k)] != "none";
      if (std::ranges::count(line.words, "none") > 0) return false;
    }
    return varied || deck_.choice("joint.kind"_key) != "none";
  }

  std::string joined_end(const KeyValues& line) const {
    const auto* const end = std::ranges::find(end_keys, line.address.key, &EndKey::key);
    if (end == std::end(end_keys)) return {};
    const std::size_t count = line.numbers.size() + line.words.size();
    const std::int64_t rods = deck_.integer("rod.count"_key);
    if (count != static_cast<std::size_t>(rods)) return {};  // which is an error of its own
    for (int k = 0; k < rods; ++k) {
      const int joint = end->first ? k : k + 1;
      if (joint == 0 || joint == rods || !is_joined(joint)) continue;
      const auto rod = static_cast<std::size_t>(k);
      const auto entry = static_cast<std::size_t>(std::max(0, line.address.index));
      const bool is_default = line.words.empty() ? line.numbers[rod] == default_deck().list(end->key)[entry]
                                                 : line.words[rod] == default_deck().choice(end->key);
      if (is_default) continue;
      return "joint.kind (" + deck_.place("joint.kind"_key) + ") joins the " +
             (end->first ? "first" : "last") + " end of rod " + std::to_string(k) +
             ", which takes the default alone";
    }
    return {};
  }

  const Deck& deck_;
  PossibleValues values_;
};

/// Nothing where the deck makes no sense without its overrides.
std::optional<Effects> effects_alone(const Deck& file) {
  try {
    return Effects(file);
  } catch (const DeckError&) {
    return std::nullopt;
  }
}

std::string advice(const std::string& obstacle) { return "has no effect: " + obstacle; }

void check(const Deck& deck, const Deck* file) {
  const Effects effects(deck);
  const std::optional<Effects> alone = file != nullptr ? effects_alone(*file) : std::nullopt;
  const auto is_excused = [&](std::string_view place, const auto& thing) {
    if (place == command_line_place) return false;
    return file == nullptr || (alone && alone->obstacle(thing).empty());
  };
  DeckFaults faults;
  for (const KeyInfo& info : key_table()) {
    if (!effects.gives(info.key)) continue;
    const std::string obstacle = effects.obstacle(info.key);
    if (obstacle.empty() || is_excused(deck.place(info.key), info.key)) continue;
    faults.add(deck.error(info.key, advice(obstacle)).what());
  }
  for (const Variable& variable : deck.variables()) {
    if (file != nullptr || variable.place == command_line_place)
      faults.pass([&] { check_name(variable, deck); });
    const std::string obstacle = effects.obstacle(variable);
    if (obstacle.empty() || is_excused(variable.place, variable)) continue;
    faults.add(variable.place + ": " + std::string(variable_section) + variable.name + ": " +
               advice(obstacle));
  }
  for (const KeyValues& line : effects.lines()) {
    const std::string obstacle = effects.obstacle(line);
    if (obstacle.empty() || is_excused(line.place, line)) continue;
    faults.add(line.place + ": " + std::string(key_info(line.key).name) + ": " + line.address.name() + " " +
               advice(obstacle));
  }
  faults.report();
}

}  // namespace

void check_effects(const Deck& deck, const Deck& file) { check(deck, &file); }

void check_effects_of_overrides(const Deck& deck) { check(deck, nullptr); }

}  // namespace rodeo
