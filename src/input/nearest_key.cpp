#include <algorithm>
#include <vector>

#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

#include "edit_distance.hpp"

namespace rodeo {

namespace {

std::string_view without_section(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

}  // namespace

std::string_view nearest_key(std::string_view name) {
  if (name.size() > longest_plausible_name) return {};
  std::vector<std::string_view> names;
  std::vector<std::string_view> in_other_sections;
  for (const KeyInfo& info : key_table()) {
    names.push_back(info.name);
    if (without_section(name) == without_section(info.name)) in_other_sections.push_back(info.name);
  }
  const std::string_view nearest = nearest_name(name, names);
  if (!nearest.empty() || in_other_sections.empty()) return nearest;
  // A key in the wrong section, or without one, is meant however far the sections' names are apart.
  return *std::ranges::min_element(in_other_sections, {},
                                   [&](std::string_view key) { return edit_distance(name, key); });
}

std::string unknown_key_message(std::string_view name) {
  const std::string_view nearest = nearest_key(name);
  return "unknown key " + in_quotes(name) +
         (nearest.empty() ? "; `rodeo keys` lists all keys" : "; did you mean " + std::string(nearest) + "?");
}

}  // namespace rodeo
