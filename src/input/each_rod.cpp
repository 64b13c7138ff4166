#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>

#include "rodeo/input/assignments.hpp"
#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/placement.hpp"
#include "rodeo/math/random.hpp"

#include "csv_lines.hpp"
#include "deck_checks.hpp"
#include "formula_text.hpp"
#include "line_reader.hpp"
#include "value_line.hpp"

namespace rodeo {

namespace {

/// The lists of one rod, out of lists in the order of rods. They are not found by std::ranges::equal_range,
/// since clang 14 does not compile what returns a subrange.
std::span<const RodList> lists_of_rod(std::span<const RodList> lists, int rod) {
  const auto first = std::ranges::lower_bound(lists, rod, {}, &RodList::rod);
  const auto end = std::ranges::upper_bound(lists, rod, {}, &RodList::rod);
  return {first, end};
}

/// Whether a rod may have a value of its own: not of what a member has once.
bool may_differ(const KeyInfo& info) {
  constexpr std::array<std::string_view, 6> sections = {"rod.",  "boundary.", "joint.",
                                                        "load.", "muscle.",   variable_section};
  constexpr std::array same = {
      "rod.count"_key,          "rod.each"_key,          "rod.lists"_key,
      "rod.placement"_key,      "rod.lattice"_key,       "rod.lattice_spacing"_key,
      "rod.region"_key,         "rod.region_centre"_key, "rod.region_size"_key,
      "rod.region_radius"_key,  "rod.region_length"_key, "rod.region_axis"_key,
      "rod.volume_share"_key,   "rod.orientation"_key,   "rod.orientation_spread"_key,
      "rod.placement_seed"_key, "load.perturbation"_key, "load.perturbation_duration"_key};
  const bool of_a_rod =
      std::holds_alternative<Setter<LoadSpec>>(info.field) ||  // those of one's own laws among them
      std::ranges::any_of(sections, [&](std::string_view section) { return info.name.starts_with(section); });
  return of_a_rod && std::ranges::find(same, info.key) == same.end();
}

/// Throws std::invalid_argument if a distribution is none, or not one of such a key.
void check_drawn(const EachRod& each) {
  const KeyInfo& info = key_info(each.address.key);
  const bool uniform = each.kind == EachRod::Kind::uniform;
  if (info.type != ValueType::real && info.type != ValueType::real_list) {
    throw std::invalid_argument(std::string(uniform ? "uniform" : "normal") + " gives real numbers, and " +
                                each.address.name() + " takes none: give a list");
  }
  check_value(info, each.numbers[0]);
  if (uniform) check_value(info, each.numbers[1]);
  check_distribution(uniform ? "uniform(lower,upper)" : "normal(mean,deviation)", uniform, each.numbers[0],
                     each.numbers[1]);
}

/// A number of the rod's own from the letters of an address (FNV-1a): the same in whatever order keys stand.
std::uint64_t number_of(const ParameterAddress& address) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char letter : address.name()) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  }
  return hash;
}

/// Key lists that a line of rod.lists may hold.
constexpr std::array listed_keys = {"rod.shape_nodes"_key,      "rod.rest_lengths"_key,
                                    "rod.state_positions"_key,  "rod.state_orientations"_key,
                                    "rod.state_velocities"_key, "rod.state_angular_velocities"_key};

RodList parse_rod_list(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view before = trimmed(text.substr(0, colon));
  const std::size_t blank = before.find_first_of(" \t");
  const std::optional<double> rod = parse_real(before.substr(0, blank));
  const bool whole = rod && *rod >= 0.0 && *rod < 1e9 && *rod == std::floor(*rod);
  const std::string_view name = blank == before.npos ? "" : trimmed(before.substr(blank));
  const Key key = find_key(name);
  if (colon == text.npos || !whole || std::ranges::find(listed_keys, key) == listed_keys.end()) {
    throw std::invalid_argument(in_quotes(text) +
                                " is not of the form K KEY : v,..., with a rod's number K from 0 and "
                                "rod.shape_nodes, rod.rest_lengths or rod.state_positions and its like");
  }
  std::vector<double> numbers = parse_numbers(key_info(key), text.substr(colon + 1));
  return {static_cast<int>(*rod), key, std::make_shared<const std::vector<double>>(std::move(numbers))};
}

