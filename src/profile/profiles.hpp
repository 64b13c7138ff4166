#pragma once

#include <algorithm>
#include <array>
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

/// Angle about the axis of a stretched, undamped rod that a couple A sin(2 pi f t) on its end turns to and
/// fro (eq. F5 of Gazzola et al. 2018, from eq. F4 with 1/c_s^2): theta = A c_s e^2/(2 pi f G I3) sin(k
/// s)/cos(k L) sin(2 pi f t), k = 2 pi f e/c_s, e the dilatation (1 for rigid sections). G I3 is the twist
/// stiffness, c_s = sqrt(G I3/(rho I3)).
inline constexpr AnalyticProfile twist_wave = {
    .name = "twist_wave",
    .sampling = Sampling::elements,
    .obstacle = [](const MemberSpec& spec) -> std::string {
      const double about_axis = std::abs(dot(spec.load.end_couple, spec.rod.direction));
      if (!spec.rod.circular) return "rod.section must be circle";
      if (spec.boundary.first != EndCondition::clamped) return "boundary.first must be clamped";
      if (spec.boundary.last == EndCondition::clamped ||
          spec.boundary.last == EndCondition::clamped_sliding) {
        return "boundary.last must be free to turn";
      }
      if (!(spec.load.frequency > 0.0)) return "load.frequency must be given";
      if (!(about_axis > (1.0 - 1e-12) * norm(spec.load.end_couple)) || about_axis == 0.0) {
        return "load.end_couple must act along rod.direction";
      }
      const bool is_damped = spec.rod.damping > 0.0 || spec.rod.damping_rate > 0.0 ||
                             spec.rod.rotational_damping.value_or(0.0) > 0.0;
      if (spec.rod.retardation_time > 0.0 || (is_damped && spec.rod.damping_decay_time == 0.0)) {
        return "there must be no damping but one that decays (rod.damping_decay_time)";
      }
      return {};
    },
    .leave_out =
        [](LoadSpec& load, BoundarySpec& boundary) {
          load.end_couple = {};
          load.frequency = 0.0;
          boundary.slack = 0.0;  // which stretches it
        },
    .measured =
        [](const MemberSpec& spec, const ConstRodView& rod) {
          // Angles are known to whole turns; each element's is the one nearest to that of the element before.
          const Vec3 across = cross(spec.rod.direction, spec.rod.normal);
          std::vector<double> angles;
          double before = 0.0;
          for (int i = 0; i < rod.elements; ++i) {
            const Vec3 normal = directors(rod.quaternion(i)).d1;
            const double turned = std::atan2(dot(normal, across), dot(normal, spec.rod.normal));
            before = turned + 2.0 * M_PI * std::round((before - turned) / (2.0 * M_PI));
            angles.push_back(before);
          }
          return angles;
        },
    .exact =
        [](const MemberSpec& spec, const ConstRodView& rod, const std::vector<double>& places, double time) {
          const RodSpec& s = spec.rod;
          const Vec3 span = rod.vec3(field::position, rod.elements) - rod.vec3(field::position, 0);
          const double dilatation = rod.section_value(norm(span) / s.length, 1.0);
          const double section = M_PI * s.radius * s.radius;
          const double polar_inertia =
              s.inertia_ratio * s.density * section * section / (2.0 * M_PI);  // rho I3
          const double speed = std::sqrt(s.twist_stiffness / polar_inertia);
          const double frequency = 2.0 * M_PI * spec.load.frequency;
          const double wave_number = frequency * dilatation / speed;
          const double amplitude = dot(spec.load.end_couple, s.direction) * speed * dilatation * dilatation /
                                   (frequency * s.twist_stiffness * std::cos(wave_number * s.length));
          std::vector<double> values;
          values.reserve(places.size());
          for (const double place : places) {
            values.push_back(amplitude * std::sin(wave_number * place) * std::sin(frequency * time));
          }
          return values;
        }};

}  // namespace rodeo::profile

namespace rodeo {

/// The list of solutions, in the order of AnalyticReference after `none`. A new one: its entry above, one
/// line here, its name in that enumeration and in the choices of convergence.reference.
inline constexpr std::array analytic_profiles = {
    profile::hanging,
    profile::timoshenko,
    profile::helix_envelope,
    profile::twist_wave,
};

}  // namespace rodeo
