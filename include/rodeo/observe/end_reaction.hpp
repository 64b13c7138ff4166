#pragma once

#include <cmath>
#include <optional>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

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

}  // namespace rodeo::observe
