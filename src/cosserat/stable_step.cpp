#include "rodeo/cosserat/stable_step.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/rod/rod_properties.hpp"

namespace rodeo::cosserat {

double stable_step(const RodSpec& rod) {
  const InitialShape shape = initial_shape(rod);
  const RodProperties made = rod_properties(rod, shape);
  const auto last = static_cast<std::size_t>(rod.elements) - 1;
  double shear = 0.0;
  double stretch = 0.0;
  for (std::size_t i = 0; i <= last + 1; ++i) {
    const auto around = [&](const std::vector<double>& stiffnesses) {
      const std::size_t before = i > 0 ? i - 1 : last;
      const std::size_t after = i <= last ? i : 0;
      const double first = i > 0 || rod.closed ? stiffnesses[before] / shape.rest_lengths[before] : 0.0;
      const double second = i <= last || rod.closed ? stiffnesses[after] / shape.rest_lengths[after] : 0.0;
      return 2.0 * (first + second) / made.masses[i];
    };
    shear = std::max(shear, around(made.shear_stiffnesses));
    stretch = std::max(stretch, around(made.stretch_stiffnesses));
  }
  double shear_turn = 0.0;
  double bend = 0.0;
  double twist = 0.0;
  for (std::size_t i = 0; i <= last; ++i) {
    const double inertia = made.bend_inertias[i];
    const auto around = [&](const std::vector<double>& stiffnesses) {
      const auto of_region = [&](std::size_t region, bool end) {
        return (end && !rod.closed ? 1.0 : 2.0) * stiffnesses[region] / shape.rest_voronoi[region];
      };
      return of_region(i, i == 0) + of_region(i + 1, i == last);
    };
    shear_turn = std::max(shear_turn, made.shear_stiffnesses[i] * shape.rest_lengths[i] / inertia);
    bend = std::max(bend, around(made.bend_stiffnesses) / inertia);
    twist = std::max(twist, around(made.twist_stiffnesses) / (2.0 * inertia));
  }
  return 2.0 / std::sqrt(std::max({stretch, twist, shear + shear_turn + bend}));
}

}  // namespace rodeo::cosserat
