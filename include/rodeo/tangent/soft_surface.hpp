#pragma once

#include "rodeo/math/matrix3.hpp"
#include "rodeo/tangent/capsule.hpp"

namespace rodeo::tangent {

/// A symmetric matrix of the positions of an element's two nodes.
struct NodePairMatrix {
  Matrix3 first_first;
  Matrix3 last_first;  ///< row by the last node, column by the first
  Matrix3 last_last;
};

/// Energy of a surface that an element presses on, over its stiffness k_w, and its derivatives by the
/// element's nodes: d^2/2, its gradient -(touch.first, touch.last) and its Hessian, which jumps where the
/// depth of a point begins and where the nearest point comes to a node.
struct SoftTouch {
  Touch touch;
  NodePairMatrix hessian;
  Vec3 overlap_by_first;  ///< derivative of touch.overlap
  Vec3 overlap_by_last;
};

namespace detail {

/// Second derivatives of a surface's height at a point; `falling` of the surface is their quadratic form.
template <class Surface>
Matrix3 height_hessian(const Surface& surface, const Vec3& point) {
  const auto form = [&](const Vec3& v) { return surface.nearest(point, v).falling; };
  const double xx = form({1, 0, 0});
  const double yy = form({0, 1, 0});
  const double zz = form({0, 0, 1});
  const double xy = 0.5 * (form({1, 1, 0}) - xx - yy);
  const double xz = 0.5 * (form({1, 0, 1}) - xx - zz);
  const double yz = 0.5 * (form({0, 1, 1}) - yy - zz);
  return {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
}

inline void add(double factor, const Vec3& first, const Vec3& last, const Vec3& other_first,
                const Vec3& other_last, NodePairMatrix& matrix) {
  matrix.first_first = matrix.first_first + factor * outer(first, other_first);
  matrix.last_first = matrix.last_first + factor * outer(last, other_first);
  matrix.last_last = matrix.last_last + factor * outer(last, other_last);
}

/// Halves of the second derivatives of d^2 by the depths x, y and z of BasicDepth, where these are positive.
struct DepthHessian {
  double xx = 0.0;
  double yy = 0.0;
  double zz = 0.0;
  double xy = 0.0;
  double xz = 0.0;
  double yz = 0.0;

  static DepthHessian of_ends(double x, double y) {
    return {x > 0.0 ? 0.5 : 0.0, y > 0.0 ? 0.5 : 0.0, 0.0, 0.0, 0.0, 0.0};
  }

  static DepthHessian of(double x, double y, double z) {
    const double p = x / z;
    const double q = y / z;
    return {x > 0.0 ? q * q - 0.5 : 0.0,
            y > 0.0 ? p * p - 0.5 : 0.0,
            1.0 + 3.0 * p * p * q * q,
            2.0 * p * q,
            -2.0 * p * q * q,
            -2.0 * p * p * q};
  }
};

}  // namespace detail

/// `surface` is one of forces/surface.hpp.
template <class Surface>
SoftTouch soft_touch(const Surface& surface, const Capsule& capsule) {
  SoftTouch soft;
  soft.touch = touch(surface, capsule);
  if (!(soft.touch.overlap > 0.0)) return soft;
  const auto at_first = surface.nearest(capsule.first, Vec3{});
  const auto at_last = surface.nearest(capsule.last, Vec3{});
  const double x =
      detail::positive_part((Surface::is_flat ? capsule.first_radius : capsule.radius) - at_first.height);
  const double y =
      detail::positive_part((Surface::is_flat ? capsule.last_radius : capsule.radius) - at_last.height);
  NodePairMatrix& hessian = soft.hessian;
  // The gradients of x, y and z by the nodes are -normal times the weights of their points.
  const auto add_depths = [&](const detail::DepthHessian& second, const Vec3& c, double to_last) {
    const Vec3 a = at_first.normal;
    const Vec3 b = at_last.normal;
    const Vec3 c_first = (1.0 - to_last) * c;
    const Vec3 c_last = to_last * c;
    detail::add(second.xx, a, {}, a, {}, hessian);
    detail::add(second.yy, {}, b, {}, b, hessian);
    detail::add(second.zz, c_first, c_last, c_first, c_last, hessian);
    detail::add(second.xy, a, {}, {}, b, hessian);
    detail::add(second.xy, {}, b, a, {}, hessian);
    detail::add(second.xz, a, {}, c_first, c_last, hessian);
    detail::add(second.xz, c_first, c_last, a, {}, hessian);
    detail::add(second.yz, {}, b, c_first, c_last, hessian);
    detail::add(second.yz, c_first, c_last, {}, b, hessian);
    const double by_z = second.xz + second.yz + second.zz;
    soft.overlap_by_first = -(second.xx + second.xy + second.xz) * a - by_z * c_first;
    soft.overlap_by_last = -(second.xy + second.yy + second.yz) * b - by_z * c_last;
  };
  if constexpr (Surface::is_flat) {
    add_depths(detail::DepthHessian::of_ends(x, y), {}, 0.0);
  } else {
    const Matrix3 bend_first = detail::height_hessian(surface, capsule.first);
    const Matrix3 bend_last = detail::height_hessian(surface, capsule.last);
    const double part = surface.nearest_part(capsule.first, capsule.last);
    const Vec3 edge = capsule.last - capsule.first;
    const Vec3 across = surface.across(edge);
    constexpr double parallel = 1e-12;  // squared sine: all points are nearest, and d^2 is that of the ends
    const bool is_between =
        !surface.is_hollow() && part > 0.0 && part < 1.0 && dot(across, across) > parallel * dot(edge, edge);
    if (!is_between) {
      const auto depth = BasicDepth<double>::of_ends(x, y);
      add_depths(detail::DepthHessian::of_ends(x, y), {}, 0.0);
      hessian.first_first = hessian.first_first - depth.by_first * bend_first;
      hessian.last_last = hessian.last_last - depth.by_last * bend_last;
      return soft;
    }
    const Vec3 point = capsule.at(part);
    const auto between = surface.nearest(point, Vec3{});
    const double z = capsule.radius - between.height;
    const auto depth = BasicDepth<double>::of(x, y, z);
    add_depths(detail::DepthHessian::of(x, y, z), between.normal, part);
    hessian.first_first = hessian.first_first - depth.by_first * bend_first;
    hessian.last_last = hessian.last_last - depth.by_last * bend_last;
    // The height of the nearest point, which moves along the element so that it stays the least.
    const Matrix3 bend = detail::height_hessian(surface, point);
    const Vec3 along = bend * edge;
    const Vec3 by_first = (1.0 - part) * along - between.normal;
    const Vec3 by_last = part * along + between.normal;
    detail::add(depth.by_nearest / dot(edge, along), by_first, by_last, by_first, by_last, hessian);
    const double other = 1.0 - part;
    hessian.first_first = hessian.first_first - (depth.by_nearest * other * other) * bend;
    hessian.last_first = hessian.last_first - (depth.by_nearest * other * part) * bend;
    hessian.last_last = hessian.last_last - (depth.by_nearest * part * part) * bend;
  }
  return soft;
}

}  // namespace rodeo::tangent
