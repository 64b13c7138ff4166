#pragma once

#include <vector>

#include "rodeo/rod/initial_shape.hpp"

namespace rodeo {

/// Masses and stiffnesses of a rod's parts, for a section whose widths go linearly from those at node 0 to
/// those at the last, all by the same ratio. Stiffnesses of the deck are those of the first section;
/// along the rod they change as E I and E A do.
struct RodProperties {
  std::vector<double> masses;         ///< n + 1, kg, with point masses; of a closed rod the last is the first
  std::vector<double> bend_inertias;  ///< n, J1, kg m^2
  std::vector<double> radii;          ///< n, that of a cylinder of the element's volume, m
  std::vector<double>
      half_tapers;  ///< n, half of what radii differ by at the element's nodes, over its radius
  std::vector<double> shear_stiffnesses;    ///< n, S1, N
  std::vector<double> stretch_stiffnesses;  ///< n, N
  std::vector<double> bend_stiffnesses;   ///< n + 1, B1, N m^2: entry i + 1 is region i's, as in InitialShape
  std::vector<double> twist_stiffnesses;  ///< n + 1, N m^2: likewise
  double second_inertia_ratio = 1.0;      ///< J2/J1
  double twist_inertia_ratio = 2.0;       ///< J3/J1
  double second_shear_ratio = 1.0;        ///< S2/S1
  double second_bend_ratio = 1.0;         ///< B2/B1

  /// B1, B2 and B3 of entry k, N m^2.
  Vec3 bend_twist_stiffness(std::size_t k) const {
    return {bend_stiffnesses[k], second_bend_ratio * bend_stiffnesses[k], twist_stiffnesses[k]};
  }
};

RodProperties rod_properties(const RodSpec& rod, const InitialShape& shape);

/// Radius at a rest length from node 0, m.
double radius_at(const RodSpec& rod, double arc_length);

}  // namespace rodeo
