#include <algorithm>
#include <charconv>
#include <cmath>

#include "rodeo/input/key_effects.hpp"
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

std::string_view section_of(std::string_view name) { return name.substr(0, name.find('.')); }

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

std::string reference_deck() {
  std::string deck =
      "# Every key of a rodeo deck, made from the key table (include/rodeo/input/keys).\n"
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
    deck.append(info.default_text.empty() ? "; no default" : "; default ").append(info.default_text);
    if (const std::string need = own_need(info.key); !need.empty()) deck.append("; needs ").append(need);
    deck.append("\n");
    if (info.default_text.empty()) {
      deck.append("# ").append(name_in_section).append(" =\n");
    } else {
      deck.append(name_in_section).append(" = ").append(info.default_text).append("\n");
    }
  }
  return deck;
}

}  // namespace rodeo
