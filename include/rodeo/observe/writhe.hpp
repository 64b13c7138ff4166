#pragma once

#include <cmath>
#include <vector>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Writhe of the polygon through the nodes, exact. Of a closed one the last node is the first. Neighbours
/// have no share in it.
double polygon_writhe(const std::vector<Vec3>& nodes, bool closed = false);

std::vector<Vec3> nodes_of(const ConstRodView& rod);

/// Writhe of the centre line.
double centre_line_writhe(const ConstRodView& rod, bool closed = false);

/// Twist between the end elements' directors, in turns: the integral of kappa_3 along the rod, of a closed
/// rod once around.
double turns_of_twist(const ConstRodView& rod, bool closed = false);

/// Linking number of a closed rod, writhe + twist about the centre line: a constant of the motion, Phi/2 pi
/// for a ring that was closed with a total twist Phi. First directors are carried from d3, which turns at the
/// seam, to the tangent.
double closed_linking_number(const ConstRodView& rod);

/// Linking number of the first directors with the centre line (White's formula, writhe + twist), both
/// prolonged straight beyond the clamps at the ends: what clamps are turned by, as long as the rod does not
/// pass through itself. The twist is that about the tangents; with shear it is not the integral of kappa_3,
/// which is about d3 (in a tight coil they differ by a third of a turn per turn). NaN for an open rod without
/// two clamps.
double linking_number(const Observation& o);

inline constexpr Observable writhe = {
    "writhe", "1", "writhe of the centre line; of several rods, of the last one's",
    [](const Observation& o) { return centre_line_writhe(o.state, o.spec.rod.closed); }};
inline constexpr Observable twist_turns = {
    "twist_turns", "1",
    "twist from the first element to the last, of a closed rod once around, over 2 pi; of several rods, of "
    "the last one",
    [](const Observation& o) { return turns_of_twist(o.state, o.spec.rod.closed); }};

inline constexpr Observable link = {
    "link", "1",
    "turns put into a rod: writhe and twist about the centre line, of a closed rod or prolonged beyond two "
    "clamped ends; NaN for others; of several rods, of the last one",
    linking_number};

/// Gauss linking integral of two rods: how many turns they wind around each other, counted over all
/// directions of view, right-handed positive where the rods run the same way. Exact for polygons, a whole
/// number for closed ones.
double gauss_integral(const ConstRodView& a, const ConstRodView& b);

/// Sum of the Gauss integrals of a rod with others.
double winding_around(const ConstRodView& rod, const std::vector<ConstRodView>& others);

inline constexpr Observable winding = {
    "winding",
    "1",
    "turns that the last rod winds around the others: Gauss's integral with each, summed; NaN for a single "
    "rod",
    [](const Observation& o) { return o.others.empty() ? std::nan("") : winding_around(o.state, o.others); },
    Known::always,
    "rod.count > 1"};

}  // namespace rodeo::observe
