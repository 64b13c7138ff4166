#include <algorithm>
#include <numeric>
#include <vector>

#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

/// Insertions, deletions, replacements and swaps of neighbours that turn `first` into `second` (optimal
/// string alignment).
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
