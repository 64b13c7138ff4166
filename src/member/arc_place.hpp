#pragma once

#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/measure_spec.hpp"

namespace rodeo {

/// A place along a rod at rest, between nodes.
struct ArcPlace {
  int element = 0;
  double fraction = 0.0;  ///< of its rest length
};

/// Place of a point of a rod, or of its middle.
ArcPlace arc_place(const Place& place, const ConstRodView& rod);

}  // namespace rodeo
