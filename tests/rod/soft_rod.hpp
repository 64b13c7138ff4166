#pragma once

#include "rodeo/spec/member_spec.hpp"

namespace rodeo::cosserat {

/// A rod of 1 m along z, soft enough to move a lot in a second.
inline MemberSpec soft_rod(int elements) {
  MemberSpec spec;
  spec.rod.elements = elements;
  spec.rod.length = 1.0;
  spec.rod.radius = 0.05;
  spec.rod.density = 1000.0;
  spec.rod.bend_stiffness = 0.8;
  spec.rod.twist_stiffness = 0.5;
  spec.rod.shear_stiffness = 2000.0;
  spec.rod.stretch_stiffness = 3000.0;
  spec.rod.direction = {0, 0, 1};
  spec.rod.normal = {1, 0, 0};
  spec.time.step = 1e-4;
  spec.time.steps = 1000;
  spec.time.slice_steps = 1000;
  return spec;
}

}  // namespace rodeo::cosserat
