#pragma once

#include <cmath>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Axial force and couple that the rod carries at its held end (the last one if both are held): the fluxes
/// through the end at the middle of the last step. At rest they are the reactions of what holds it, but for
/// the weight of the end node. NaN for a closed rod.
inline bool last_end_is_held(const Observation& o) { return o.spec.boundary.last != EndCondition::free; }

inline double axial_end_force(const Observation& o) {
  if (o.spec.rod.closed) return std::nan("");
  const int element = last_end_is_held(o) ? o.state.elements - 1 : 0;
  return dot(o.state.vec3(field::internal_force, element), o.spec.rod.direction);
}

/// tau and transport together are the flux in the frame of the element at the end.
inline double axial_end_couple(const Observation& o) {
  if (o.spec.rod.closed) return std::nan("");
  const int n = o.state.elements;
  const bool last = last_end_is_held(o);
  const int region = last ? n - 1 : -1;
  const Vec3 couple = o.state.vec3(field::bend_couple, region);
  const Vec3 transport = o.state.vec3(field::transport_couple, region);
  const Directors d = directors(o.state.quaternion(last ? n - 1 : 0));
  return dot(d.to_laboratory(last ? couple + transport : couple - transport), o.spec.rod.direction);
}

inline constexpr Observable end_force = {
    "end_force", "N", "force along the initial axis carried at the held end; positive pulls",
    axial_end_force};
inline constexpr Observable end_couple = {
    "end_couple", "N m", "couple about the initial axis carried at the held end; positive twists",
    axial_end_couple};

}  // namespace rodeo::observe
