#include <algorithm>

#include "rodeo/input/edit_distance.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

std::string_view without_section(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

}  // namespace

std::string_view nearest_key(std::string_view name) {
  constexpr std::size_t longest_plausible = 64;  // a hostile deck must not buy time with long names
  if (name.size() > longest_plausible) return {};
  const std::size_t tolerance = std::max<std::size_t>(2, name.size() / 4);
  std::string_view nearest;
  std::size_t nearest_distance = longest_plausible;
  for (const KeyInfo& info : key_table()) {
    const std::size_t distance = edit_distance(name, info.name);
    // A key in the wrong section, or without one, is meant however far the sections' names are apart.
    const bool near = distance <= tolerance || without_section(name) == without_section(info.name);
    if (near && distance < nearest_distance) {
      nearest = info.name;
      nearest_distance = distance;
    }
  }
  return nearest;
}

std::string unknown_key_message(std::string_view name) {
  const std::string_view nearest = nearest_key(name);
  return "unknown key " + in_quotes(name) +
         (nearest.empty() ? "; `rodeo keys` lists all keys" : "; did you mean " + std::string(nearest) + "?");
}

}  // namespace rodeo
