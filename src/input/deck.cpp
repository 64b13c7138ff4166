#include "rodeo/input/deck.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "rodeo/input/assignments.hpp"
#include "rodeo/input/key_effects.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/placement.hpp"

#include "deck_checks.hpp"
#include "formula_text.hpp"
#include "line_reader.hpp"
#include "nearest_name.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

/// Little more than a deck may have, so that reading a device or a huge file by mistake ends.
std::string read_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw DeckError(path + ": is a directory, not a deck file");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw DeckError(path + ": cannot read this deck: " + std::generic_category().message(errno));
  }
  std::string text;
  for (std::array<char, 16384> block; file && text.size() <= largest_deck_bytes;) {
    file.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw DeckError(path + ": reading this deck failed");
  if (text.size() > largest_deck_bytes) {
    throw DeckError(path + ": more than " + std::to_string(largest_deck_bytes) + " bytes; this is no deck");
  }
  return text;
}

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace

Deck Deck::read(const std::string& path, const std::vector<std::string>& overrides,
                const SceneReader& read_scene) {
  const std::string text = read_text(path);
  Deck deck = parse(text, path, overrides);
  deck.take_points(path);
  deck.take_scenarios(path);
  deck.take_scene(path, read_scene);
  deck.take_data(path);
  deck.take_tables(path);
  deck.place_reused(path);
  Deck file = overrides.empty() ? deck : parse(text, path);
  try {
    file.take_points(path);
    file.take_scenarios(path);
    file.take_scene(path, read_scene);
    file.take_data(path);
    file.take_tables(path);
  } catch (const std::runtime_error&) {
    // The overrides may stand in the place of what is wrong with it.
  }
  check_effects(deck, file);
  return deck;
}

Deck Deck::parse(const std::string& text, const std::string& name,
                 const std::vector<std::string>& overrides) {
  Deck deck;
  deck.name_ = name;
  for (const KeyInfo& info : key_table()) {
    if (!info.default_text.empty()) deck.add_value(info, std::string(info.default_text));
  }
  DeckFaults faults;
  deck.assign(read_assignments(text, name), faults);
  std::vector<Assignment> override_assignments;
  override_assignments.reserve(overrides.size());
  for (const std::string& override_text : overrides)
    faults.pass([&] { override_assignments.push_back(parse_override(override_text)); });
  deck.assign(override_assignments, faults);
  faults.report();
  faults.pass([&] { deck.read_each_rod(); });
  faults.pass([&] { deck.read_lists(); });
  faults.report();
  return deck;
}

void Deck::assign(const std::vector<Assignment>& assignments, DeckFaults& faults) {
  std::array<bool, key_table().size()> assigned{};
  const auto assign = [&](const Assignment& assignment) {
    const Key key = find_key(assignment.name);
    if (key == no_key) throw DeckError(assignment.place + ": " + unknown_key_message(assignment.name));
    const KeyInfo& info = key_info(key);
    if (key == "variable.NAME"_key) {
      assign_variable(assignment);
      return;
    }
    Value& value = values_[key.place];
    bool& assigned_before = assigned[key.place];
    if (assigned_before && !info.repeatable) {
      throw DeckError(assignment.place + ": " + assignment.name + " is given twice, first at " +
                      value.places.front());
    }
    if (!assigned_before && key != "rod.each"_key) value = Value{};
    value.given = true;
    assigned_before = true;
    value.places.push_back(assignment.place);
    try {
      add_value(info, assignment.value);
    } catch (const std::invalid_argument& reason) {
      throw DeckError(assignment.place + ": " + value_message(info, assignment.value, reason.what()));
    }
  };
  for (const Assignment& assignment : assignments) faults.pass([&] { assign(assignment); });
}

