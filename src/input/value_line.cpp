#include "value_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <stdexcept>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

#include "deck_checks.hpp"
#include "formula_text.hpp"
#include "line_reader.hpp"
#include "nearest_name.hpp"

namespace rodeo {

namespace {

constexpr std::string_view with = "with";
constexpr std::string_view blanks = " \t";

struct Form {
  Key key;
  std::string_view signature;
  std::string_view options;  ///< `start s log`: a value is one letter, or stands in brackets

  /// `list(`
  std::string_view head() const { return signature.substr(0, signature.find_first_of("([") + 1); }
  std::string_view name() const { return head().substr(0, head().size() - 1); }
};

std::vector<Form> forms_of(std::initializer_list<Key> keys) {
  std::vector<Form> forms;
  for (const Key key : keys) {
    const std::string_view text = key_info(key).text.substr(key_info(key).text.find(':') + 1);
    for (const std::string_view form : split(text.substr(0, text.find(", ")), '|')) {
      const std::size_t end = form.find_first_of(")]") + 1;
      forms.push_back({key, form.substr(0, end), trimmed(form.substr(end))});
    }
  }
  return forms;
}

std::string listing_of(const std::vector<Form>& forms) {
  std::string text;
  for (const Form& form : forms) {
    text.append(text.empty() ? "" : " | ").append(form.signature).append(form.options.empty() ? "" : " ");
    text.append(form.options);
  }
  return text;
}

using Option = std::pair<std::string_view, std::string_view>;
using Options = std::vector<Option>;

/// Names of options, each with the name of its value.
Options options_of(const Form& form) {
  Options options;
  for (const std::string_view word : split(form.options, ' ')) {
    const bool is_value = word.size() == 1 || word.starts_with('[');
    if (is_value) options.back().second = word;
    if (!is_value && !word.empty()) options.emplace_back(word, "");
  }
  return options;
}

/// Place of the bracket that closes the one at `open`; npos if there is none.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[') ++depth;
    if ((text[at] == ')' || text[at] == ']') && --depth == 0) return at;
  }
  return text.npos;
}

/// End of a value, whose characters before `at` are its own: at a word behind it, which is the next option.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  for (at = text.find_first_not_of(blanks, at); at < text.size(); ++at) {
    const std::size_t before = text.find_last_not_of(blanks, at - 1);
    const bool begins = before + 1 < at && is_letter(text[at]);
    if (begins && std::string_view("+-*/^(,?:<>=&|").find(text[before]) == text.npos) return at;
  }
  return text.size();
}

/// Reads what stands behind the form of a line, up to the word with.
void read_options(std::string_view left, const Form& form, ValueLine& line) {
  const Options known = options_of(form);
  while (!(left = trimmed(left)).empty()) {
    const std::string_view word = left.substr(0, left.find_first_of(" \t["));
    if (word == with && word.size() < left.size()) {
      line.rest = trimmed(left.substr(word.size()));
      return;
    }
    const auto option = std::ranges::find(known, word, &Option::first);
    if (option == known.end()) {
      std::vector<std::string_view> names;
      for (const auto& [name, value] : known) names.push_back(name);
      refuse_text(left, "is left over behind " + std::string(form.signature) +
                            (names.empty() ? "" : ", which " + std::string(form.options) + " may follow") +
                            did_you_mean(word, names));
    }
    if (line.option(word)) refuse_text(word, "stands twice");
    const std::size_t first = left.find_first_not_of(blanks, word.size());
    if (first == left.npos && !option->second.empty())
      refuse_text(word, "has no value: write " + std::string(word) + " " + std::string(option->second));
    const std::size_t end = option->second.empty() ? word.size() : end_of_value(left, first + 1);
    line.options.emplace_back(word, trimmed(left.substr(word.size(), end - word.size())));
    left.remove_prefix(end);
  }
}

