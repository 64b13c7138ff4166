#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "rodeo/input/assignments.hpp"
#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

#include "sweep_axis.hpp"
#include "value_check.hpp"

namespace rodeo {

namespace {

/// Whether a rod may have a value of its own: not of what a member has once.
bool may_differ(const KeyInfo& info) {
  constexpr std::array<std::string_view, 4> sections = {"rod.", "boundary.", "joint.", "load."};
  constexpr std::array same = {"rod.count"_key, "rod.each"_key, "load.perturbation"_key,
                               "load.perturbation_duration"_key};
  const bool of_a_rod =
      std::ranges::any_of(sections, [&](std::string_view section) { return info.name.starts_with(section); });
  return of_a_rod && std::ranges::find(same, info.key) == same.end();
}

}  // namespace

EachRod parse_each_rod(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view call = colon == text.npos ? "" : trimmed(text.substr(colon + 1));
  const std::size_t parenthesis = call.find('(');
  if (parenthesis == call.npos || trimmed(call.substr(0, parenthesis)) != "list" || call.back() != ')') {
    throw std::invalid_argument(in_quotes(text) + " is not of the form KEY : list(v,...)");
  }
  EachRod each;
  each.address = parse_parameter_address(text.substr(0, colon));
  const KeyInfo& info = key_info(each.address.key);
  if (!may_differ(info)) {
    throw std::invalid_argument(std::string(info.name) +
                                " holds for a member as a whole; rods may differ in keys of rod, boundary, "
                                "joint and load only");
  }
  const bool word = info.type == ValueType::choice;
  const std::string_view list = call.substr(parenthesis + 1, call.size() - parenthesis - 2);
  for (const std::string_view value : split(list, ',')) {
    if (word) {
      if (!is_choice(info, value)) throw std::invalid_argument(value_message(info, value, "no such choice"));
      each.words.emplace_back(value);
      continue;
    }
    const std::optional<double> number = parse_real(value);
    if (!number) throw std::invalid_argument(value_message(info, value, "not a finite decimal number"));
    const std::string_view problem = number_problem(info, *number);
    if (!problem.empty()) throw std::invalid_argument(value_message(info, value, problem));
    each.numbers.push_back(*number);
  }
  return each;
}

void Deck::read_each_rod() {
  Value& lines = values_["rod.each"_key.place];
  Value in_force;
  in_force.given = lines.given;
  for_each_line("rod.each"_key, [&](const std::string& text, const std::string& place) {
    EachRod each = parse_each_rod(text);
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

void Deck::check_varied(const ParameterAddress& address) const {
  if (address.key == "variable.NAME"_key) number(address);
  for (const EachRod& each : each_rod_) {
    if (each.address == address) {
      throw std::invalid_argument(address.name() + " has a value for each rod, by rod.each (" + each.place +
                                  "), and cannot be varied");
    }
  }
}

Deck Deck::for_rod(int k) const {
  Deck deck = *this;
  const std::int64_t rods = integer("rod.count"_key);
  for (const EachRod& each : each_rod_) {
    if (each.count() != static_cast<std::size_t>(rods)) {
      throw DeckError(each.place + ": rod.each: " + each.address.name() + " has " +
                      std::to_string(each.count()) + " values for rod.count = " + std::to_string(rods) +
                      " (" + place("rod.count"_key) + ")");
    }
    const auto rod = static_cast<std::size_t>(k);
    Value& value = deck.values_[each.address.key.place];
    if (each.words.empty()) {
      deck.set(each.address, each.numbers[rod]);
    } else {
      value.texts = {each.words[rod]};
      value.given = true;
    }
    value.places = {each.place};
  }
  return deck;
}

}  // namespace rodeo
