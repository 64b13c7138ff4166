#pragma once

#include <cstdint>

#include "rodeo/math/functions.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// By how much elements are thicker at their last ends than in their middles, from what their neighbours
/// are: the ends of two that share a node stand on a plane together. Of an element alone, 0.
template <class Real>
struct HalfTaper {
  bool is_any;
  const Real* contact_radius;
  const Real* inverse_rest_length;

  template <class Rod>
  KOKKOS_FORCEINLINE_FUNCTION static HalfTaper of(const Rod& rod, bool is_any) {
    return {is_any, rod.array(field::contact_radius), rod.array(field::inverse_rest_length)};
  }

  /// Of an element that has this radius at present, m.
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(std::int64_t i, Real present) const {
    if (!is_any) return 0;
    constexpr Real half = 0.5;
    const Real own = radius(i);
    const Real before = radius(i - 1) > 0 ? radius(i - 1) : 2 * own - radius(i + 1);
    const Real after = radius(i + 1) > 0 ? radius(i + 1) : 2 * own - before;
    const Real alone = radius(i - 1) > 0 || radius(i + 1) > 0 ? 1 : 0;
    const Real stretch = contact_radius[i] > 0 ? present / own : Real(0);
    return alone * half * half * (after - before) * stretch;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Real radius(std::int64_t i) const {
    return contact_radius[i] * math::sqrt(inverse_rest_length[i]);
  }
};

}  // namespace rodeo::forces
