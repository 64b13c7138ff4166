#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "rodeo/observe/observables.hpp"

namespace rodeo {

/// What a deck must say for an observable to have a number, as rodeo::parse_need() reads it.
struct ObservableNeed {
  std::string_view name;
  std::string_view need;
};

namespace observe {

inline constexpr std::string_view implicit_contact = "model.kind = der and contact.kind = imc|ipc";
inline constexpr std::string_view stokeslets =
    "model.kind = der and fluid.kind = stokeslets and fluid.viscosity > 0 or fluid.reynolds";
inline constexpr std::string_view reference =
    "convergence.reference = hanging|timoshenko|helix_envelope|twist_wave";

/// The table of needs. What is not in it, rods of any model report.
inline constexpr auto needs = std::to_array<ObservableNeed>({
    {"profile_error_l1", reference},
    {"profile_error_l2", reference},
    {"profile_error_linf", reference},
    {"forward_speed", "muscle.period"},
    {"lateral_speed", "muscle.period"},
    {"gait_width", "muscle.period"},
    {"winding", "rod.count > 1"},
    {"function_value", "model.kind = function"},
    {"newton_iterations_per_step", "model.kind = der"},
    {"newton_iterations_per_contact_step", implicit_contact},
    {"contact_steps", implicit_contact},
    {"contact_gap_min", implicit_contact},
    {"fluid_force", stokeslets},
    {"fluid_iterations_per_step", stokeslets},
    {"objective_bound", "optimize.largest_gain"},
    {"objective_gain", "optimize.largest_gain"},
});
static_assert(std::ranges::all_of(needs,
                                  [](const ObservableNeed& row) {
                                    return observable_index(row.name) < observables.size();
                                  }),
              "a need of no observable");

}  // namespace observe

/// Empty if any rods have a number for it.
constexpr std::string_view observable_need(std::string_view name) {
  const auto* const found = std::ranges::find(observe::needs, name, &ObservableNeed::name);
  return found == observe::needs.end() ? "" : found->need;
}

}  // namespace rodeo
