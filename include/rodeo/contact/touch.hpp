#pragma once

#include <vector>

namespace rodeo::contact {

/// Two elements of a member's arrays that touch, and what they exert on each other.
struct Touch {
  int earlier = 0;
  int later = 0;
  double normal = 0.0;    ///< N
  double friction = 0.0;  ///< across the normal, N
};

/// What the touches of one element amount to.
struct ElementTouches {
  double rods = 0.0;      ///< other rods that touch its rod, each counted at one element
  double pairs = 0.0;     ///< half of those in which it is
  double force = 0.0;     ///< half of their normal forces, N
  double largest = 0.0;   ///< of these forces, N
  double slipping = 0.0;  ///< half of those pairs whose friction has come within a percent of its bound
};

/// Of each of `elements` of a member's arrays. `first` has the first element of each rod, in rising order.
std::vector<ElementTouches> touches_of_elements(const std::vector<Touch>& touches,
                                                const std::vector<int>& first, int elements, double friction);

}  // namespace rodeo::contact
