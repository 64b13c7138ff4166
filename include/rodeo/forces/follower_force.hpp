#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"
#include "rodeo/tangent/follower_load.hpp"
#include "rodeo/tangent/unknowns.hpp"

namespace rodeo::forces {

/// A steady force on every element that turns with its directors, as motors along a filament exert it.
struct FollowerForce {
  Vec3 force;  ///< along d1, d2, d3, per rest length, N/m; half of an element's acts on each of its nodes

  static FollowerForce of(const MemberSpec& rod) {
    return {(1.0 / rod.rod.length) * rod.load.follower_force};
  }

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return dot(force, force) > 0.0; }
  static constexpr double steady_from() { return 0.0; }
  bool does_work() const { return acts(0.0); }
  bool has_energy() const { return !acts(0.0); }
  bool follows_rod(double time) const { return acts(time); }

  template <class Add>
  void add_derivatives(const ConstRodView& rod, double, double part, const Add& add) const {
    for (int i = 0; i < rod.elements; ++i) {
      const Vec3 half = (0.5 * part * rod.array(field::rest_length)[i]) * force;
      const Matrix3 derivative = tangent::follower_force(rod.quaternion(i), half).node_turn;
      for (const int node : {i, i + 1})
        add(tangent::node_unknown(node), tangent::element_unknown(i), derivative);
    }
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const BasicRodView<Real>& rod, double) const {
    using Vector = BasicVec3<Real>;
    const Real* const rest_length = rod.array(field::rest_length);
    const BasicOrientationArray<Real> orientation = rod.orientations();
    const BasicVec3Array<Real> external_force = rod.vec3_array(field::external_force);
    const auto half = static_cast<Vector>(0.5 * force);
    const int last = rod.elements;
    for_each_lane(team, rod.nodes(), [=](int i) {
      Vector sum;
      if (i > 0) sum = directors(orientation(i - 1)).to_laboratory(rest_length[i - 1] * half);
      if (i < last) sum = sum + directors(orientation(i)).to_laboratory(rest_length[i] * half);
      external_force.add(i, sum);
    });
  }
};

}  // namespace rodeo::forces
