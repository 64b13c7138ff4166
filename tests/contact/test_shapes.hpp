#pragma once

#include <cmath>

#include "rodeo/contact/build_contact.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo::contact {

/// Elements of two fifths of the radius, as in Figure 9.
inline MemberSpec contact_rod(int elements) {
  MemberSpec spec = cosserat::soft_rod(elements);
  spec.rod.length = 0.01 * elements;
  spec.rod.radius = 0.025;
  spec.contact = {ContactKind::penalty, 1e4, 0.0};
  return spec;
}

/// Lays the centre line along curve(s), s from 0 to 1, and gives the work arrays the lengths a step would;
/// the elements keep their radius.
template <class Curve>
void lay(const RodView& rod, const Curve& curve) {
  for (int i = 0; i < rod.nodes(); ++i) {
    rod.set_vec3(field::position, i, curve(static_cast<double>(i) / rod.elements));
  }
  for (int i = 0; i < rod.elements; ++i) {
    const double length = norm(rod.vec3(field::position, i + 1) - rod.vec3(field::position, i));
    rod.array(field::contact_radius)[i] *= std::sqrt(length * rod.array(field::inverse_rest_length)[i]);
    rod.array(field::length)[i] = length;
    rod.array(field::inverse_length)[i] = 1.0 / length;
    rod.array(field::rest_length)[i] = length;
    rod.array(field::inverse_rest_length)[i] = 1.0 / length;
  }
}

/// A coil of a little less than a diameter between turns, with a wobble so that no two pairs are alike.
inline Vec3 coil(double s, double turns) {
  const double a = 2 * M_PI * turns * s;
  const double radius = 0.035 + 0.002 * std::sin(7 * a);
  return {radius * std::cos(a), radius * std::sin(a), 0.046 * turns * s};
}

inline double turns(const RodView& rod) { return 0.01 * rod.elements / (2 * M_PI * 0.036); }

/// A node path in a small box: everything touches everything.
inline Vec3 tangle(double s) {
  return 0.08 * Vec3{std::sin(31 * s), std::sin(43 * s + 1), std::cos(57 * s + 2)};
}

}  // namespace rodeo::contact