/// These keys and sections hold for a study as a whole: one value for all its members.
bool is_same_for_all_members(std::string_view name) {
  constexpr auto beginnings = std::to_array<std::string_view>(
      {"study.", "sweep.", "refine.", "convergence.", "optimize.", "fidelity.", "sensitivity.", "modes.",
       "output.", "model.kind", "model.precision", "model.device", "time.method", "time.scheme"});
  return std::ranges::any_of(beginnings, [&](std::string_view begin) { return name.starts_with(begin); });
}

/// Bound on KEY[i:j], so that a mistyped number cannot exhaust the memory.
constexpr int most_entries = 10000;

int parse_entry(std::string_view text) {
  int entry = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), entry);
  if (error != std::errc{} || end != text.data() + text.size() || entry < 0 || entry > most_entries) {
    throw std::invalid_argument(in_quotes(text) + " is no entry of a list (a whole number from 0 to " +
                                std::to_string(most_entries) + ")");
  }
  return entry;
}

int parse_index(const KeyInfo& info, std::string_view text) {
  int index = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  const bool inside = info.list_length == 0 || index < static_cast<int>(info.list_length);
  if (!whole || index < 0 || !inside) {
    throw std::invalid_argument(std::string(info.name) + " has no entry [" + std::string(text) + "] (" +
                                allowed_values(info) + ", counted from [0])");
  }
  return index;
}

}  // namespace

void refuse_text(std::string_view text, const std::string& reason) {
  throw std::invalid_argument(in_quotes(text) + " " + reason);
}

ValueLine::ValueLine(std::string_view line, std::initializer_list<Key> keys) {
  const std::vector<Form> forms = forms_of(keys);
  const std::size_t colon = end_of_address(line);
  if (colon == line.npos) refuse_text(line, "is not of the form KEY : " + listing_of(forms));
  address = trimmed(line.substr(0, colon));
  const std::string_view call = trimmed(line.substr(colon + 1));
  const std::size_t open = call.find_first_of("([");
  const std::size_t close = closing(call, open);
  if (close == call.npos) refuse_text(call, "is not of the form " + listing_of(forms));
  const std::string_view name = trimmed(call.substr(0, open));
  const auto found = std::ranges::find_if(
      forms, [&](const Form& known) { return known.name() == name && known.head().back() == call[open]; });
  if (found == forms.end()) {
    std::vector<std::string_view> names;
    for (const Form& known : forms) names.push_back(known.name());
    refuse_text(name.empty() ? call.substr(0, close + 1) : name,
                "is none of " + listing_of(forms) + did_you_mean(name, names));
  }
  key = found->key;
  signature = found->signature;
  form = found->name();
  written = call.substr(0, close + 1);
  arguments = arguments_of(call.substr(open + 1, close - open - 1));
  const std::string_view inside = signature.substr(form.size() + 1, signature.size() - form.size() - 2);
  const std::size_t wanted = inside.ends_with("...") ? 0 : arguments_of(inside).size();
  if (wanted == 0 ? arguments.empty() : arguments.size() != wanted) {
    throw std::invalid_argument(std::string(signature) + " takes " +
                                (wanted == 0   ? "one value or more"
                                 : wanted == 2 ? "two numbers"
                                               : "three numbers") +
                                ", not " + std::to_string(arguments.size()));
  }

  read_options(call.substr(close + 1), *found, *this);
}

std::optional<std::string_view> ValueLine::option(std::string_view word) const {
  const auto found = std::ranges::find(options, word, &Option::first);
  return found == options.end() ? std::nullopt : std::optional(found->second);
}

void ValueLine::expect_end() const {
  if (!rest.empty()) throw std::invalid_argument("'with' is left over behind " + std::string(written));
}

std::pair<double, double> parse_bounds(std::string_view text, const Deck& deck) {
  const bool in_brackets = text.size() > 1 && text.front() == '[' && text.back() == ']';
  const auto ends = arguments_of(in_brackets ? text.substr(1, text.size() - 2) : "");
  if (ends.size() != 2) refuse_text(text, "is not of the form [lower, upper]");
  constexpr double no_end = std::numeric_limits<double>::infinity();
  const auto end = [&](std::string_view number) {
    return number == "inf" ? no_end : number == "-inf" ? -no_end : parse_expression(number, &deck);
  };
  const std::pair<double, double> bounds(end(ends[0]), end(ends[1]));
  if (bounds.first < bounds.second) return bounds;
  refuse_text(text, "has no values: lower must be below upper");
}