void Deck::add_value(const KeyInfo& info, const std::string& text) {
  Value& value = values_[info.key.place];
  if (text.empty()) throw std::invalid_argument("no value");
  if (info.key == "study.seed"_key || info.key == "study.member_seed"_key) {
    const std::optional<std::uint64_t> seed = parse_seed(text);
    if (!seed) throw std::invalid_argument("not a whole number in this range");
    (info.key == "study.seed"_key ? seed_ : member_seed_) = *seed;
    value.numbers = {static_cast<double>(*seed)};
  } else if (info.type == ValueType::choice) {
    if (!is_choice(info, text)) throw std::invalid_argument("no such choice");
    value.texts = {text};
  } else if (info.type == ValueType::text) {
    value.texts.push_back(text);
  } else {
    value.numbers = parse_numbers(info, text);
  }
}

bool Deck::is_given(Key key) const { return values_[key.place].given; }

bool Deck::has_value(Key key) const {
  const Value& value = values_[key.place];
  return !value.numbers.empty() || !value.texts.empty();
}

const Deck::Value& Deck::required_value(Key key) const {
  if (!has_value(key)) throw missing_error(key);
  return values_[key.place];
}

KeyValue Deck::value(Key key) const {
  const Value& value = values_[key.place];
  const std::string_view word = value.texts.empty() ? "" : std::string_view(value.texts.front());
  return {value.numbers, word, key_info(key).choices};
}

double Deck::number(Key key) const { return required_value(key).numbers.front(); }

std::int64_t Deck::integer(Key key) const {
  assert(key_info(key).type == ValueType::integer && key != "study.seed"_key &&
         key != "study.member_seed"_key);
  return static_cast<std::int64_t>(number(key));
}

std::uint64_t Deck::seed() const { return seed_; }

std::optional<std::uint64_t> Deck::member_seed() const {
  return has_value("study.member_seed"_key) ? std::optional(member_seed_) : std::nullopt;
}

std::string_view Deck::choice(Key key) const { return required_value(key).texts.front(); }

Vec3 Deck::vec3(Key key) const {
  const std::vector<double>& entries = list(key);
  assert(entries.size() == 3);
  return {entries[0], entries[1], entries[2]};
}

const std::vector<double>& Deck::list(Key key) const { return required_value(key).numbers; }

const std::vector<std::string>& Deck::texts(Key key) const { return values_[key.place].texts; }

void Deck::set(const ParameterAddress& address, double number) {
  const KeyInfo& info = key_info(address.key);
  located("the study", [&] { check_value(info, number); });
  if (address.key == "variable.NAME"_key) return set_variable(address, number);
  Value& value = values_[address.key.place];
  if (info.type == ValueType::choice) {
    value.texts = {std::string(choice_word(info, number))};
  } else if (address.index < 0) {
    value.numbers.resize(1);
    value.numbers.front() = number;
  } else {
    const auto index = static_cast<std::size_t>(address.index);
    if (index >= value.numbers.size()) throw error(address.key, "has no entry to vary at " + address.name());
    value.numbers[index] = number;
  }
  value.given = true;
  value.places.resize(1);
  value.places.front() = "the study";
}

void Deck::set_shape_nodes(std::vector<double> coordinates, const std::string& place) {
  set_list("rod.shape_nodes"_key, -1, std::move(coordinates), place);
  drop_files("rod.shape_file"_key);
}

void Deck::set_list(Key key, int rod, std::vector<double> numbers, const std::string& place) {
  if (rod < 0) {
    values_[key.place] = {true, std::move(numbers), {}, {place}};
    return;
  }
  std::string text = std::to_string(rod) + " " + std::string(key_info(key).name) + " : ";
  for (std::size_t k = 0; k < numbers.size(); ++k)
    text.append(k == 0 ? "" : ", ").append(format_real(numbers[k]));
  Value& lines = values_["rod.lists"_key.place];
  lines.given = true;
  lines.texts.push_back(std::move(text));
  lines.places.push_back(place);
  lists_.push_back({rod, key, std::make_shared<const std::vector<double>>(std::move(numbers)), place});
  std::ranges::stable_sort(lists_, {}, &RodList::rod);
}

