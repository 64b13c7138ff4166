#include "rodeo/tangent/internal_loads.hpp"

#include "rodeo/tangent/bend_twist.hpp"
#include "rodeo/tangent/shear_stretch.hpp"

namespace rodeo::tangent {

void set_internal_loads(const RodView& rod, ClampedEnds ends) {
  for (int i = 0; i < rod.elements; ++i) {
    const auto of = [&](int f) { return rod.array(f)[i]; };
    const ShearStretch<double> element =
        ShearStretchLaw<double>{of(field::rest_length), of(field::inverse_rest_length),
                                rod.shear_stretch_stiffness(i), of(field::natural_stretch)}
            .at(rod.quaternion(i), rod.vec3(field::position, i + 1) - rod.vec3(field::position, i));
    rod.set_vec3(field::internal_force, i, element.gradient().edge);
    rod.set_vec3(field::shear_couple, i, -1.0 * element.gradient().turn);
    rod.array(field::length)[i] = norm(element.body_edge);
    rod.array(field::inverse_length)[i] = 1.0 / norm(element.body_edge);
  }
  for (int i = ends.first ? -1 : 0; i < rod.elements - (ends.last ? 0 : 1); ++i) {
    const auto of = [&](int f) { return rod.array(f)[i]; };
    const RegionGradient<double> region =
        BendTwistLaw<double>{of(field::inverse_rest_voronoi), rod.bend_twist_stiffness(i),
                             rod.vec3(field::rest_curvature, i)}
            .at(rod.quaternion(i), rod.quaternion(i + 1))
            .gradient();
    rod.set_vec3(field::bend_couple, i, 0.5 * (region.after - region.before));
    rod.set_vec3(field::transport_couple, i, -0.5 * (region.after + region.before));
  }
}

}  // namespace rodeo::tangent
