#pragma once

#include <climits>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo::forces {

/// The surfaces of a member's ground as bits of a set.
namespace surface_bit {
inline constexpr int plane = 0;
inline constexpr int solids = plane + 1;
inline constexpr int still = solids + most_solids;
inline constexpr int platen = still + most_solids;
inline constexpr int count = platen + 1;
}  // namespace surface_bit

/// Elements [first, end) of a member.
struct ElementSpan {
  int first = 0;
  int end = INT_MAX;
};

/// Where nobody looks which surfaces elements can reach (GroundReach), they are taken to reach all.
struct EverythingInReach {
  template <class... Arguments>
  KOKKOS_FORCEINLINE_FUNCTION void look_at(const Arguments&...) const {}
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool has(int) { return true; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool has_any() { return true; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr ElementSpan elements(int) { return {}; }
  template <class Surface>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool has_platen(const Surface&) {
    return true;
  }
};

}  // namespace rodeo::forces
