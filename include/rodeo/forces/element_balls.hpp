#pragma once

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "rodeo/forces/surface.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// A ball about consecutive elements of a rod, their thickness included.
struct ElementBall {
  int first = 0;  ///< of the elements
  int end = 0;
  Vec3 centre;
  double radius = 0.0;  ///< m

  /// Rounding error of heights above surfaces of a size (RoundSurface::size), m.
  double rounding(double size) const {
    constexpr double relative = 1e-12;
    return relative * (size + std::abs(centre.x) + std::abs(centre.y) + std::abs(centre.z) + radius);
  }
};

/// Balls about the elements of a rod with nodes at node(i), elements of which have thick(i) for the square of
/// their radius.
template <class Node, class Thick>
void set_balls(int elements, const Node& node, const Thick& thick, std::vector<ElementBall>& balls) {
  constexpr int most = 32;
  balls.clear();
  for (int first = 0; first < elements; first += most) {
    const int end = std::min(first + most, elements);
    const Vec3 centre = 0.5 * (node(first) + node(end));
    double square = 0.0;
    double thickest = 0.0;
    for (int i = first; i <= end; ++i) {
      const Vec3 arm = node(i) - centre;
      square = std::max(square, dot(arm, arm));
      if (i < end) thickest = std::max(thickest, thick(i));
    }
    balls.push_back({first, end, centre, std::sqrt(square) + std::sqrt(thickest)});
  }
}

/// The largest size of surfaces, each of which is one of several sorts.
template <class Surfaces>
double largest_size(const Surfaces& surfaces) {
  double size = 0.0;
  for (const auto& any : surfaces)
    size = std::max(size, std::visit([](const auto& surface) { return surface.size(); }, any));
  return size;
}

/// The square of the radius of an element at rest, where it is thickest, m^2.
inline double thick_at_rest(const ConstRodView& rod, int i) {
  const double tapered =
      (1.0 + std::abs(rod.array(field::half_taper)[i])) * rod.array(field::contact_radius)[i];
  return tapered * tapered * rod.array(field::inverse_rest_length)[i];
}

}  // namespace rodeo::forces
