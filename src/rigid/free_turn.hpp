#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "rodeo/math/dual.hpp"
#include "rodeo/math/matrix3.hpp"

namespace rodeo::rigid {

/// Body components of a vector v of the laboratory (Gibbs' form of Rodrigues' formula) after a frame has
/// turned from where they were v by tan(angle/2) = |a| about a.
template <class Real>
BasicVec3<Real> after_turn(const BasicVec3<Real>& a, const BasicVec3<Real>& v) {
  const BasicVec3<Real> across = cross(v, a);
  return v + (Real(2.0) / (Real(1.0) + dot(a, a))) * (across + cross(across, a));
}

/// The turn of a free body in a step of so many seconds: a, with R1 = R0 cay(2 a) and
///   2 a/h = (W0 + W1)/2,  J W0 = m,  J W1 = cay(2 a)' m,
/// of angular velocities W, inertia J and angular momentum m in its own frame. It conserves the angular
/// momentum in the laboratory, and since (J W1 - J W0) . (W0 + W1) = 0 the energy too (Simo and Wong 1991,
/// Int. J. Numer. Methods Eng. 31, 19). Nothing if Newton's method does not find it.
inline std::optional<Vec3> free_turn(const Matrix3& inverse_inertia, const Vec3& m, double step) {
  using D = Dual<3>;
  const auto residual = [&](const BasicVec3<D>& a) {
    const BasicVec3<D> after = after_turn(a, BasicVec3<D>{m.x, m.y, m.z});
    const BasicVec3<D> sum = {D(m.x) + after.x, D(m.y) + after.y, D(m.z) + after.z};
    const auto row = [&](const Vec3& r) { return D(r.x) * sum.x + D(r.y) * sum.y + D(r.z) * sum.z; };
    const D quarter = 0.25 * step;
    return BasicVec3<D>{a.x - quarter * row(inverse_inertia.row1), a.y - quarter * row(inverse_inertia.row2),
                        a.z - quarter * row(inverse_inertia.row3)};
  };
  constexpr int most_iterations = 20;
  constexpr double rounding = 1e-15;
  Vec3 a = (0.5 * step) * (inverse_inertia * m);
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_iterations; ++k) {
    const BasicVec3<D> r = residual({D::variable(a.x, 0), D::variable(a.y, 1), D::variable(a.z, 2)});
    const auto column = [&](int c) { return Vec3{r.x.slope[c], r.y.slope[c], r.z.slope[c]}; };
    const Vec3 value = {r.x.value, r.y.value, r.z.value};
    const Vec3 c[] = {column(0), column(1), column(2)};
    const double determinant = dot(c[0], cross(c[1], c[2]));
    const Vec3 change =
        (1.0 / determinant) *
        Vec3{dot(value, cross(c[1], c[2])), dot(c[0], cross(value, c[2])), dot(c[0], cross(c[1], value))};
    a = a - change;
    const double size = norm(change);
    if (!std::isfinite(size)) return std::nullopt;
    if (size <= rounding * (1.0 + norm(a)) || (size >= last && size < 1e-12)) return a;
    last = size;
  }
  return std::nullopt;
}

}  // namespace rodeo::rigid
