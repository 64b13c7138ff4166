#include "rodeo/cosserat/stable_step.hpp"

#include <algorithm>
#include <cmath>

namespace rodeo::cosserat {

double stable_step(const RodSpec& rod) {
  const double area = M_PI * rod.radius * rod.radius;
  const double line_mass = rod.density * area;
  const double line_inertia = rod.inertia_ratio * rod.density * area * area / (4.0 * M_PI);
  const double length = rod.length / rod.elements;
  const double wave = 4.0 / (length * length);
  const double stretch = wave * rod.stretch_stiffness / line_mass;
  const double twist = wave * rod.twist_stiffness / (2.0 * line_inertia);
  const double bend_and_shear = wave * rod.shear_stiffness / line_mass + rod.shear_stiffness / line_inertia +
                                wave * rod.bend_stiffness / line_inertia;
  return 2.0 / std::sqrt(std::max({stretch, twist, bend_and_shear}));
}

}  // namespace rodeo::cosserat
