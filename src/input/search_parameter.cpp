#include "search_parameter.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "rodeo/input/number_text.hpp"

#include "value_check.hpp"

namespace rodeo {

namespace {

constexpr std::string_view parameter_grammar = "KEY : [lower, upper] start s scale d log";

/// Bound on KEY[i:j], so that a mistyped number cannot exhaust the memory.
constexpr int most_entries = 10000;

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

/// The colon between KEY and the rest, which is not the one in KEY[i:j].
std::size_t separator(std::string_view text) {
  const std::size_t bracket = text.find('[');
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || bracket > colon) return colon;
  const std::size_t end = text.find(']', bracket);
  return end == std::string_view::npos ? end : text.find(':', end);
}

int parse_entry(std::string_view text) {
  int entry = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), entry);
  if (error != std::errc{} || end != text.data() + text.size() || entry < 0 || entry > most_entries) {
    refuse_parameter(text,
                     "is no entry of a list (a whole number from 0 to " + std::to_string(most_entries) + ")");
  }
  return entry;
}

std::vector<ParameterAddress> parse_addresses(std::string_view text) {
  const std::size_t bracket = text.find('[');
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {parse_parameter_address(text)};
  const std::string name(trimmed(text.substr(0, bracket)));
  const int first = parse_entry(trimmed(text.substr(bracket + 1, colon - bracket - 1)));
  const int end = parse_entry(trimmed(text.substr(colon + 1, text.find(']') - colon - 1)));
  if (first >= end) refuse_parameter(text, "has no entries: KEY[i:j] is the entries i to j-1");
  std::vector<ParameterAddress> addresses;
  for (int entry = first; entry < end; ++entry) {
    addresses.push_back(parse_parameter_address(name + "[" + std::to_string(entry) + "]"));
  }
  return addresses;
}

/// The words behind the bounds: "start s", and perhaps "scale d" and "log".
void parse_words(std::string_view text, SearchParameter& parameter, bool& has_scale) {
  std::vector<std::string_view> words;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) words.push_back(word);
  }
  parameter.logarithmic = !words.empty() && words.back() == "log";
  if (parameter.logarithmic) words.pop_back();
  const bool well_formed =
      (words.size() == 2 || (words.size() == 4 && words[2] == "scale")) && words[0] == "start";
  if (text.empty()) throw std::invalid_argument("has no start: write start s behind the bounds");
  if (!well_formed)
    refuse_parameter(text, "is not of the form start s, or start s scale d, with log behind it or not");
  parameter.start = parse_number(words[1], "start");
  has_scale = words.size() == 4;
  if (has_scale) parameter.scale = parse_number(words[3], "scale");
  if (!(parameter.scale > 0.0)) refuse_parameter(words[3], "is no scale: it must be above 0");
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
  bool has_scale = false;
  parse_words(trimmed(text.substr(end + 1)), parameter, has_scale);
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
  if (has_scale) return parameter;
  parameter.scale = parameter.logarithmic ? std::log10(parameter.upper) - std::log10(parameter.lower)
                                          : parameter.upper - parameter.lower;
  if (!std::isfinite(parameter.scale)) {
    refuse_parameter(
        text, "needs a scale, as a bound is missing: start s scale d, with d what counts as a large change");
  }
  return parameter;
}

void check_key(const SearchParameter& parameter) {
  const KeyInfo& info = key_info(parameter.address.key);
  if (info.type == ValueType::choice) {
    throw std::invalid_argument(std::string(info.name) + " is not a number (" + allowed_values(info) +
                                "); only real numbers can be optimised");
  }
  if (info.type == ValueType::integer) {
    throw std::invalid_argument(std::string(info.name) +
                                " is a whole number; only real numbers can be optimised");
  }
  for (const double bound : {parameter.lower, parameter.upper}) {
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
  const std::size_t colon = separator(text);
  if (colon == std::string_view::npos)
    refuse_parameter(text, "is not of the form " + std::string(parameter_grammar));
  const std::vector<ParameterAddress> addresses = parse_addresses(trimmed(text.substr(0, colon)));
  SearchParameter parameter = parse_range(trimmed(text.substr(colon + 1)));
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
    for (const SearchParameter& parameter : parse_search_parameters(text)) {
      if (parameter.address.index >= 0) number(parameter.address);
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
