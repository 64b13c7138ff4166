#pragma once

#include <cmath>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Axial force and couple that the rod carries at its held end (the last one if both are held): the fluxes
/// through the end at the middle of the last step. At rest they are the reactions of what holds it, but for
/// the weight of the end node. A joint holds too. NaN where nothing does, as of a closed rod.
inline bool last_end_is_held(const Observation& o) { return o.spec.boundary.last != EndCondition::free; }
inline bool no_end_is_held(const Observation& o) {
  const bool first = o.spec.boundary.first != EndCondition::free || o.spec.joint != JointKind::none;
  return o.spec.rod.closed || !(first || last_end_is_held(o));
}

inline double axial_end_force(const Observation& o) {
  if (no_end_is_held(o)) return std::nan("");
  const int element = last_end_is_held(o) ? o.state.elements - 1 : 0;
  return dot(o.state.vec3(field::internal_force, element), o.spec.rod.direction);
}

/// tau and transport together are the flux in the frame of the element at the end.
inline double axial_end_couple(const Observation& o) {
  if (no_end_is_held(o)) return std::nan("");
  const int n = o.state.elements;
  const bool last = last_end_is_held(o);
  const int region = last ? n - 1 : -1;
  const Vec3 couple = o.state.vec3(field::bend_couple, region);
  const Vec3 transport = o.state.vec3(field::transport_couple, region);
  const Directors d = directors(o.state.quaternion(last ? n - 1 : 0));
  return dot(d.to_laboratory(last ? couple + transport : couple - transport), o.spec.rod.direction);
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
