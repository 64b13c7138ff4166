#pragma once

#include "rodeo/law/elastic.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::law {

/// Shear and stretch of an element (2.9, 3.3 and the first term of 3.8 of Gazzola et al. 2018): the force S
/// (b/l - n e3)/e in its frame, with its edge b there and the dilatation e of its section.
template <class Real>
struct ShearStretch {
  Real rest_length;           ///< l, m
  Real inverse_rest_length;   ///< 1/m
  BasicVec3<Real> stiffness;  ///< S1, S2 and S3, N
  Real natural_stretch;       ///< n

  template <class Number>
  KOKKOS_INLINE_FUNCTION static ShearStretch of(const BasicRodView<Number>& rod, int i) {
    const auto value = [&](int f) { return static_cast<Real>(rod.array(f)[i]); };
    return {value(field::rest_length), value(field::inverse_rest_length),
            static_cast<BasicVec3<Real>>(rod.shear_stretch_stiffness(i)), value(field::natural_stretch)};
  }

  /// Elongations b - l n e3, m, and the stiffnesses S/(l e) against them, N/m.
  KOKKOS_FORCEINLINE_FUNCTION Elastic<Real> at(const BasicVec3<Real>& edge) const {
    return {{edge.x, edge.y, edge.z - rest_length * natural_stretch}, inverse_rest_length * stiffness};
  }
  KOKKOS_FORCEINLINE_FUNCTION Elastic<Real> at(const BasicVec3<Real>& edge, Real dilatation) const {
    return {{edge.x, edge.y, edge.z - rest_length * natural_stretch},
            (inverse_rest_length / dilatation) * stiffness};
  }
};

/// Shear and stretch of element i as the energy has them: where sections shrink it is less by the stretch
/// if sections have an energy, else by the natural stretch, as forces are less by that.
template <class Number>
KOKKOS_INLINE_FUNCTION Elastic<double> stored_in_element(const BasicRodView<Number>& rod, int i,
                                                         const Vec3& edge, bool sections_have_energy) {
  const auto law = ShearStretch<double>::of(rod, i);
  return law.at(edge, sections_have_energy ? norm(edge) * law.inverse_rest_length
                                           : rod.section_value(law.natural_stretch, 1.0));
}

}  // namespace rodeo::law
