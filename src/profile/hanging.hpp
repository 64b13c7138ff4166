#pragma once

#include <cmath>
#include <limits>

#include "rodeo/profile/profile.hpp"

namespace rodeo::profile {

namespace detail {

/// rho A g/S3 of the section at rest, 1/m: the tension c (L - s) S3 stretches the rod.
inline double hanging_slope(const MemberSpec& spec) {
  const double line_mass = spec.rod.density * M_PI * spec.rod.radius * spec.rod.radius;
  return line_mass * dot(spec.load.gravity, spec.rod.direction) / spec.rod.stretch_stiffness;
}

/// The largest tension over S3 that a section bears at any stretch: where it narrows, it grows no further.
inline double most_tension(const MemberSpec& spec) {
  if (spec.sections_shrink == 0.0) return std::numeric_limits<double>::infinity();
  return spec.sections_have_energy ? 0.5 : 1.0;
}

}  // namespace detail

/// Displacement of a rod that hangs at rest under gravity along its axis, the static solution of section
/// 3.4.2 of Gazzola et al. 2018 without its assumption of a constant spring. The tension N = S3 c (L - s)
/// stretches each element by the law of its section (model.section), with c = rho A g/S3:
///   rigid: N = S3 (e - 1), u = c s (L - s/2);
///   incompressible, of the energy S3 (e - 1)^2/(2 e): N = S3 (1 - 1/e^2)/2,
///     u = (sqrt(1 - 2 c (L - s)) - sqrt(1 - 2 c L))/c - s;
///   published: N = S3 (e - 1)/e (Appendix B), u = ln(1 + c s/(1 - c L))/c - s.
/// Nodes of rigid sections stand where u says at any number of elements.
inline constexpr AnalyticProfile hanging = {
    .name = "hanging",
    .sampling = Sampling::nodes,
    .obstacle = [](const MemberSpec& spec) -> std::string {
      const double along = dot(spec.load.gravity, spec.rod.direction);
      const double across = norm(spec.load.gravity - along * spec.rod.direction);
      if (spec.boundary.first != EndCondition::clamped) return "boundary.first must be clamped";
      if (spec.boundary.last != EndCondition::free) return "boundary.last must be free";
      if (!(along > 0.0) || across > 1e-12 * along)
        return "gravity.acceleration must point along rod.direction";
      if (!spec.rod.point_masses.empty()) return "there must be no rod.point_masses";
      if (!(detail::hanging_slope(spec) * spec.rod.length < detail::most_tension(spec))) {
        return spec.sections_have_energy ? "the rod's weight must be below half of rod.stretch_stiffness"
                                         : "the rod's weight must be below rod.stretch_stiffness";
      }
      return {};
    },
    .leave_out = [](LoadSpec& load, BoundarySpec&) { load.gravity = {}; },
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
          const double length = spec.rod.length;
          const double c = detail::hanging_slope(spec);
          const auto displacement = [&](double s) {
            if (spec.sections_shrink == 0.0) return c * s * (length - 0.5 * s);
            if (!spec.sections_have_energy) return std::log1p(c * s / (1.0 - c * length)) / c - s;
            const double here = std::sqrt(1.0 - 2.0 * c * (length - s));
            return 2.0 * s / (here + std::sqrt(1.0 - 2.0 * c * length)) - s;
          };
          std::vector<double> values;
          values.reserve(places.size());
          for (const double s : places) values.push_back(displacement(s));
          return values;
        }};

}  // namespace rodeo::profile
