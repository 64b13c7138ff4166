#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace rodeo::observe {

/// Observables that members reported in earlier revisions and do not any more. Files that hold them go on.
inline constexpr std::array<std::string_view, 2> retired_observables = {"objective_bound", "objective_gain"};

constexpr bool is_retired(std::string_view name) {
  return std::ranges::find(retired_observables, name) != retired_observables.end();
}

}  // namespace rodeo::observe
