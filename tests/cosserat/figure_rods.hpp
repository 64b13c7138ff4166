#pragma once

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::cosserat {

// Rods of figures of Gazzola et al. (2018), which benchmarks time and devices are compared by.

/// The rod of Figure 14 (alpha = 1 N m^2).
inline MemberSpec figure_14_rod(int elements) {
  MemberSpec spec;
  spec.rod.elements = elements;
  spec.rod.length = 1.0;
  spec.rod.radius = 0.025;
  spec.rod.density = 1.0 / (3.141592653589793 * 0.025 * 0.025);
  spec.rod.bend_stiffness = 1.0;
  spec.rod.twist_stiffness = 2.0 / 3.0;
  spec.rod.shear_stiffness = 1e5;
  spec.rod.stretch_stiffness = 1e5;
  spec.rod.direction = {0, 0, 1};
  spec.rod.normal = {1, 0, 0};
  spec.time.step = 0.3 * stable_step(spec.rod);
  return spec;
}

/// The swimmer of Figure 11 with its published gait.
inline MemberSpec figure_11_swimmer() {
  MemberSpec spec;
  const double area = 3.141592653589793 * 0.025 * 0.025;
  const double second_moment = area * area / (4 * 3.141592653589793);
  spec.rod.elements = 50;
  spec.rod.length = 1.0;
  spec.rod.radius = 0.025;
  spec.rod.density = 1000.0;
  spec.rod.bend_stiffness = 1e7 * second_moment;
  spec.rod.twist_stiffness = 2e7 / 3 * 2 * second_moment;
  spec.rod.shear_stiffness = 4.0 / 3 * 2e7 / 3 * area;
  spec.rod.stretch_stiffness = 1e7 * area;
  spec.rod.damping = 5.0;
  spec.rod.direction = {1, 0, 0};
  spec.rod.normal = {0, 0, 1};
  spec.muscle.kind = MuscleKind::couple;
  spec.muscle.amplitudes.fill(50.0);
  spec.muscle.amplitude_count = 4;
  spec.muscle.period = 1.0;
  spec.muscle.wave_number = 2 * 3.141592653589793 * 2.6;
  spec.muscle.axis = {1, 0, 0};
  spec.fluid.viscosity = 1e4;
  spec.time.step = 2.5e-5;
  return spec;
}

/// The snake of Figure 10 with its published gait: the same body on the ground.
inline MemberSpec figure_10_snake() {
  MemberSpec spec = figure_11_swimmer();
  spec.fluid.viscosity = 0.0;
  spec.muscle.amplitudes = {17.4, 48.5, 5.4, 14.7};
  spec.muscle.wave_number = 2 * 3.141592653589793 * 0.97;
  spec.load.gravity = {0, 0, -9.81};
  const double friction = 1.0 / (0.1 * 9.81);  // Froude number 0.1
  spec.ground.has_plane = true;
  spec.ground.origin = {0, 0, -0.025};
  spec.ground.normal = {0, 0, 1};
  spec.ground.stiffness = 1.0;
  spec.ground.damping = 1e-6;
  spec.ground.static_friction = {2 * friction, 3 * friction, 4 * friction};
  spec.ground.kinetic_friction = {friction, 1.5 * friction, 2 * friction};
  spec.ground.velocity_threshold = 1e-8;
  return spec;
}

}  // namespace rodeo::cosserat
