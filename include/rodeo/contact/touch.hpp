#pragma once

#include <vector>

#include <Kokkos_Core.hpp>

namespace rodeo::contact {

/// Summary of a rod's contacts.
struct ContactSample {
  double touching = 0.0;  ///< pairs of elements in contact at the last evaluation
  double deepest = 0.0;   ///< largest overlap of a pair so far, m
  bool overflowed = false;
  /// An element has crossed another, or a solid, or has come so deep into it that it may have.
  bool passed_through = false;

  KOKKOS_INLINE_FUNCTION ContactSample& operator+=(const ContactSample& other) {
    touching += other.touching;
    deepest = deepest > other.deepest ? deepest : other.deepest;
    return *this;
  }
};

}  // namespace rodeo::contact

/// Lets Kokkos reduce a ContactSample over a team.
template <>
struct Kokkos::reduction_identity<rodeo::contact::ContactSample> {
  KOKKOS_FORCEINLINE_FUNCTION static rodeo::contact::ContactSample sum() { return {}; }
};

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
