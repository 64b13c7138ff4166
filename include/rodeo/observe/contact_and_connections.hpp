#pragma once

#include <cmath>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr Observable contact_count = {"contact_count", "1",
                                             "pairs of elements, of a rod with itself or of two rods, in "
                                             "contact in the last step; 0 without contact.kind",
                                             [](const Observation& o) { return o.last.contact.touching; }};
inline constexpr Observable contact_depth_max = {"contact_depth_max", "m",
                                                 "deepest overlap of two elements in any step, the sum of "
                                                 "their radii less their distance; 0 without contact.kind",
                                                 [](const Observation& o) { return o.last.contact.deepest; }};
inline constexpr Observable friction_loss = {"friction_loss",
                                             "J",
                                             "energy that friction of rods on rods has taken: slip, and with "
                                             "contact.kind = penalty contact.damping along the surfaces",
                                             [](const Observation& o) {
                                               const bool touch = o.spec.contact.kind != ContactKind::none;
                                               return touch ? o.last.friction_loss : std::nan("");
                                             },
                                             Known::always,
                                             "contact.kind = penalty|imc|ipc"};
inline constexpr Observable ground_loss = {
    "ground_loss",
    "J",
    "energy that the ground's springs have lost: by slip, and by ground.damping out of the surface and along "
    "it; not what implicit steps take of fast vibrations",
    [](const Observation& o) {
      const GroundSpec& ground = o.spec.ground;
      const bool moves = o.spec.method != TimeMethod::equilibrium;
      return moves && ground.exists() && ground.response == GroundResponse::springs ? o.last.ground_loss
                                                                                    : std::nan("");
    },
    Known::always,
    "ground.kind = plane or ground.planes or ground.spheres or ground.cylinders or ground.platen and "
    "ground.response = springs or model.kind = der or time.method = implicit and time.method = "
    "dynamic|implicit"};
inline constexpr Observable ground_depth_relative = {
    "ground_depth_relative", "1",
    "greatest depth of an element in a surface of the ground, over its radius, at the ends of slices "
    "(of each step of implicit methods); "
    "elements that begin in the ground are left out; over 1 the centre line was below the surface",
    [](const Observation& o) { return o.ground_depth; }};

inline constexpr std::string_view implicit_contact = "contact.kind = imc|ipc";

inline constexpr Observable newton_iterations_per_contact_step = {
    "newton_iterations_per_contact_step",
    "1",
    "mean iterations of Newton's method in a step with contact; NaN without such steps",
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

inline constexpr Observable connection_energy = {
    "connection_energy", "J", "energy that springs, joints and bonds between rods store",
    [](const Observation& o) { return o.last.connection_energy; }};

inline constexpr Observable broken_bonds = {"broken_bonds", "1",
                                            "elements at which a bond between rods has broken",
                                            [](const Observation& o) { return o.last.broken_bonds; }};

}  // namespace rodeo::observe
