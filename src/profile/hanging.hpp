#pragma once

#include <cmath>

#include "rodeo/profile/profile.hpp"

namespace rodeo::profile {

/// Displacement of a rod that hangs at rest under gravity along its axis. Tension N = rho A g (L - s)
/// stretches each element by F = S3 sigma/e (Appendix B of Gazzola et al. 2018), so e = 1/(1 - N/S3) and,
/// with c = rho A g/S3, u = ln(1 + c s/(1 - c L))/c - s. It is the static solution of section 3.4.2 without
/// its assumption of a constant spring.
inline constexpr AnalyticProfile hanging = {
    .name = "hanging",
    .sampling = Sampling::nodes,
    .obstacle = [](const MemberSpec& spec) -> std::string {
      const double along = dot(spec.load.gravity, spec.rod.direction);
      const double across = norm(spec.load.gravity - along * spec.rod.direction);
      const double weight =
          spec.rod.density * M_PI * spec.rod.radius * spec.rod.radius * spec.rod.length * along;
      if (spec.boundary.first != EndCondition::clamped) return "boundary.first must be clamped";
      if (spec.boundary.last != EndCondition::free) return "boundary.last must be free";
      if (!(along > 0.0) || across > 1e-12 * along)
        return "gravity.acceleration must point along rod.direction";
      if (!spec.rod.point_masses.empty()) return "there must be no rod.point_masses";
      if (!(weight < spec.rod.stretch_stiffness))
        return "the rod's weight must be below rod.stretch_stiffness";
      return {};
    },
    .measured =
        [](const MemberSpec& spec, const ConstRodView& rod) {
          std::vector<double> values;
          for (int i = 0; i < rod.nodes(); ++i) {
            const double rest = spec.rod.length * i / spec.rod.elements;
            values.push_back(dot(rod.vec3(field::position, i) - spec.rod.origin, spec.rod.direction) - rest);
          }
          return values;
        },
    .exact =
        [](const MemberSpec& spec, const ConstRodView&, const std::vector<double>& places, double) {
          const double line_mass = spec.rod.density * M_PI * spec.rod.radius * spec.rod.radius;
          const double c =
              line_mass * dot(spec.load.gravity, spec.rod.direction) / spec.rod.stretch_stiffness;
          std::vector<double> values;
          values.reserve(places.size());
          for (const double s : places)
            values.push_back(std::log1p(c * s / (1.0 - c * spec.rod.length)) / c - s);
          return values;
        }};

}  // namespace rodeo::profile
