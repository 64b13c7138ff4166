#pragma once

#include <cmath>

#include "rodeo/profile/profile.hpp"

namespace rodeo::profile {

namespace detail {

/// The part of the end force across the rod, N.
inline Vec3 transverse_force(const MemberSpec& spec) {
  return spec.load.end_force - dot(spec.load.end_force, spec.rod.direction) * spec.rod.direction;
}

}  // namespace detail

/// Deflection of a clamped beam under a transverse force F on its free end, along F: y = F s/(alpha_c A G) +
/// F L s^2/(2 E I) - F s^3/(6 E I), eq. 3.14 of Gazzola et al. 2018 with its sign turned; for small
/// deflections. Without its first term for a model whose rods do not shear.
inline constexpr AnalyticProfile timoshenko = {
    .name = "timoshenko",
    .sampling = Sampling::nodes,
    .obstacle = [](const MemberSpec& spec) -> std::string {
      if (!spec.rod.circular) return "rod.section must be circle";
      const double across = norm(detail::transverse_force(spec));
      if (spec.boundary.first != EndCondition::clamped) return "boundary.first must be clamped";
      if (spec.boundary.last != EndCondition::free) return "boundary.last must be free";
      const double along = std::abs(dot(spec.load.end_force, spec.rod.direction));
      if (!(across > 0.0) || along > 1e-9 * across) return "load.end_force must act across rod.direction";
      return {};
    },
    .leave_out = [](LoadSpec& load, BoundarySpec&) { load.end_force = {}; },
    .measured =
        [](const MemberSpec& spec, const ConstRodView& rod) {
          const Vec3 down = normalized(detail::transverse_force(spec));
          std::vector<double> values;
          values.reserve(static_cast<std::size_t>(rod.nodes()));
          for (int i = 0; i < rod.nodes(); ++i) {
            values.push_back(dot(rod.vec3(field::position, i) - spec.rod.origin, down));
          }
          return values;
        },
    .exact =
        [](const MemberSpec& spec, const ConstRodView&, const std::vector<double>& places, double) {
          const double force = norm(detail::transverse_force(spec));
          const double shear = spec.shears ? force / spec.rod.shear_stiffness : 0.0;
          const double bend = force / spec.rod.bend_stiffness;
          std::vector<double> values;
          values.reserve(places.size());
          for (const double s : places) {
            values.push_back(shear * s + bend * s * s * (0.5 * spec.rod.length - s / 6.0));
          }
          return values;
        }};

}  // namespace rodeo::profile
