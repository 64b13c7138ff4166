#pragma once

namespace rodeo {

/// A place along a rod, as lines of a deck name it.
struct Place {
  enum class Kind {
    whole,    ///< the rod, or all of them
    every,    ///< one after the other, in what goes along a rod
    node,     ///< one of its nodes
    element,  ///< one of its elements
    arc,      ///< a point of the rod at rest
    range,    ///< all between two such points
    start,    ///< the first node, or element
    middle,   ///< half of the rest length
    end       ///< the last node, or element
  };
  Kind kind = Kind::whole;
  int rod = -1;      ///< negative: all
  int index = 0;     ///< node or element
  double arc = 0.0;  ///< rest length from the first node, over that of the rod
  double to = 1.0;   ///< where a range ends
};

}  // namespace rodeo
