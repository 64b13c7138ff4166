#pragma once

#include <cmath>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr std::string_view solves = "model.kind = der|rigid or time.method = static|implicit";

/// Counted as in Tables 1 and 2 of Tong et al. 2023: linear solves, and one for the check that ends a step.
inline constexpr Observable newton_iterations_per_step = {
    "newton_iterations_per_step",
    "1",
    "mean iterations of Newton's method in a step; NaN for an explicit model",
    [](const Observation& o) {
      const ImplicitSample& implicit = o.last.implicit;
      return implicit.steps > 0
                 ? static_cast<double>(implicit.iterations) / static_cast<double>(implicit.steps)
                 : std::nan("");
    },
    Known::always,
    solves};

inline constexpr Observable newton_iterations = {
    "newton_iterations",
    "1",
    "iterations of Newton's method in all steps; NaN for an explicit model",
    [](const Observation& o) {
      const ImplicitSample& implicit = o.last.implicit;
      return implicit.steps > 0 ? static_cast<double>(implicit.iterations) : std::nan("");
    },
    Known::always,
    solves};

inline constexpr std::string_view stokeslets =
    "model.kind = der and fluid.kind = stokeslets and fluid.viscosity > 0 or fluid.reynolds";

/// Force of the fluid: the thrust of flagella that are held and turned.
inline constexpr Observable fluid_force = {
    "fluid_force",
    "N",
    "force of the fluid on all rods in the last step along rod.direction, of several rods the last one's; "
    "NaN without fluid.kind = stokeslets",
    [](const Observation& o) {
      return o.last.implicit.fluid_solves > 0 ? dot(o.last.implicit.fluid_force, o.spec.rod.direction)
                                              : std::nan("");
    },
    Known::always,
    stokeslets};

inline constexpr Observable fluid_iterations_per_step = {
    "fluid_iterations_per_step",
    "1",
    "mean iterations of a solve for the forces of the fluid, one a step; NaN without fluid.kind = stokeslets",
    [](const Observation& o) {
      const ImplicitSample& implicit = o.last.implicit;
      return implicit.fluid_solves > 0
                 ? static_cast<double>(implicit.fluid_iterations) / static_cast<double>(implicit.fluid_solves)
                 : std::nan("");
    },
    Known::always,
    stokeslets};

}  // namespace rodeo::observe
