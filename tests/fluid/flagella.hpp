#pragma once

#include <cmath>
#include <vector>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo::fluid {

/// Flagella as those of Tong et al. 2023 with the default options of its program: each a helix of radius 1
/// cm, pitch 5 cm and length 20 cm along x on a hook, clamped and turned by -15 rpm.
inline MemberSpec flagella_at(const std::vector<Vec3>& places) {
  constexpr double radius = 0.01;
  constexpr double pitch = 0.05;
  constexpr int turns = 4;
  constexpr double edge = 0.005;
  RodSpec rod;
  rod.shape = RodShape::file;
  rod.shape_nodes.push_back({-edge - radius, 0, 0});
  const int ramp = static_cast<int>(std::floor(radius * std::sqrt(2.0) / edge));
  for (int i = 0; i < ramp; ++i) {
    const double share = static_cast<double>(i) / ramp;
    rod.shape_nodes.push_back({(share - 1) * radius, share * radius, 0});
  }
  const double turn = 2 * M_PI * turns;
  const int helix = static_cast<int>(std::floor(turn * std::hypot(radius, pitch / (2 * M_PI)) / edge));
  for (int i = 0; i <= helix; ++i) {
    const double angle = i * turn / helix;
    rod.shape_nodes.push_back(
        {pitch * angle / (2 * M_PI), radius * std::cos(angle), radius * std::sin(angle)});
  }
  rod.elements = static_cast<int>(rod.shape_nodes.size()) - 1;
  for (int i = 0; i < rod.elements; ++i) {
    const auto k = static_cast<std::size_t>(i);
    rod.length += norm(rod.shape_nodes[k + 1] - rod.shape_nodes[k]);
  }
  rod.radius = 1e-3;
  rod.density = 1e4;
  const double young = 3e6;
  const double area = M_PI * 1e-6;
  rod.stretch_stiffness = young * area;
  rod.shear_stiffness = young * area;
  rod.bend_stiffness = young * area * 1e-6 / 4;
  rod.twist_stiffness = young / 3 * area * 1e-6 / 2;
  rod.direction = {1, 0, 0};
  rod.normal = {0, 1, 0};

  MemberSpec spec;
  spec.model = ModelKind::der;
  spec.fluid.kind = FluidKind::stokeslets;
  spec.fluid.viscosity = 1.0;
  spec.time = {.step = 1e-3, .steps = 1000, .slice_steps = 1000};
  spec.newton = {.tolerance = 1e-3, .iterations = 50, .halvings = 10};
  for (std::size_t k = 0; k < places.size(); ++k) {
    RodSetup setup;
    setup.rod = rod;
    setup.rod.origin = places[k];
    setup.boundary.first = EndCondition::clamped;
    setup.boundary.driven = DrivenEnds::first;
    setup.boundary.motion_time = 1000.0;
    setup.boundary.twist = 15 * 2 * M_PI / 60 * setup.boundary.motion_time;
    if (k == 0) {
      static_cast<RodSetup&>(spec) = setup;
    } else {
      spec.further_rods.push_back(setup);
    }
  }
  return spec;
}

/// Those of the paper: on a polygon of side 3 cm.
inline MemberSpec flagella(int count) {
  const double circumradius = count > 1 ? 0.5 * 0.03 / std::sin(M_PI / count) : 0.0;
  std::vector<Vec3> places;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * M_PI * k / count;
    places.push_back({0, circumradius * std::cos(angle), circumradius * std::sin(angle)});
  }
  return flagella_at(places);
}

/// Rows of flagella 3 cm apart.
inline MemberSpec flagella_carpet(int rows, int columns) {
  std::vector<Vec3> places;
  for (int k = 0; k < rows * columns; ++k) places.push_back({0, 0.03 * (k % columns), 0.03 * (k / columns)});
  return flagella_at(places);
}

}  // namespace rodeo::fluid
