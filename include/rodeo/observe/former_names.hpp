#pragma once

#include <array>
#include <string_view>

namespace rodeo::observe {

/// A name that an observable had in earlier decks and files.
struct FormerName {
  std::string_view former;
  std::string_view present;
};

/// Decks may still use these; files are written with the present names. src/python/softrods/ensemble.py has
/// them too.
inline constexpr std::array former_names = {
    FormerName{"largest_length", "end_distance_max"},
    FormerName{"oscillation_period", "end_distance_period"},
};

constexpr std::string_view present_name(std::string_view name) {
  for (const FormerName& entry : former_names) {
    if (name == entry.former) return entry.present;
  }
  return name;
}

}  // namespace rodeo::observe