/// The number that the k-th rod gets from a distribution; numbers that its key does not allow are left out.
double drawn_number(const EachRod& each, std::uint64_t seed, int k) {
  constexpr int most_draws = 1000;
  const RandomStream stream{member_seed(seed, number_of(each.address), static_cast<std::uint32_t>(k)),
                            RandomUse::sampler};
  for (std::uint64_t draw = 0; draw < most_draws; ++draw) {
    double u[4];
    stream.uniform(draw, u);
    const double number = each.kind == EachRod::Kind::uniform
                              ? each.numbers[0] + u[0] * (each.numbers[1] - each.numbers[0])
                              : each.numbers[0] + each.numbers[1] * std::sqrt(-2.0 * std::log1p(-u[0])) *
                                                      std::cos(2.0 * std::numbers::pi * u[1]);
    if (number_problem(key_info(each.address.key), number).empty()) return number;
  }
  throw DeckError(each.place + ": rod.each: hardly any number of this distribution is one that " +
                  each.address.name() + " may have (" + allowed_with_unit(key_info(each.address.key)) + ")");
}

/// Gives a rod's deck the list of which a line of rod.each gives it an entry, if such lines give all of them.
/// Throws DeckError where others would have no value.
void make_room(const EachRod& each, const std::vector<EachRod>& lines, Deck& own) {
  const KeyInfo& info = key_info(each.address.key);
  if (info.key == "variable.NAME"_key || each.address.index < 0) return;
  const std::size_t entries = own.has_value(info.key) ? own.list(info.key).size() : 0;
  if (static_cast<std::size_t>(each.address.index) < entries) return;
  std::size_t given = 0;
  int last = -1;
  for (const EachRod& other : lines) {
    if (other.address.key != info.key) continue;
    ++given;
    last = std::max(last, other.address.index);
  }
  const bool are_all =
      info.list_length == 0 ? static_cast<std::size_t>(last) + 1 == given : given == info.list_length;
  if (entries == 0 && are_all) {
    own.set_list(info.key, -1, std::vector<double>(given, 0.0), each.place);
    return;
  }
  const std::string key(info.name);
  const std::string has =
      entries == 0 ? "does not give " + key : "lists " + std::to_string(entries) + " of them";
  const std::string length = std::to_string(info.list_length);
  throw DeckError(each.place + ": rod.each: " + each.address.name() + " is an entry of " + key +
                  ", and the deck " + has + ": give " + key + " too, whose other entries all rods have" +
                  ", or each of its " + (info.list_length == 0 ? "" : length + " ") + "entries by rod.each");
}

/// As many values as keep a stored deck a deck by its size.
constexpr std::size_t most_scene_values = 1'000'000;

std::vector<PointColumn> columns_of(const std::vector<SceneColumn>& table, const std::string& group) {
  std::vector<PointColumn> columns;
  for (const SceneColumn& read : table) {
    const std::string place = group + "/" + read.key;
    PointColumn& column = columns.emplace_back(column_of(read.key, place));
    const KeyInfo& info = key_info(column.address.key);
    for (std::size_t row = 0; row < read.values.size(); ++row) {
      std::string value = read.values[row];
      const std::optional<double> number = parse_real(value);
      if (info.type == ValueType::choice && number && number_problem(info, *number).empty()) {
        value = choice_word(info, *number);
      }
      add_value(value, place + ", row " + std::to_string(row), column);
    }
    if (read.values.size() == table.front().values.size()) continue;
    throw DeckError(place + ": has " + std::to_string(read.values.size()) + " rows, and " +
                    table.front().key + " has " + std::to_string(table.front().values.size()));
  }
  return columns;
}

/// The columns of a CSV file, or with a name of the form FILE:/GROUP those of an HDF5 file.
std::vector<PointColumn> read_scene_columns(const std::string& file, const SceneReader& read_scene,
                                            const TableUse& use) {
  const std::size_t colon = file.find(":/");
  if (colon == std::string::npos) return read_columns(file, use);
  if (!read_scene) throw DeckError(file + ": a scene in an HDF5 file cannot be read here");
  std::vector<PointColumn> columns =
      columns_of(read_scene(file.substr(0, colon), file.substr(colon + 1)), file);
  if (columns.empty() || columns.front().values.empty()) {
    throw DeckError(file + ": no key has a value in this " + use.what);
  }
  return columns;
}

}  // namespace

