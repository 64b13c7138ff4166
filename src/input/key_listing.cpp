#include <algorithm>
#include <charconv>
#include <cmath>

#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

/// A bound as a person writes it: 1000000 rather than 1e+06.
std::string format_bound(double bound) {
  if (bound == 0x1p64) return "18446744073709551615";  // the largest seed, which no double holds
  constexpr double largest_plain = 1e15;
  if (bound == std::floor(bound) && std::abs(bound) < largest_plain) {
    return std::to_string(static_cast<std::int64_t>(bound));
  }
  return format_real(bound);
}

/// " > 0", " in [1, 1000000]", or nothing.
std::string format_range(const KeyInfo& info) {
  const bool bounded_below = std::isfinite(info.minimum);
  const bool bounded_above = std::isfinite(info.maximum);
  if (bounded_below && bounded_above) {
    return (info.minimum_excluded ? " in (" : " in [") + format_bound(info.minimum) + ", " +
           format_bound(info.maximum) + "]";
  }
  if (bounded_below) return (info.minimum_excluded ? " > " : " >= ") + format_bound(info.minimum);
  if (bounded_above) return " <= " + format_bound(info.maximum);
  return {};
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string_view section_of(std::string_view name) { return name.substr(0, name.find('.')); }

std::string_view unit_or_dash(const KeyInfo& info) { return info.unit.empty() ? "-" : info.unit; }

std::string_view default_or_dash(const KeyInfo& info) {
  return info.default_text.empty() ? "-" : info.default_text;
}

}  // namespace

std::string allowed_values(const KeyInfo& info) {
  switch (info.type) {
    case ValueType::real:
      return "real" + format_range(info);
    case ValueType::integer:
      return "integer" + format_range(info);
    case ValueType::choice:
      return "one of " + std::string(info.choices);
    case ValueType::real_list:
      return (info.list_length == 0 ? "comma-separated reals"
                                    : std::to_string(info.list_length) + " comma-separated reals") +
             format_range(info);
    case ValueType::text:
      return info.repeatable ? "text, repeatable" : "text";
  }
  return {};
}

std::string key_listing(std::string_view pattern) {
  std::size_t name_width = 0;
  std::size_t allowed_width = 0;
  std::size_t unit_width = 0;
  std::size_t default_width = 0;
  for (const KeyInfo& info : key_table()) {
    name_width = std::max(name_width, info.name.size());
    allowed_width = std::max(allowed_width, allowed_values(info).size());
    unit_width = std::max(unit_width, unit_or_dash(info).size());
    default_width = std::max(default_width, default_or_dash(info).size());
  }
  std::string listing;
  for (const KeyInfo& info : key_table()) {
    if (info.name.find(pattern) == std::string_view::npos) continue;
    listing += padded(std::string(info.name), name_width) + "  ";
    listing += padded(allowed_values(info), allowed_width) + "  ";
    listing += padded(std::string(unit_or_dash(info)), unit_width) + "  ";
    listing += "default " + padded(std::string(default_or_dash(info)), default_width) + "  ";
    listing += std::string(info.text) + "\n";
  }
  return listing;
}

std::string reference_deck() {
  std::string deck =
      "# Every key of a rodeo deck, made from the key table (src/input/keys.cpp).\n"
      "# Keys with a default stand with it; keys without one are commented out. SI units.\n";
  std::string_view section;
  for (const KeyInfo& info : key_table()) {
    if (section_of(info.name) != section) {
      section = section_of(info.name);
      deck.append("\n[").append(section).append("]\n");
    }
    deck.append("\n# ").append(info.text).append("\n# ").append(allowed_values(info));
    if (!info.unit.empty()) deck.append("; unit ").append(info.unit);
    const std::string_view name_in_section = info.name.substr(section.size() + 1);
    if (info.default_text.empty()) {
      deck.append("; no default\n# ").append(name_in_section).append(" =\n");
    } else {
      deck.append("; default ").append(info.default_text).append("\n");
      deck.append(name_in_section).append(" = ").append(info.default_text).append("\n");
    }
  }
  return deck;
}

}  // namespace rodeo
