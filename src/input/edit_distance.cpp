#include "edit_distance.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace rodeo {

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

}  // namespace rodeo