EachRod parse_each_rod(std::string_view text, const Deck& deck) {
  const ValueLine line(text, {"rod.each"_key});
  line.expect_end();
  EachRod each;
  each.kind = line.form == "list"      ? EachRod::Kind::list
              : line.form == "uniform" ? EachRod::Kind::uniform
                                       : EachRod::Kind::normal;
  const bool listed = each.kind == EachRod::Kind::list;
  if (line.address == "rod.shape_file" && listed) {
    each.address.key = "rod.shape_file"_key;
    each.words.assign(line.arguments.begin(), line.arguments.end());
    return each;
  }
  each.address = parse_parameter_address(line.address);
  const KeyInfo& info = key_info(each.address.key);
  if (!may_differ(info)) {
    throw std::invalid_argument(std::string(info.name) +
                                " holds for a member as a whole; rods may differ in keys of rod, boundary, "
                                "joint, load, muscle and variable only");
  }
  for (const std::string_view value : line.arguments) {
    const double number =
        listed ? parse_value(info, value, deck, true) : parse_expression(value, &deck, true);
    if (listed && info.type == ValueType::choice) {
      each.words.emplace_back(value);
    } else {
      each.numbers.push_back(number);
      each.expressions.emplace_back(value);
    }
  }
  const auto is_plain = [](const std::string& value) { return parse_real(value).has_value(); };
  if (std::ranges::all_of(each.expressions, is_plain)) each.expressions.clear();
  if (!listed) check_drawn(each);
  return each;
}

void Deck::read_each_rod() {
  Value& lines = values_["rod.each"_key.place];
  Value in_force;
  in_force.given = lines.given;
  for_each_line("rod.each"_key, [&](const std::string& text, const std::string& place) {
    EachRod each = parse_each_rod(text, *this);
    each.place = place;
    const auto earlier = std::ranges::find(each_rod_, each.address, &EachRod::address);
    if (earlier == each_rod_.end()) {
      in_force.texts.push_back(text);
      in_force.places.push_back(place);
    } else if (place == command_line_place && earlier->place != command_line_place) {
      const auto line = static_cast<std::size_t>(earlier - each_rod_.begin());
      in_force.texts[line] = text;
      in_force.places[line] = place;
      *earlier = std::move(each);
      return;
    } else {
      throw std::invalid_argument(each.address.name() + " has values already, in " + earlier->place);
    }
    each_rod_.push_back(std::move(each));
  });
  lines = std::move(in_force);
}

void Deck::read_lists() {
  for_each_line("rod.lists"_key, [&](const std::string& text, const std::string& place) {
    lists_.push_back(parse_rod_list(text));
    lists_.back().place = place;
  });
  std::ranges::stable_sort(lists_, {}, &RodList::rod);
}

bool EachRod::names_itself() const {
  return std::ranges::any_of(expressions,
                             [&](const std::string& text) { return names_word(text, address.name()); });
}

void Deck::check_varied(const ParameterAddress& address) const {
  if (address.key == "variable.NAME"_key) number(address);
  for (const EachRod& each : each_rod_) {
    if (each.address != address || each.names_itself()) continue;
    throw std::invalid_argument(address.name() + " has a value for each rod, by rod.each (" + each.place +
                                "), and cannot be varied; values of rod.each that name it, as " +
                                address.name() + "*2, vary with it");
  }
}

Deck Deck::for_rod(int k) const {
  const int rods = rod_count(*this);
  for (const EachRod& each : each_rod_) {
    if (each.kind != EachRod::Kind::list || each.count() == static_cast<std::size_t>(rods)) continue;
    throw DeckError(each.place + ": rod.each: " + each.address.name() + " has " +
                    std::to_string(each.count()) + " values for rod.count = " + std::to_string(rods) + " (" +
                    place(count_key(*this)) + ")");
  }
  for (const Key key : listed_keys) {
    const auto of_key = [&](const RodList& list) { return list.key == key; };
    const auto lists = std::ranges::count_if(lists_, of_key);
    if (lists == 0) continue;
    for (int rod = 0; rod < std::max(rods, static_cast<int>(lists)); ++rod) {
      const std::span<const RodList> own = lists_of_rod(lists_, rod);
      if (rod < rods && lists == rods && std::ranges::count_if(own, of_key) == 1) continue;
      throw DeckError(lists_.front().place + ": rod.lists: " + std::string(key_info(key).name) +
                      " stands there for " + std::to_string(lists) +
                      " rods, not once for each of rod.count = " + std::to_string(rods));
    }
  }
  Deck own = *this;
  own.member_rods_ = rods;
  own.each_rod_.clear();
  own.lists_.clear();
  own.values_["rod.each"_key.place] = {};
  own.values_["rod.lists"_key.place] = {};
  give_rod(k, own);
  return own;
}

