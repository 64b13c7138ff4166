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

/// Totals over the touches of one element.
struct ElementTouches {
  double rods = 0.0;      ///< other rods that touch its rod, each counted at one element
  double pairs = 0.0;     ///< half of those in which it is
  double force = 0.0;     ///< half of their normal forces, N
  double largest = 0.0;   ///< of these forces, N
  double slipping = 0.0;  ///< half of those pairs whose friction has come within a percent of its bound
};

/// Totals for each of `elements` of a member's arrays. `first` has each rod's first element, in rising order.
std::vector<ElementTouches> touches_of_elements(const std::vector<Touch>& touches,
                                                const std::vector<int>& first, int elements, double friction);

}  // namespace rodeo::contact
