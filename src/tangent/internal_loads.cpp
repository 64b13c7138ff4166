#include "rodeo/tangent/internal_loads.hpp"

#include "rodeo/tangent/bend_twist.hpp"
#include "rodeo/tangent/shear_stretch.hpp"

namespace rodeo::tangent {

void set_internal_loads(const RodView& rod, ClampedEnds ends) {
  for (int i = 0; i < rod.elements; ++i) {
    const auto element = ShearStretch<double>::of(rod, i);
    rod.set_vec3(field::internal_force, i, element.gradient().edge);
    rod.set_vec3(field::shear_couple, i, -1.0 * element.gradient().turn);
    rod.array(field::length)[i] = norm(element.body_edge);
    rod.array(field::inverse_length)[i] = 1.0 / norm(element.body_edge);
  }
  for (int i = ends.first ? -1 : 0; i < rod.elements - (ends.last ? 0 : 1); ++i) {
    const RegionGradient<double> region = BendTwist<double>::of(rod, i).gradient();
    rod.set_vec3(field::bend_couple, i, 0.5 * (region.after - region.before));
    rod.set_vec3(field::transport_couple, i, -0.5 * (region.after + region.before));
  }
}

}  // namespace rodeo::tangent
