#pragma once

#include <vector>

#include "rodeo/rod/initial_shape.hpp"

namespace rodeo {

/// What a rod's parts weigh and how stiff they are, for a radius that goes linearly from rod.radius at node 0
/// to rod.end_radius at the last. Stiffnesses of the deck are those of the first section; along the rod they
/// change as E I and E A do.
struct RodProperties {
  std::vector<double> masses;         ///< n + 1, kg, with point masses; of a closed rod the last is the first
  std::vector<double> bend_inertias;  ///< n, J1 = J2, kg m^2
  std::vector<double> radii;          ///< n, that of a cylinder of the element's volume, m
  std::vector<double> shear_stiffnesses;    ///< n, N
  std::vector<double> stretch_stiffnesses;  ///< n, N
  std::vector<double> bend_stiffnesses;     ///< n + 1, N m^2: entry i + 1 is region i's, as in InitialShape
  std::vector<double> twist_stiffnesses;    ///< n + 1, N m^2: likewise
};

RodProperties rod_properties(const RodSpec& rod, const InitialShape& shape);

/// Radius at a rest length from node 0, m.
double radius_at(const RodSpec& rod, double arc_length);

}  // namespace rodeo
