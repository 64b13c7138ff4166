#include "nearest_name.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

/// The words of a name that say something.
std::vector<std::string_view> words_in_name(std::string_view name) {
  constexpr std::size_t shortest = 3;
  std::vector<std::string_view> words = split(name.substr(name.rfind('.') + 1), '_');
  std::erase_if(words, [](std::string_view word) { return word.size() < shortest; });
  return words;
}

}  // namespace

std::size_t edit_distance(std::string_view first, std::string_view second) {
  std::vector<std::size_t> before_last(second.size() + 1);
  std::vector<std::size_t> last(second.size() + 1);
  std::vector<std::size_t> current(second.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= first.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= second.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (first[i - 1] == second[j - 1] ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && first[i - 1] == second[j - 2] && first[i - 2] == second[j - 1];
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[second.size()];
}

std::string_view nearest_name(std::string_view mistyped, std::span<const std::string_view> names) {
  if (mistyped.size() > longest_plausible_name || names.empty()) return {};
  const auto distance = [&](std::string_view name) { return edit_distance(mistyped, name); };
  const std::string_view nearest = *std::ranges::min_element(names, {}, distance);
  return distance(nearest) <= std::max<std::size_t>(2, mistyped.size() / 4) ? nearest : std::string_view();
}

std::string did_you_mean(std::string_view mistyped, std::span<const std::string_view> names,
                         std::string_view before) {
  const std::string_view near = nearest_name(mistyped, names);
  return near.empty() ? "" : "; did you mean " + std::string(before) + std::string(near) + "?";
}

std::vector<std::string_view> near_names(std::string_view mistyped, std::span<const std::string_view> names) {
  constexpr std::size_t most = 3;
  if (mistyped.size() > longest_plausible_name) return {};
  if (const std::string_view nearest = nearest_name(mistyped, names); !nearest.empty()) return {nearest};
  const std::vector<std::string_view> words = words_in_name(mistyped);
  const auto shared = [&](std::string_view name) {
    return std::ranges::count_if(words_in_name(name), [&](std::string_view word) {
      return std::ranges::find(words, word) != words.end();
    });
  };
  std::vector<std::string_view> near;
  std::ranges::copy_if(names, std::back_inserter(near),
                       [&](std::string_view name) { return shared(name) > 0; });
  std::ranges::stable_sort(near, {}, [&](std::string_view name) {
    return std::pair(-shared(name), edit_distance(mistyped, name));
  });
  near.resize(std::min(near.size(), most));
  return near;
}

std::string question_of(std::span<const std::string_view> names) {
  std::string text = "did you mean ";
  for (std::size_t k = 0; k < names.size(); ++k) {
    text += k == 0 ? "" : k + 1 == names.size() ? " or " : ", ";
    text += names[k];
  }
  return text + "?";
}

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
