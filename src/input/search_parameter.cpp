#include "search_parameter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "rodeo/input/number_text.hpp"

#include "parameter_range.hpp"
#include "value_check.hpp"

namespace rodeo {

namespace {

constexpr std::string_view parameter_grammar =
    "KEY : [lower, upper] start s scale d log, or KEY : list(v,...) start v scale d";

[[noreturn]] void refuse_parameter(std::string_view text, const std::string& reason) {
  throw std::invalid_argument(in_quotes(text) + " " + reason);
}

double parse_number(std::string_view text, std::string_view what) {
  const std::optional<double> value = parse_real(text);
  if (!value) refuse_parameter(text, "is no finite decimal number for the " + std::string(what));
  return *value;
}

double parse_bound(std::string_view text, std::string_view what) {
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  return parse_number(text, what);
}

/// The words behind the bounds or the list: "start s", and perhaps "scale d".
struct Start {
  std::string_view start;
  std::optional<double> scale;
};

Start parse_start(std::string_view text, const std::vector<std::string_view>& words) {
  const bool well_formed =
      (words.size() == 2 || (words.size() == 4 && words[2] == "scale")) && words[0] == "start";
  if (!well_formed)
    refuse_parameter(text, "is not of the form start s, or start s scale d, with log behind it or not");
  Start found{words[1], {}};
  if (words.size() == 4) found.scale = parse_number(words[3], "scale");
  if (found.scale && !(*found.scale > 0.0)) refuse_parameter(words[3], "is no scale: it must be above 0");
  return found;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

/// The bounds, start and scale alone.
SearchParameter parse_range(std::string_view text) {
  const std::size_t end = text.find(']');
  if (text.empty() || text.front() != '[' || end == std::string_view::npos) {
    refuse_parameter(text, "is not of the form [lower, upper] start s");
  }
  const std::vector<std::string_view> bounds = split(text.substr(1, end - 1), ',');
  if (bounds.size() != 2) refuse_parameter(text.substr(0, end + 1), "is not of the form [lower, upper]");
  SearchParameter parameter;
  parameter.lower = parse_bound(bounds[0], "lower bound");
  parameter.upper = parse_bound(bounds[1], "upper bound");
  const std::string_view behind = trimmed(text.substr(end + 1));
  if (behind.empty()) throw std::invalid_argument("has no start: write start s behind the bounds");
  std::vector<std::string_view> words = words_of(behind);
  parameter.logarithmic = words.back() == "log";
  if (parameter.logarithmic) words.pop_back();
  const Start start = parse_start(behind, words);
  parameter.start = parse_number(start.start, "start");
  if (!(parameter.lower < parameter.upper)) {
    refuse_parameter(text.substr(0, end + 1), "has no values: lower must be below upper");
  }
  if (parameter.start < parameter.lower || parameter.start > parameter.upper) {
    throw std::invalid_argument("start " + format_real(parameter.start) + " is outside the bounds [" +
                                std::string(bounds[0]) + ", " + std::string(bounds[1]) + "]");
  }
  if (parameter.logarithmic && parameter.lower <= 0.0) {
    refuse_parameter(text.substr(0, end + 1), "has no logarithms: with log both bounds must be above 0");
  }
  if (start.scale) {
    parameter.scale = *start.scale;
    return parameter;
  }
  parameter.scale = parameter.logarithmic ? std::log10(parameter.upper) - std::log10(parameter.lower)
                                          : parameter.upper - parameter.lower;
  if (!std::isfinite(parameter.scale)) {
    refuse_parameter(
        text, "needs a scale, as a bound is missing: start s scale d, with d what counts as a large change");
  }
  return parameter;
}

double parse_value(const KeyInfo& info, std::string_view text) {
  if (info.type == ValueType::choice) return choice_number(info, text);
  return parse_number(text, "value of the list");
}

/// The values, start and scale alone.
SearchParameter parse_list(const KeyInfo& info, std::string_view text) {
  const std::size_t end = text.find(')');
  if (end == std::string_view::npos) refuse_parameter(text, "is not of the form list(v,...) start v");
  SearchParameter parameter;
  const std::size_t begin = text.find('(') + 1;
  for (const std::string_view value : split(text.substr(begin, end - begin), ',')) {
    parameter.values.push_back(parse_value(info, value));
    const double number = parameter.values.back();
    if (std::ranges::count(parameter.values, number) > 1) refuse_parameter(value, "stands in the list twice");
    const std::string_view problem = number_problem(info, number);
    if (!problem.empty()) throw std::invalid_argument(value_message(info, value, problem));
  }
  if (parameter.values.size() < 2) refuse_parameter(text.substr(0, end + 1), "has one value: nothing varies");
  const std::string_view behind = trimmed(text.substr(end + 1));
  if (behind.empty()) throw std::invalid_argument("has no start: write start v behind the list");
  const Start start = parse_start(behind, words_of(behind));
  parameter.start = parse_value(info, start.start);
  if (std::ranges::count(parameter.values, parameter.start) == 0)
    refuse_parameter(start.start, "does not stand in the list, in which the search is to start");
  const auto [lower, upper] = std::ranges::minmax(parameter.values);
  parameter.lower = lower;
  parameter.upper = upper;
  parameter.scale = start.scale.value_or(static_cast<double>(parameter.values.size() - 1));
  return parameter;
}

void check_key(SearchParameter& parameter) {
  const KeyInfo& info = key_info(parameter.address.key);
  if (!parameter.values.empty()) return;
  if (info.type == ValueType::choice) {
    throw std::invalid_argument(std::string(info.name) + " takes words (" + allowed_values(info) +
                                "), which have no bounds: write " + std::string(info.name) +
                                " : list(word,...) start word");
  }
  parameter.whole = info.type == ValueType::integer;
  for (const double bound : {parameter.lower, parameter.upper, parameter.start}) {
    const bool unbounded = std::isinf(info.minimum) && std::isinf(info.maximum);
    if (std::isinf(bound) && unbounded) continue;
    const std::string_view problem = std::isinf(bound) ? "a bound is missing" : number_problem(info, bound);
    if (!problem.empty()) {
      throw std::invalid_argument(value_message(info, format_real(bound), problem));
    }
  }
}

}  // namespace

std::vector<SearchParameter> parse_search_parameters(std::string_view text) {
  const std::size_t colon = end_of_address(text);
  if (colon == std::string_view::npos)
    refuse_parameter(text, "is not of the form " + std::string(parameter_grammar));
  const std::vector<ParameterAddress> addresses = parse_parameter_addresses(text.substr(0, colon));
  const std::string_view values = trimmed(text.substr(colon + 1));
  SearchParameter parameter =
      values.starts_with("list(") ? parse_list(key_info(addresses.front().key), values) : parse_range(values);
  std::vector<SearchParameter> parameters;
  for (const ParameterAddress& address : addresses) {
    parameter.address = address;
    check_key(parameter);
    parameters.push_back(parameter);
  }
  return parameters;
}

std::vector<SearchParameter> Deck::search_parameters() const {
  if (!has_value("optimize.parameter"_key)) {
    throw missing_error("optimize.parameter"_key, "study.kind = optimize needs at least one");
  }
  std::vector<SearchParameter> parameters;
  for_each_line("optimize.parameter"_key, [&](const std::string& text, const std::string&) {
    const std::vector<SearchParameter> line = parse_search_parameters(text);
    check_entries(line.front().address, line.size());
    for (const SearchParameter& parameter : line) {
      if (std::ranges::count(parameters, parameter.address, &SearchParameter::address) > 0) {
        throw std::invalid_argument(parameter.address.name() + " is a parameter already");
      }
      check_varied(parameter.address);
      parameters.push_back(parameter);
    }
  });
  return parameters;
}

}  // namespace rodeo
