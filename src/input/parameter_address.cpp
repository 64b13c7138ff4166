#include "parameter_address.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

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
