#pragma once

#include "rodeo/math/vec3.hpp"

namespace rodeo::law {

/// Three strains, along or about the directors of a frame, with a stiffness each: the stress is the
/// derivative of the energy by the strain, and the stiffness is that of the stress by the strain. The energy
/// is per rest length where strains are.
template <class Real>
struct Elastic {
  BasicVec3<Real> strain;
  BasicVec3<Real> stiffness;

  KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> stress() const { return scaled(stiffness, strain); }
  KOKKOS_FORCEINLINE_FUNCTION Real energy() const { return Real(0.5) * dot(stress(), strain); }

  /// Energy of shear, or of bend.
  KOKKOS_FORCEINLINE_FUNCTION Real energy_across() const {
    return Real(0.5) * (stiffness.x * strain.x * strain.x + stiffness.y * strain.y * strain.y);
  }
  /// Energy of stretch, or of twist.
  KOKKOS_FORCEINLINE_FUNCTION Real energy_along() const {
    return Real(0.5) * stiffness.z * strain.z * strain.z;
  }
};

}  // namespace rodeo::law
