#pragma once

#include "rodeo/member/rods.hpp"
#include "rodeo/tangent/held_unknowns.hpp"

namespace rodeo {

/// Unknowns that the supports of a rod's ends hold: a node whose gain is zero does not move.
inline tangent::HeldUnknowns held_ends(const RodData& data, const ConstRodView& rod) {
  tangent::HeldUnknowns held;
  for (const int node : {0, rod.elements}) {
    if (rod.array(field::velocity_gain)[node] == 0.0) {
      held.add_node(node);
    } else if (node == 0 ? data.sliding.first : data.sliding.last) {
      held.add_sliding_node(node, data.sliding.axis);
    }
  }
  return held;
}

}  // namespace rodeo
