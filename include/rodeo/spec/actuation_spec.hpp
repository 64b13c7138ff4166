#pragma once

#include "rodeo/math/formula.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/spec/place.hpp"

namespace rodeo {

/// Quantity driven in time (deck keys actuation.force and so on).
enum class ActuationKind {
  force,            ///< external; per rest length N/m, at a place N
  couple,           ///< external; per rest length N, at a place N m
  internal_couple,  ///< of one part of the rod on the next, without a resultant, N m
  curvature,        ///< natural curvature (or twist, about d3) besides the rod's own, 1/m
  stretch           ///< natural length over rest length
};

/// One actuation of a rod.
struct ActuationSpec {
  ActuationKind kind = ActuationKind::force;
  bool in_laboratory = false;  ///< frame of `axis`: the laboratory's or the directors'
  Vec3 axis;                   ///< unit vector; of curvature along d1, d2, d3, of stretch not looked at
  Place place;                 ///< on its rod
  Formula formula = Formula::number(0.0);  ///< of time (s) and place (part of the rest length)
};

}  // namespace rodeo
