#pragma once

#include "rodeo/math/matrix3.hpp"

namespace rodeo::tangent {

/// What a surface stores of an element that presses on it, and its derivatives by the element's middle, half
/// the sum of its nodes: each node has half of the gradient, and each two of the nodes a quarter of the
/// Hessian.
struct SurfaceSpring {
  double energy = 0.0;  ///< J
  Vec3 gradient;        ///< N
  Matrix3 hessian;      ///< symmetric, N/m
};

/// The spring of an element on a surface, without friction, as forces::SurfaceSprings and
/// coupling::GroundContact have it: k_w depth^2/2 with the depth r - height of the element's middle, if that
/// is positive; r is the radius at rest. The gradient is -k_w depth normal, the Hessian k_w (normal normal' -
/// depth grad grad height). `surface` is one of forces/surface.hpp: what it calls falling is the quadratic
/// form of grad grad height, which tells its entries. The Hessian jumps where contact begins.
template <class Surface>
SurfaceSpring surface_spring(const Surface& surface, double stiffness, double radius, const Vec3& middle) {
  const auto point = surface.nearest(middle, Vec3{});
  const double depth = radius - point.height;
  if (!(depth > 0.0)) return {};
  const auto form = [&](const Vec3& v) { return surface.nearest(middle, v).falling; };
  const double xx = form({1, 0, 0});
  const double yy = form({0, 1, 0});
  const double zz = form({0, 0, 1});
  const double xy = 0.5 * (form({1, 1, 0}) - xx - yy);
  const double xz = 0.5 * (form({1, 0, 1}) - xx - zz);
  const double yz = 0.5 * (form({0, 1, 1}) - yy - zz);
  const Matrix3 bent = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
  return {0.5 * stiffness * depth * depth, -stiffness * depth * point.normal,
          stiffness * (outer(point.normal, point.normal) - depth * bent)};
}

}  // namespace rodeo::tangent