void Deck::give_rod(int k, Deck& own) const {
  const auto seed = static_cast<std::uint64_t>(integer("rod.placement_seed"_key));
  const auto rod = static_cast<std::size_t>(k);
  for (const RodList& list : lists_of_rod(lists_, k)) {
    own.values_[list.key.place] = {true, *list.numbers, {}, {list.place}};
  }
  for (const EachRod& each : each_rod_) {
    Value& value = own.values_[each.address.key.place];
    if (!each.words.empty()) {
      value.texts = {each.words[rod]};
      value.given = true;
    } else {
      make_room(each, each_rod_, own);
      located(each.place + ": rod.each", [&] { own.set(each.address, each_number(each, seed, k)); });
    }
    value.places = {each.place};
  }
}

double Deck::each_number(const EachRod& each, std::uint64_t seed, int k) const {
  const bool listed = each.kind == EachRod::Kind::list;
  if (each.expressions.empty())
    return listed ? each.numbers[static_cast<std::size_t>(k)] : drawn_number(each, seed, k);
  const auto number = [&](std::size_t entry) {
    return parse_expression(each.expressions[entry], this, true);
  };
  if (listed) {
    const double value = number(static_cast<std::size_t>(k));
    check_value(key_info(each.address.key), value);
    return value;
  }
  EachRod now = each;
  now.numbers = {number(0), number(1)};
  check_drawn(now);
  return drawn_number(now, seed, k);
}

void Deck::take_scene(const std::string& deck_path, const SceneReader& read_scene) {
  if (choice("rod.placement"_key) != "file") return;
  require(*this, "rod.scene"_key, "rod.placement = file needs it");
  const std::filesystem::path path = texts("rod.scene"_key).front();
  const std::string file = (std::filesystem::path(deck_path).parent_path() / path).string();
  Value lines;
  lines.given = true;
  std::vector<EachRod> columns;
  const TableUse use = {.what = "scene (rod.scene, " + place("rod.scene"_key) + ")",
                        .most_values = most_scene_values,
                        .whole = "a scene"};
  for (const PointColumn& column : read_scene_columns(file, read_scene, use)) {
    std::string text = column.address.name() + " : list(" + column.values + ")";
    located(column.place, [&] {
      check_varied(column.address);
      columns.push_back(parse_each_rod(text, *this));
    });
    columns.back().place = column.place;
    // Zeros stand in for a list without default, such as rod.normal, whose entries are columns.
    Value& base = values_[column.address.key.place];
    const std::size_t length = key_info(column.address.key).list_length;
    if (length > 0 && base.numbers.empty())
      base = {true, std::vector<double>(length, 0.0), {}, {column.place}};
    lines.texts.push_back(std::move(text));
    lines.places.push_back(column.place);
  }
  const std::size_t rods = columns.front().count();
  const KeyInfo& count = key_info("rod.count"_key);
  if (static_cast<double>(rods) > count.maximum) {
    throw DeckError(file + ": " + std::to_string(rods) + " rods in this " + use.what +
                    ", which are more than a member may have (rod.count: " + allowed_values(count) + ")");
  }
  if (integer("rod.count"_key) != 1 && integer("rod.count"_key) != static_cast<std::int64_t>(rods)) {
    throw error("rod.count"_key,
                "is not the " + std::to_string(rods) + " rods of " + file + "; leave it out");
  }
  values_["rod.count"_key.place] = {true, {static_cast<double>(rods)}, {}, {place("rod.scene"_key)}};
  values_["rod.placement"_key.place].texts = {"each"};
  values_["rod.scene"_key.place] = {};
  Value& each = values_["rod.each"_key.place];
  each.given = true;
  each.texts.insert(each.texts.begin(), lines.texts.begin(), lines.texts.end());
  each.places.insert(each.places.begin(), lines.places.begin(), lines.places.end());
  scene_columns_ = columns.size();
  scene_file_ = file;
  columns.insert(columns.end(), each_rod_.begin(), each_rod_.end());
  each_rod_ = std::move(columns);
}

}  // namespace rodeo
