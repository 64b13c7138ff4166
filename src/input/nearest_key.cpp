#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
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

namespace {

/// Words of other programs, and the words that keys have for them here.
constexpr std::pair<std::string_view, std::string_view> other_words[] = {
    {"diameter", "radius"}, {"thickness", "radius"},     {"dt", "step"},
    {"timestep", "step"},   {"duration", "end"},         {"tmax", "end"},
    {"mass", "density"},    {"nodes", "elements"},       {"segments", "elements"},
    {"mu", "friction"},     {"modulus", "young_modulus"}};

/// Keys that are meant by a name of the right section and a word of another program.
std::vector<std::string_view> keys_by_other_words(std::string_view name) {
  std::vector<std::string_view> keys;
  for (const auto& [other, own] : other_words) {
    if (without_section(name) != other) continue;
    const std::string key = std::string(name.substr(0, name.size() - other.size())).append(own);
    if (const Key found = find_key(key); found != no_key) keys.push_back(key_info(found).name);
  }
  return keys;
}

}  // namespace

std::string unknown_key_message(std::string_view name) {
  std::vector<std::string_view> near;
  if (name.size() <= longest_plausible_name) near = keys_by_other_words(name);
  if (near.empty()) {
    if (const std::string_view nearest = nearest_key(name); !nearest.empty()) near.push_back(nearest);
  }
  if (near.empty()) {
    std::vector<std::string_view> names;
    for (const KeyInfo& info : key_table()) names.push_back(info.name);
    near = near_names(name, names);
  }
  return "unknown key " + in_quotes(name) + "; " +
         (near.empty() ? "`rodeo keys` lists all keys" : question_of(near));
}

}  // namespace rodeo
