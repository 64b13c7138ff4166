#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"
#include "rodeo/tangent/unknowns.hpp"

namespace rodeo::forces {

/// The couple M V d3 x B on every element of a rod of volume V that is magnetised along itself, in a field
/// that is the same everywhere; its energy is -M V d3 . B.
struct MagneticCouple {
  double magnetization = 0.0;  ///< M, A/m
  Vec3 flux_density;           ///< B, laboratory frame, T
  LoadCourse course;

  static MagneticCouple of(const MemberSpec& rod) {
    return {rod.load.magnetization, rod.load.magnetic_flux_density, LoadCourse::of(rod.load)};
  }

  KOKKOS_INLINE_FUNCTION bool acts(double) const {
    return magnetization != 0.0 && dot(flux_density, flux_density) > 0.0;
  }
  double steady_from() const { return course.ramp_time; }
  bool does_work() const { return acts(0.0); }
  bool follows_rod(double time) const { return acts(time); }

  /// Adds the second derivatives of -b . e3, with b = M V R' B: (b . e3) I - sym(e3 b').
  template <class Matrix>
  void add_hessian(const ConstRodView& rod, double time, double part, Matrix& hessian) const {
    for (int i = 0; i < rod.elements; ++i) {
      const Vec3 b = part * moment(rod, i, time);
      const Matrix3 second = {{b.z, 0.0, -0.5 * b.x}, {0.0, b.z, -0.5 * b.y}, {-0.5 * b.x, -0.5 * b.y, 0.0}};
      const int first = tangent::element_unknown(i);
      for (int column = 0; column < 3; ++column) {
        for (int row = column; row < 3; ++row) hessian.at(first + row, first + column) += second(row, column);
      }
    }
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const BasicRodView<Real>& rod, double time) const {
    using Vector = BasicVec3<Real>;
    const Real* const contact_radius = rod.array(field::contact_radius);
    const BasicOrientationArray<Real> orientation = rod.orientations();
    const BasicVec3Array<Real> external_couple = rod.vec3_array(field::external_couple);
    const auto b = static_cast<Vector>((3.141592653589793 * magnetization * course.at(time)) * flux_density);
    for_each_lane(team, rod.elements, [=](int i) {
      const Real square = contact_radius[i] * contact_radius[i];  // V/pi
      const Vector body = directors(orientation(i)).to_body(square * b);
      external_couple.add(i, {-body.y, body.x, 0});
    });
  }

  /// M V B of an element along its directors at a time, N m.
  Vec3 moment(const ConstRodView& rod, int element, double time) const {
    const double radius = rod.array(field::contact_radius)[element];
    const double strength = 3.141592653589793 * radius * radius * magnetization * course.at(time);
    return directors(rod.quaternion(element)).to_body(strength * flux_density);
  }
};

}  // namespace rodeo::forces
