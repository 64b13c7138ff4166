#pragma once
#include "rodeo/forces/law.hpp"

namespace rodeo::own {

/// A drag on nodes that grows along x: -(at_zero + slope x) v for each metre of rest length.
struct PlaceDrag {
  double at_zero = 0.0;  ///< kg/(m s)
  double slope = 0.0;    ///< kg/(m^2 s)

  static constexpr std::string_view feature = "drag by place";
  static constexpr std::string_view asked = "place_drag.at_zero";

  static PlaceDrag of(const MemberSpec& rod) { return rod.load.own.get<PlaceDrag>(); }

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return at_zero > 0.0; }
  static constexpr double steady_from() { return 0.0; }
  static constexpr bool does_work() { return false; }
  bool has_energy() const { return !acts(0.0); }
  bool follows_rod(double) const { return acts(0.0); }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const BasicRodView<Real>& rod, double) const {
    const Real* const rest_length = rod.array(field::rest_length);
    const BasicVec3Array<Real> force = rod.vec3_array(field::external_force);
    const BasicVec3Array<Real> place = rod.vec3_array(field::position);
    const BasicVec3Array<Real> velocity = rod.vec3_array(field::velocity);
    const auto c = static_cast<Real>(at_zero), growth = static_cast<Real>(slope);
    const int last = rod.elements;
    for_each_lane(team, rod.nodes(), [=](int i) {
      const Real length = Real(0.5) * ((i > 0 ? rest_length[i - 1] : 0) + (i < last ? rest_length[i] : 0));
      force.add(i, (-length * (c + growth * place(i).x)) * velocity(i));
    });
  }
};

}  // namespace rodeo::own
