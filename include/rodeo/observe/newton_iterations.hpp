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

}  // namespace rodeo::observe
