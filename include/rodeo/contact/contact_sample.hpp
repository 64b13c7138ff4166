#pragma once

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
