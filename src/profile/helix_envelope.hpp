#pragma once

#include <algorithm>
#include <cmath>

#include "rodeo/profile/profile.hpp"

namespace rodeo::profile {

namespace detail {

/// Tension parameter t_h of the localised helix (section 3.4.1 of Gazzola et al. 2018) for a relative slack
/// D/L and a twist: with w = sqrt(4 t_h - m_h^2), D/L = w/(pi t_h) and Phi = 2 pi m_h alpha/beta + 4
/// acos(m_h/(2 sqrt t_h)). On the branch from the straight rod the twist grows with t_h up to t_h = 2/(pi
/// D/L)^2. NaN beyond that.
inline double helix_tension(double relative_slack, double twist, double bend_over_twist) {
  const double inverse_slack = 1.0 / (M_PI * relative_slack);
  const auto twist_at = [&](double tension) {
    const double w = tension / inverse_slack;
    const double torque = std::sqrt(std::max(0.0, 4.0 * tension - w * w));
    return 2.0 * M_PI * bend_over_twist * torque +
           4.0 * std::acos(std::min(1.0, 0.5 * torque / std::sqrt(tension)));
  };
  double lower = 0.0;
  double upper = 2.0 * inverse_slack * inverse_slack;
  if (!(twist <= twist_at(upper))) return std::nan("");
  for (int halvings = 0; halvings < 200; ++halvings) {
    const double middle = 0.5 * (lower + upper);
    (twist_at(middle) < twist ? lower : upper) = middle;
  }
  return 0.5 * (lower + upper);
}

inline double helix_tension(const MemberSpec& spec) {
  return helix_tension(spec.boundary.slack / spec.rod.length, std::abs(spec.boundary.twist),
                       spec.rod.bend_stiffness / spec.rod.twist_stiffness);
}

}  // namespace detail

/// Envelope phi = (cos theta - cos theta_max)/(1 - cos theta_max) of a rod that is twisted and whose ends
/// come together (eq. 3.11), theta being the angle of the tangent to the axis. For eq. 3.10 it is tanh^2(pi w
/// (s/L - 1/2)), w = pi t_h D/L.
inline constexpr AnalyticProfile helix_envelope = {
    .name = "helix_envelope",
    .sampling = Sampling::elements,
    .obstacle = [](const MemberSpec& spec) -> std::string {
      if (!spec.rod.circular) return "rod.section must be circle";
      if (!(spec.boundary.slack > 0.0)) return "boundary.slack must bring the ends together";
      if (std::isnan(detail::helix_tension(spec))) return "boundary.twist is too large for this slack";
      return {};
    },
    .leave_out =
        [](LoadSpec&, BoundarySpec& boundary) {
          boundary.twist = 0.0;
          boundary.slack = 0.0;
        },
    .measured =
        [](const MemberSpec& spec, const ConstRodView& rod) {
          std::vector<double> cosines;
          for (int i = 0; i < rod.elements; ++i) {
            const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
            cosines.push_back(dot(edge, spec.rod.direction) / norm(edge));
          }
          const double least = *std::min_element(cosines.begin(), cosines.end());
          for (double& value : cosines) value = (value - least) / (1.0 - least);
          return cosines;
        },
    .exact =
        [](const MemberSpec& spec, const ConstRodView&, const std::vector<double>& places, double) {
          const double width = M_PI * detail::helix_tension(spec) * spec.boundary.slack / spec.rod.length;
          std::vector<double> values;
          for (const double s : places) {
            const double root = std::tanh(M_PI * width * (s / spec.rod.length - 0.5));
            values.push_back(root * root);
          }
          return values;
        }};

}  // namespace rodeo::profile
