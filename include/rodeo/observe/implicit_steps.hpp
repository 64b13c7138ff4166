#pragma once

#include <cmath>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr std::string_view solves = "model.kind = der|rigid or time.method = static|implicit";
inline constexpr std::string_view implicit_contact = "contact.kind = imc|ipc";

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

inline constexpr Observable newton_iterations_per_contact_step = {
    "newton_iterations_per_contact_step",
    "1",
    "mean iterations of Newton's method in a step with contact; NaN without such "
    "steps",
    [](const Observation& o) {
      const ImplicitSample& implicit = o.last.implicit;
      return implicit.contact_steps > 0 ? static_cast<double>(implicit.contact_iterations) /
                                              static_cast<double>(implicit.contact_steps)
                                        : std::nan("");
    },
    Known::always,
    implicit_contact};

inline constexpr Observable contact_steps = {
    "contact_steps",
    "1",
    "steps with contact by contact.kind = imc or ipc; NaN for other kinds",
    [](const Observation& o) {
      const ContactKind kind = o.spec.contact.kind;
      return kind == ContactKind::imc || kind == ContactKind::ipc
                 ? static_cast<double>(o.last.implicit.contact_steps)
                 : std::nan("");
    },
    Known::always,
    implicit_contact};

inline constexpr Observable contact_gap_min = {
    "contact_gap_min",
    "1",
    "smallest gap between the surfaces of two elements over their mean radius in any step, negative where "
    "they overlap, of contact.kind = imc or ipc; NaN if none came nearer than contact.tolerance",
    [](const Observation& o) {
      const double gap = o.last.implicit.smallest_gap;
      return std::isfinite(gap) ? gap : std::nan("");
    },
    Known::always,
    implicit_contact};

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
