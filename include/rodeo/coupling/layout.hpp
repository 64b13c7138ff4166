#pragma once

namespace rodeo::coupling {

/// Where the degrees of freedom of a rod stand: those of a node, then those of the element after it.
struct Layout {
  /// Rows that elasticity couples to a column, from the first one of the node at or before it.
  struct Reach {
    int before;
    int end;
  };

  int stride;  ///< of a node and its element together
  Reach node;  ///< of the columns of a node
  Reach element;
  int bandwidth;
};

}  // namespace rodeo::coupling