double parse_value(const KeyInfo& info, std::string_view text, const Deck& deck, bool one_rod) {
  if (info.type == ValueType::choice) return choice_number(info, text);
  const double value = parse_expression(text, &deck, one_rod);
  check_value(info, value, text);
  return value;
}

std::string ParameterAddress::name() const {
  const std::string key_name =
      variable.empty() ? std::string(key_info(key).name) : std::string(variable_section).append(variable);
  return index < 0 ? key_name : key_name + "[" + std::to_string(index) + "]";
}

std::size_t end_of_address(std::string_view line) {
  const std::size_t bracket = line.find('[');
  const std::size_t colon = line.find(':');
  if (colon == line.npos || bracket > colon) return colon;
  const std::size_t end = line.find(']', bracket);
  return end == line.npos ? end : line.find(':', end);
}

std::vector<ParameterAddress> parse_parameter_addresses(std::string_view text) {
  text = trimmed(text);
  const std::size_t bracket = text.find('[');
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return {parse_parameter_address(text)};
  if (bracket > colon || text.back() != ']') {
    throw std::invalid_argument(in_quotes(text) + " is not of the form KEY[i:j]");
  }
  const std::string name(trimmed(text.substr(0, bracket)));
  const int first = parse_entry(trimmed(text.substr(bracket + 1, colon - bracket - 1)));
  const int end = parse_entry(trimmed(text.substr(colon + 1, text.size() - colon - 2)));
  if (first >= end) {
    throw std::invalid_argument(in_quotes(text) + " has no entries: KEY[i:j] is the entries i to j-1");
  }
  std::vector<ParameterAddress> addresses;
  for (int entry = first; entry < end; ++entry) {
    addresses.push_back(parse_parameter_address(name + "[" + std::to_string(entry) + "]"));
  }
  return addresses;
}

ParameterAddress parse_parameter_address(std::string_view text) {
  text = trimmed(text);
  const std::size_t bracket = text.find('[');
  const std::string_view name = trimmed(text.substr(0, bracket));
  const Key key = find_key(name);
  if (key == no_key) throw std::invalid_argument(unknown_key_message(name));
  const KeyInfo& info = key_info(key);
  if (info.type == ValueType::text) {
    throw std::invalid_argument(std::string(name) +
                                " is neither a number nor a choice of words and cannot be varied");
  }
  if (is_same_for_all_members(name)) {
    const bool is_method = name.starts_with("model.") || name.starts_with("time.");
    throw std::invalid_argument(
        std::string(name) + " holds for the study as a whole and cannot be varied" +
        (is_method ? "; run the deck once for each value: --" + std::string(name) + "=VALUE --output VALUE.h5"
                   : ""));
  }
  if (key == "variable.NAME"_key) {
    const bool is_entry = bracket != text.npos && text.back() == ']';
    return {key,
            is_entry ? parse_index(info, trimmed(text.substr(bracket + 1, text.size() - bracket - 2))) : -1,
            std::string(name.substr(variable_section.size()))};
  }
  if (info.type != ValueType::real_list) {
    if (bracket != std::string_view::npos) {
      const std::string single = info.type == ValueType::choice ? " is one word" : " is one number";
      throw std::invalid_argument(std::string(name) + single + ", not a list; write it without [...]");
    }
    return {key, -1};
  }
  if (bracket == std::string_view::npos || text.back() != ']') {
    throw std::invalid_argument(std::string(name) + " is a list; name one entry of it, as in " +
                                std::string(name) + "[0]");
  }
  return {key, parse_index(info, trimmed(text.substr(bracket + 1, text.size() - bracket - 2)))};
}

}  // namespace rodeo
