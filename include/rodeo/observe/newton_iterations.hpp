#pragma once

#include <cmath>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Counted as in Tables 1 and 2 of Tong et al. 2024: linear solves, and one for the check that ends a step.
inline constexpr Observable newton_iterations_per_step = {
    "newton_iterations_per_step", "1",
    "mean iterations of Newton's method in a step; NaN for an explicit model", [](const Observation& o) {
      const cosserat::ImplicitSample& implicit = o.last.implicit;
      return implicit.steps > 0
                 ? static_cast<double>(implicit.iterations) / static_cast<double>(implicit.steps)
                 : std::nan("");
    }};

}  // namespace rodeo::observe
