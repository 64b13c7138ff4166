#pragma once

#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/place.hpp"

namespace rodeo {

/// A place along a rod at rest, between nodes.
struct ArcPlace {
  int element = 0;
  double fraction = 0.0;  ///< of its rest length
};

/// Where a point of a rod, or its middle, is.
ArcPlace arc_place(const Place& place, const ConstRodView& rod);

}  // namespace rodeo
