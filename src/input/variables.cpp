#include <algorithm>
#include <stdexcept>

#include "rodeo/input/assignments.hpp"
#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/placement.hpp"

#include "formula_text.hpp"
#include "line_reader.hpp"
#include "nearest_name.hpp"
#include "spec_parts.hpp"
#include "value_check.hpp"

namespace rodeo {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace

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