void Deck::drop_files(Key key) {
  values_[key.place] = {};
  Value& lines = values_["rod.each"_key.place];
  for (std::size_t line = each_rod_.size(); line-- > 0;) {
    if (each_rod_[line].address.key != key) continue;
    const auto at = static_cast<std::ptrdiff_t>(line);
    each_rod_.erase(each_rod_.begin() + at);
    lines.texts.erase(lines.texts.begin() + at);
    lines.places.erase(lines.places.begin() + at);
  }
}

void Deck::set_place(const Vec3& origin, const std::vector<Vec3>& axes, std::vector<double> shape_nodes) {
  const auto set_vector = [&](Key key, const Vec3& v) {
    Value& value = values_[key.place];
    value.given = true;
    value.numbers = {v.x, v.y, v.z};
    value.places = {place("rod.placement"_key)};
  };
  set_vector("rod.origin"_key, origin);
  if (!axes.empty()) {
    set_vector("rod.direction"_key, axes[0]);
    set_vector("rod.normal"_key, axes[1]);
  }
  if (!shape_nodes.empty()) values_["rod.shape_nodes"_key.place].numbers = std::move(shape_nodes);
}

Key Deck::first_difference(const Deck& other, bool (*matters)(const KeyInfo& key)) const {
  const auto same_numbers = [](const std::vector<double>& ours, const std::vector<double>& theirs) {
    return std::ranges::equal(ours, theirs, [](double a, double b) {
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);  // 0 and -0 are two
    });
  };
  const auto counts = [&](Key key) { return matters == nullptr || matters(key_info(key)); };
  if (seed_ != other.seed_ && counts("study.seed"_key)) return "study.seed"_key;
  if (member_seed() != other.member_seed() && counts("study.member_seed"_key)) return "study.member_seed"_key;
  const bool same_variables =
      std::ranges::equal(variables_, other.variables_, [&](const Variable& ours, const Variable& theirs) {
        return ours.name == theirs.name && same_numbers(ours.numbers, theirs.numbers);
      });
  if (!same_variables) return "variable.NAME"_key;
  for (const KeyInfo& info : key_table()) {
    const Value& ours = values_[info.key.place];
    const Value& theirs = other.values_[info.key.place];
    if (!counts(info.key)) continue;
    if (!same_numbers(ours.numbers, theirs.numbers) || ours.texts != theirs.texts) return info.key;
  }
  return no_key;
}

const std::vector<std::string>& Deck::places(Key key) const { return values_[key.place].places; }

std::string Deck::place(Key key) const {
  const Value& value = values_[key.place];
  return value.places.empty() ? name_ + " (not given)" : value.places.front();
}

DeckError Deck::error(Key key, const std::string& message) const {
  return DeckError(place(key) + ": " + std::string(key_info(key).name) + ": " + message);
}

DeckError Deck::missing_error(Key key, const std::string& reason) const {
  const KeyInfo& info = key_info(key);
  return DeckError(name_ + ": " + std::string(info.name) + " is missing (" + allowed_with_unit(info) +
                   "): " + std::string(info.text) + (reason.empty() ? "" : "; " + reason));
}

void Deck::assign_variable(const Assignment& assignment) {
  const std::string_view name = std::string_view(assignment.name).substr(variable_section.size());
  if (!is_name(name)) {
    throw DeckError(assignment.place + ": " + in_quotes(assignment.name) +
                    ": a variable has a name of letters, digits and _ that begins with a letter");
  }
  const auto earlier = std::ranges::find(variables_, name, &Variable::name);
  const bool is_new = earlier == variables_.end();
  const bool from_deck = assignment.place != command_line_place;
  if (!is_new && (from_deck || earlier->place == command_line_place)) {
    throw DeckError(assignment.place + ": " + assignment.name + " is given twice, first at " +
                    earlier->place);
  }
  Variable& variable = is_new ? variables_.emplace_back() : *earlier;
  const KeyInfo& info = key_info("variable.NAME"_key);
  try {
    if (assignment.value.empty()) throw std::invalid_argument("no value");
    variable = {std::string(name), parse_numbers(info, assignment.value), assignment.place};
  } catch (const std::invalid_argument& reason) {
    throw DeckError(assignment.place + ": " + assignment.name + " = " + in_quotes(assignment.value) + ": " +
                    reason.what());
  }
}

