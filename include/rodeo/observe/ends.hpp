#pragma once

#include <cmath>
#include <optional>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

inline constexpr Observable end_x = {"end_x", "m", "x of the last node; of several rods, of the last one's",
                                     [](const Observation& o) { return o.last.end.x; }};
inline constexpr Observable end_y = {"end_y", "m", "y of the last node; of several rods, of the last one's",
                                     [](const Observation& o) { return o.last.end.y; }};
inline constexpr Observable end_z = {"end_z", "m", "z of the last node; of several rods, of the last one's",
                                     [](const Observation& o) { return o.last.end.z; }};

inline constexpr Observable tip_deflection = {
    "tip_deflection", "m",
    "distance of the last node from the line through rod.origin along rod.direction; of several rods, of the "
    "last one",
    [](const Observation& o) {
      const Vec3 arm = o.last.end - o.spec.rod.origin;
      return norm(arm - dot(arm, o.spec.rod.direction) * o.spec.rod.direction);
    }};

/// The outermost element and region that carry what a held end of a rod bears. Of one whose element at the
/// end is held as a whole they are those beyond that element, which cannot deform.
struct HeldEnd {
  int element;
  int region;
  bool last;

  /// The last end if both are held. A joint holds too. None where nothing does, as of a closed rod, and where
  /// all elements are held.
  static std::optional<HeldEnd> of(const Observation& o) {
    const BoundarySpec& boundary = o.spec.boundary;
    const int n = o.state.elements;
    const bool last = boundary.last != EndCondition::free;
    const bool first = boundary.first != EndCondition::free || o.spec.joint != JointKind::none;
    if (o.spec.rod.closed || !(first || last)) return std::nullopt;
    const int from = boundary.first == EndCondition::clamped_element ? 1 : 0;
    const int end = boundary.last == EndCondition::clamped_element ? n - 1 : n;
    if (from >= end) return std::nullopt;
    return last ? HeldEnd{end - 1, end - 1, true} : HeldEnd{from, from - 1, false};
  }
};

/// Axial force and couple that the rod carries at its held end: the fluxes through the end at the middle of
/// the last step. At rest they are the reactions of what holds it, but for the weight of the nodes that are
/// held.
inline double axial_end_force(const Observation& o) {
  const std::optional<HeldEnd> end = HeldEnd::of(o);
  if (!end) return std::nan("");
  return dot(o.state.vec3(field::internal_force, end->element), o.spec.rod.direction);
}

/// tau and transport together are the flux in the frame of the element at the end.
inline double axial_end_couple(const Observation& o) {
  const std::optional<HeldEnd> end = HeldEnd::of(o);
  if (!end) return std::nan("");
  const Vec3 couple = o.state.vec3(field::bend_couple, end->region);
  const Vec3 transport = o.state.vec3(field::transport_couple, end->region);
  const Directors d = directors(o.state.quaternion(end->element));
  return dot(d.to_laboratory(end->last ? couple + transport : couple - transport), o.spec.rod.direction);
}

inline constexpr Observable end_force = {
    "end_force", "N",
    "force along rod.direction that the rod carries at its held end (the last if both are), positive pulls; "
    "NaN if none is held; of several rods, of the last one",
    axial_end_force};
inline constexpr Observable end_couple = {
    "end_couple", "N m", "couple about rod.direction that the rod carries at the same end, positive twists",
    axial_end_couple};

/// The distance between the ends of the last rod, looked at after every time.slice_steps and every thousand
/// steps, after each step where they are implicit. Of a rod that hangs from a clamp and swings lengthwise it
/// is the length of eq. 3.13 of Gazzola et al. 2018. A closed rod has no ends.
inline constexpr Observable end_distance_period = {
    "end_distance_period", "s",
    "mean period of the distance between the first and last nodes, looked at every 1000 steps and every "
    "time.slice_steps (each step of implicit methods), between upward passages through the middle of its "
    "range; NaN before the second; of several rods, of the last one's",
    [](const Observation& o) { return o.spec.rod.closed ? std::nan("") : o.end_distance.period(); }};
inline constexpr Observable end_distance_max = {
    "end_distance_max", "m",
    "largest distance between the first and last nodes so far, looked at every 1000 steps and every "
    "time.slice_steps (each step of implicit methods); NaN for a closed rod; of several rods, of the last "
    "one's",
    [](const Observation& o) { return o.spec.rod.closed ? std::nan("") : o.end_distance.largest(); }};

}  // namespace rodeo::observe
