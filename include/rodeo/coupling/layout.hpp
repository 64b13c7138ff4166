#pragma once

#include <vector>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo::coupling {

/// Order of a rod's degrees of freedom: those of a node, then those of the element after it.
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

/// The first degree of freedom of each element's first node, of rods one after the other; -1 between rods.
std::vector<int> first_degrees_of_freedom(const MemberSpec& spec, int stride);

/// First degree of freedom of a node, given those of the elements.
int first_degree_of_freedom(const std::vector<int>& of_elements, int node, int stride);

}  // namespace rodeo::coupling