const Variable& Deck::variable(std::string_view name) const {
  const auto found = std::ranges::find(variables_, name, &Variable::name);
  if (found != variables_.end()) return *found;
  std::vector<std::string_view> names;
  for (const Variable& variable : variables_) names.push_back(variable.name);
  throw std::invalid_argument("the deck has no " + std::string(variable_section).append(name) +
                              did_you_mean(name, names, variable_section));
}

void Deck::set_variable(const ParameterAddress& address, double value) {
  entry(address);
  Variable& variable = *std::ranges::find(variables_, address.variable, &Variable::name);
  variable.numbers[static_cast<std::size_t>(std::max(0, address.index))] = value;
  variable.place = "the study";
}

void Deck::set_free(std::string_view name, bool free) {
  std::ranges::find(variables_, name, &Variable::name)->free = free;
}

bool Deck::names(Key key) const {
  return std::ranges::any_of(values_, [&](const Value& value) {
    return std::ranges::any_of(value.texts, [&](const std::string& line) { return names_number(line, key); });
  });
}

double Deck::number(const ParameterAddress& address) const {
  if (address.key == "rod.length"_key && choice("rod.shape"_key) == "file" &&
      has_value("rod.shape_nodes"_key)) {
    RodSpec rod;
    rod.shape = RodShape::file;
    set_shape(*this, rod);
    return rod.length;
  }
  if (address.key == "rod.count"_key) {
    if (member_rods_ == 0)
      throw std::invalid_argument("rod.count follows from these rods, which cannot name it");
    return member_rods_ ? *member_rods_ : rod_count(*this);
  }
  if (address.key == "rod.damping"_key) {
    // Unlike other keys that one stands in for, it has a default, which is not what damps the rod then.
    for (const Key instead : {"rod.relaxation_time"_key, "rod.damping_ratio"_key}) {
      if (!has_value(instead)) continue;
      throw std::invalid_argument("rod.damping has no value in this deck, whose " +
                                  std::string(key_info(instead).name) + " (" + place(instead) +
                                  ") stands in for it");
    }
  }
  if (address.key == "variable.NAME"_key && variable(address.variable).free)
    throw std::invalid_argument(address.name() + " is set while members run, and stands for no number here");
  return entry(address);
}

double Deck::entry(const ParameterAddress& address) const {
  const bool is_variable = address.key == "variable.NAME"_key;
  const std::vector<double>& numbers =
      is_variable ? variable(address.variable).numbers : values_[address.key.place].numbers;
  if (is_variable && address.index < 0 && numbers.size() > 1) {
    throw std::invalid_argument(address.name() + " is a list; name one entry of it, as in " + address.name() +
                                "[0]");
  }
  const auto entry = static_cast<std::size_t>(std::max(0, address.index));
  if (entry < numbers.size()) return numbers[entry];
  const std::string what = address.name() + " has no value";
  if (numbers.empty()) throw std::invalid_argument(what + " in this deck");
  throw std::invalid_argument(what + ": the deck lists " + std::to_string(numbers.size()) + " numbers");
}

void Deck::check_entries(const ParameterAddress& first, std::size_t count) const {
  if (first.index < 0) return;
  ParameterAddress last = first;
  last.index += static_cast<int>(count) - 1;
  try {
    number(last);
  } catch (const std::invalid_argument&) {
    if (count == 1) throw;
    const std::vector<double>& there = first.key == "variable.NAME"_key ? variable(first.variable).numbers
                                                                        : values_[first.key.place].numbers;
    const std::string list = first.name().substr(0, first.name().find('['));
    throw std::invalid_argument(
        list + "[" + std::to_string(first.index) + ":" + std::to_string(last.index + 1) +
        "] is the entries " + std::to_string(first.index) + " to " + std::to_string(last.index) +
        " of a list, and the deck lists " + std::to_string(there.size()) + " numbers: all of them are " +
        list + "[0:" + std::to_string(there.size()) + "]");
  }
}

}  // namespace rodeo
