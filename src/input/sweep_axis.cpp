#include "sweep_axis.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "rodeo/input/number_text.hpp"

#include "parameter_range.hpp"
#include "value_check.hpp"

namespace rodeo {

namespace {

constexpr std::string_view grammar = "KEY : linspace(a,b,n) | logspace(a,b,n) | list(v,...)";

[[noreturn]] void refuse(std::string_view form, const std::string& reason) {
  throw std::invalid_argument(std::string(form) + " " + reason);
}

double parse_argument(std::string_view form, std::string_view text) {
  const std::optional<double> value = parse_real(text);
  if (!value) refuse(form, "takes finite decimal numbers, not " + in_quotes(text));
  return *value;
}

/// The arguments of linspace and logspace.
struct Spacing {
  double first = 0.0;
  double last = 0.0;
  std::size_t count = 0;
};

Spacing parse_spacing(std::string_view form, const std::vector<std::string_view>& arguments,
                      std::size_t most_values) {
  if (arguments.size() != 3) {
    refuse(form, "takes three arguments (first value, last value, number of values), not " +
                     std::to_string(arguments.size()));
  }
  const double count = parse_argument(form, arguments[2]);
  if (count < 2.0 || count != std::floor(count)) {
    refuse(form, "takes a whole number of at least 2 values, not " + in_quotes(arguments[2]) +
                     "; one value is written list(v)");
  }
  if (count > static_cast<double>(most_values)) {
    refuse(form, "with " + in_quotes(arguments[2]) + " values is too long: at most " +
                     std::to_string(most_values) + " more fit in a sweep");
  }
  return {parse_argument(form, arguments[0]), parse_argument(form, arguments[1]),
          static_cast<std::size_t>(count)};
}

std::vector<double> linear_values(const Spacing& spacing) {
  const auto intervals = static_cast<double>(spacing.count - 1);
  std::vector<double> values(spacing.count);
  for (std::size_t index = 0; index < spacing.count; ++index) {
    // Products before the division: whole numbers stay whole, tenths are the doubles nearest to them.
    const auto step = static_cast<double>(index);
    values[index] = (spacing.first * (intervals - step) + spacing.last * step) / intervals;
  }
  values.front() = spacing.first;
  values.back() = spacing.last;
  return values;
}

std::vector<double> geometric_values(const Spacing& spacing) {
  if (spacing.first <= 0.0 || spacing.last <= 0.0) {
    refuse("logspace", "takes the first and the last value themselves, both above 0 (not exponents)");
  }
  Spacing exponents = spacing;
  exponents.first = std::log10(spacing.first);
  exponents.last = std::log10(spacing.last);
  std::vector<double> values = linear_values(exponents);
  for (double& value : values) value = std::pow(10.0, value);
  values.front() = spacing.first;
  values.back() = spacing.last;
  return values;
}

/// Removes the rounding of pow() from values that are whole numbers, as in logspace(8,128,5) over
/// rod.elements.
void snap_to_whole_numbers(std::vector<double>& values) {
  constexpr double rounding = 1e-12;
  for (double& value : values) {
    const double whole = std::round(value);
    if (std::abs(value - whole) <= rounding * whole) value = whole;
  }
}

std::vector<double> list_values(const KeyInfo& info, const std::vector<std::string_view>& arguments,
                                std::size_t most_values) {
  if (arguments.size() > most_values) {
    refuse("list", "is too long: at most " + std::to_string(most_values) + " more values fit in a sweep");
  }
  std::vector<double> values;
  values.reserve(arguments.size());
  for (const std::string_view argument : arguments) {
    const bool word = info.type == ValueType::choice;
    values.push_back(word ? choice_number(info, argument) : parse_argument("list", argument));
  }
  return values;
}

/// The parts of a line between the words "with", each of which follows a parenthesis.
std::vector<std::string_view> axes_of_line(std::string_view text) {
  constexpr std::string_view with = "with";
  constexpr std::string_view blanks = " \t";
  std::vector<std::string_view> parts;
  for (std::size_t at = text.find(with); at != text.npos; at = text.find(with, at + 1)) {
    const std::string_view before = trimmed(text.substr(0, at));
    const std::size_t end = at + with.size();
    if (!before.ends_with(')') || end == text.size() || blanks.find(text[end]) == blanks.npos) continue;
    parts.push_back(before);
    text.remove_prefix(end);
    at = 0;
  }
  parts.push_back(trimmed(text));
  return parts;
}

}  // namespace

SweepAxis parse_sweep_axis(std::string_view text, std::size_t most_values) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) refuse(in_quotes(text), "is not of the form " + std::string(grammar));
  if (end_of_address(text) != colon) {
    refuse(in_quotes(trimmed(text.substr(0, end_of_address(text)))),
           "names several entries of a list; name one, and those that move with it behind the word with");
  }
  SweepAxis axis;
  axis.address = parse_parameter_address(text.substr(0, colon));
  const KeyInfo& info = key_info(axis.address.key);

  const std::string_view call = trimmed(text.substr(colon + 1));
  const std::size_t parenthesis = call.find('(');
  if (parenthesis == std::string_view::npos || call.back() != ')') {
    refuse(in_quotes(call), "is not of the form linspace(a,b,n), logspace(a,b,n) or list(v,...)");
  }
  const std::string_view form = trimmed(call.substr(0, parenthesis));
  const std::vector<std::string_view> arguments =
      split(call.substr(parenthesis + 1, call.size() - parenthesis - 2), ',');
  if (info.type == ValueType::choice && form != "list") {
    refuse(info.name,
           "takes words: list(" + std::string(info.choices.substr(0, info.choices.find('|'))) + ",...)");
  }
  if (form == "linspace") {
    axis.values = linear_values(parse_spacing(form, arguments, most_values));
  } else if (form == "logspace") {
    axis.logarithmic = true;
    axis.values = geometric_values(parse_spacing(form, arguments, most_values));
    if (info.type == ValueType::integer) snap_to_whole_numbers(axis.values);
  } else if (form == "list") {
    axis.listed = true;
    axis.values = list_values(info, arguments, most_values);
  } else {
    refuse(in_quotes(form), "is none of linspace(a,b,n), logspace(a,b,n), list(v,...)");
  }

  for (const double value : axis.values) {
    const std::string_view problem = number_problem(info, value);
    if (!problem.empty()) throw std::invalid_argument(value_message(info, format_real(value), problem));
  }
  const auto [lower, upper] = std::ranges::minmax(axis.values);
  axis.lower = lower;
  axis.upper = upper;
  return axis;
}

std::vector<SweepAxis> parse_sweep_line(std::string_view text, std::size_t most_values) {
  std::vector<SweepAxis> axes;
  for (const std::string_view part : axes_of_line(text)) {
    axes.push_back(parse_sweep_axis(part, most_values));
    most_values -= axes.back().values.size();
    const SweepAxis& first = axes.front();
    if (axes.back().values.size() == first.values.size()) continue;
    throw std::invalid_argument(
        axes.back().address.name() + " has " + std::to_string(axes.back().values.size()) + " values, and " +
        first.address.name() + ", with which it moves, has " + std::to_string(first.values.size()));
  }
  return axes;
}

}  // namespace rodeo
