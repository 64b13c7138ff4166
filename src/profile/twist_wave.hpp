#pragma once

#include <cmath>

#include "rodeo/profile/profile.hpp"

namespace rodeo::profile {

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
      if (is_damped && spec.rod.damping_decay_time == 0.0) {
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
