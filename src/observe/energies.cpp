#include "rodeo/observe/energies.hpp"

#include <cmath>

namespace rodeo::observe {

StrainEnergies strain_energies(const Observation& o) {
  StrainEnergies sum;
  const auto add = [&](const ConstRodView& rod) {
    for (int i = 0; i < rod.elements; ++i) {
      const double inverse_rest = rod.array(field::inverse_rest_length)[i];
      const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
      const bool shears = o.spec.shears;
      const Vec3 strain =
          inverse_rest * (shears ? directors(rod.quaternion(i)).to_body(edge) : Vec3{0.0, 0.0, norm(edge)});
      const double natural = rod.array(field::natural_stretch)[i];
      const double stretch = strain.z - natural;
      const double scale = inverse_rest * (o.spec.sections_have_energy ? inverse_rest * norm(edge)
                                                                       : rod.section_value(natural, 1.0));
      sum.shear +=
          0.5 * rod.array(field::shear_stiffness)[i] * (strain.x * strain.x + strain.y * strain.y) / scale;
      if (!rod.circular) {
        const Vec3 stiffness = rod.shear_stretch_stiffness(i);
        sum.shear += 0.5 * (stiffness.y - stiffness.x) * strain.y * strain.y / scale;
      }
      sum.stretch += 0.5 * rod.array(field::stretch_stiffness)[i] * stretch * stretch / scale;
    }
  };
  for (const ConstRodView& rod : o.others) add(rod);
  add(o.state);
  return sum;
}

namespace {

/// Excess energy per stiffness and rest length of an element that has another natural length than at rest.
double natural_excess(double e, double natural) {
  const double stretch = e - natural;
  return 0.5 * stretch * stretch / natural - (stretch - natural * std::log(e / natural));
}

}  // namespace

double stretch_energy_excess(const ConstRodView& rod) {
  double sum = 0.0;
  for (int i = 0; i < rod.elements; ++i) {
    const double inverse_rest = rod.array(field::inverse_rest_length)[i];
    const double e = inverse_rest * norm(rod.vec3(field::position, i + 1) - rod.vec3(field::position, i));
    const double stretch = e - 1.0;
    const double natural = rod.array(field::natural_stretch)[i];
    const double energy =
        natural == 1.0 ? 0.5 * stretch * stretch - (stretch - std::log(e)) : natural_excess(e, natural);
    sum += rod.array(field::stretch_stiffness)[i] / inverse_rest * energy;
  }
  return sum;
}

}  // namespace rodeo::observe
