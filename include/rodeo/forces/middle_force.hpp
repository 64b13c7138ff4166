#pragma once

#include <algorithm>
#include <vector>

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/initial_shape.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::forces {

/// A force at mid-length while time < duration: an imperfection that chooses the middle for a localised
/// buckle, where a rod without one stays straight beyond its instability for ever.
struct MiddleForce {
  Vec3 force;             ///< N
  double duration = 0.0;  ///< s
  int nodes[2] = {0, 0};  ///< on both sides of the middle; one where it is a node
  double shares[2] = {0.5, 0.5};

  static MiddleForce of(const MemberSpec& rod) {
    const int n = rod.rod.elements;
    MiddleForce made{rod.load.middle_force, rod.load.perturbation_duration, {n / 2, (n + 1) / 2}};
    if (norm(made.force) == 0.0) return made;
    const std::vector<double> places = uneven_places(rod.rod);
    if (places.empty()) return made;
    const auto after = static_cast<std::size_t>(std::ranges::upper_bound(places, 0.5) - places.begin());
    const double share = (0.5 - places[after - 1]) / (places[after] - places[after - 1]);
    made.nodes[0] = static_cast<int>(after) - 1;
    made.nodes[1] = static_cast<int>(after);
    made.shares[0] = 1.0 - share;
    made.shares[1] = share;
    return made;
  }

  KOKKOS_INLINE_FUNCTION bool acts(double time) const { return dot(force, force) > 0.0 && time < duration; }
  double steady_from() const { return norm(force) > 0.0 ? duration : 0.0; }
  static constexpr bool does_work() { return false; }

  /// Adds the force to the nodes on both sides of the middle, weighted by their nearness to it.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const BasicRodView<Real>& rod, double) const {
    once(team, [&] {
      for (int k = 0; k < 2; ++k) {
        const int i = nodes[k];
        rod.set_vec3(field::external_force, i, rod.vec3(field::external_force, i) + shares[k] * force);
      }
    });
  }
};

}  // namespace rodeo::forces
