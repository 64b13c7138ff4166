#include "deck_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "rodeo/input/number_text.hpp"

#include "formula_text.hpp"
#include "nearest_name.hpp"

namespace rodeo {

namespace {

double parse_number(const KeyInfo& info, std::string_view text) {
  double value = 0.0;
  try {
    value = parse_expression(text);
  } catch (const std::invalid_argument& reason) {
    throw std::invalid_argument(
        std::string("not a finite decimal number, which is written without its unit, nor an expression: ") +
        reason.what());
  }
  const std::string_view problem = number_problem(info, value);
  if (!problem.empty()) throw std::invalid_argument(std::string(problem));
  return value;
}

}  // namespace

void require(const Deck& deck, Key key, const std::string& reason) {
  if (!deck.has_value(key)) throw deck.missing_error(key, reason);
}

void refuse_both(const Deck& deck, Key first, Key second) {
  if (!deck.has_value(first) || !deck.has_value(second)) return;
  throw deck.error(second, "contradicts " + std::string(key_info(first).name) + " (" + deck.place(first) +
                               "): give only one of them");
}

bool gives_first(const Deck& deck, Key first, Key second) {
  refuse_both(deck, first, second);
  if (deck.has_value(first)) return true;
  if (deck.has_value(second)) return false;
  throw deck.missing_error(first, "or give " + std::string(key_info(second).name));
}

double derived(const Deck& deck, Key key, double value) {
  const double smallest = std::numeric_limits<double>::min();
  if (std::isfinite(value) && value >= smallest) return value;
  throw deck.error(key, "comes out as " + format_real(value) + " " + std::string(key_info(key).unit) +
                            " from the keys it is derived from; it must be a finite number above 0");
}

Vec3 direction(const Deck& deck, Key key, const Vec3& vector) {
  const double largest = std::max({std::abs(vector.x), std::abs(vector.y), std::abs(vector.z)});
  if (largest == 0.0) throw deck.error(key, "is the zero vector, which has no direction");
  return normalized({vector.x / largest, vector.y / largest, vector.z / largest});
}

Vec3 unit_vector(const Deck& deck, Key key) { return direction(deck, key, deck.vec3(key)); }

std::string_view number_problem(const KeyInfo& info, double value) {
  if (!std::isfinite(value)) return "not finite";
  const bool whole = info.type == ValueType::integer || info.type == ValueType::choice;
  if (whole && value != std::floor(value)) return "not a whole number";
  const bool too_small = info.minimum_excluded ? value <= info.minimum : value < info.minimum;
  if (too_small || value > info.maximum) return "out of range";
  return {};
}

void check_value(const KeyInfo& info, double value, std::string_view text) {
  const std::string_view problem = number_problem(info, value);
  if (!problem.empty()) throw std::invalid_argument(value_message(info, text, problem));
}

void check_value(const KeyInfo& info, double value) { check_value(info, value, format_real(value)); }

std::vector<std::string_view> arguments_of(std::string_view text) {
  std::vector<std::string_view> arguments;
  if (trimmed(text).empty()) return arguments;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (at < text.size() && (c != ',' || depth > 0)) continue;
    arguments.push_back(trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  return arguments;
}

std::vector<double> parse_numbers(const KeyInfo& info, std::string_view text) {
  if (info.type != ValueType::real_list) return {parse_number(info, text)};
  std::vector<double> numbers;
  for (const std::string_view entry : arguments_of(text)) numbers.push_back(parse_number(info, entry));
  if (info.list_length != 0 && numbers.size() != info.list_length) {
    throw std::invalid_argument("has " + std::to_string(numbers.size()) + " entries");
  }
  return numbers;
}

bool is_choice(const KeyInfo& info, std::string_view text) {
  return std::ranges::count(split(info.choices, '|'), text) == 1;
}

double choice_number(const KeyInfo& info, std::string_view word) {
  const std::vector<std::string_view> words = split(info.choices, '|');
  const auto place = std::ranges::find(words, word);
  if (place == words.end())
    throw std::invalid_argument(value_message(info, word, "no such choice" + did_you_mean(word, words)));
  return static_cast<double>(place - words.begin());
}

std::string_view choice_word(const KeyInfo& info, double number) {
  return split(info.choices, '|').at(static_cast<std::size_t>(number));
}

std::string allowed_with_unit(const KeyInfo& info) {
  const bool has_unit = !info.unit.empty() && info.unit != "1";
  return allowed_values(info) + (has_unit ? ", " + std::string(info.unit) : "");
}

std::string value_message(const KeyInfo& info, std::string_view value, std::string_view reason) {
  return std::string(info.name) + " = " + in_quotes(value) + " is not allowed (" + allowed_with_unit(info) +
         "): " + std::string(reason);
}

}  // namespace rodeo
