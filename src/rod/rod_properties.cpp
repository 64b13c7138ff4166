#include "rodeo/rod/rod_properties.hpp"

#include <cmath>
#include <numbers>

#include "rodeo/rod/section.hpp"

namespace rodeo {

namespace {

/// The node nearest to a rest length from node 0.
std::size_t nearest_node(const InitialShape& shape, double arc_length) {
  std::size_t nearest = 0;
  for (std::size_t i = 1; i < shape.arc_lengths.size(); ++i) {
    if (std::abs(shape.arc_lengths[i] - arc_length) < std::abs(shape.arc_lengths[nearest] - arc_length))
      nearest = i;
  }
  return nearest;
}

/// Each node takes the halves of its elements that are next to it.
std::vector<double> node_masses(const RodSpec& rod, const InitialShape& shape) {
  const std::size_t last = shape.rest_lengths.size();
  std::vector<double> masses(last + 1);
  for (std::size_t i = 0; i < last; ++i) {
    const double middle = radius_at(rod, shape.middle(i));
    const double half_volume = 0.5 * std::numbers::pi * shape.rest_lengths[i];
    const double first = section::mean_square(radius_at(rod, shape.arc_lengths[i]), middle);
    const double second = section::mean_square(middle, radius_at(rod, shape.arc_lengths[i + 1]));
    masses[i] += rod.density * half_volume * first;
    masses[i + 1] += rod.density * half_volume * second;
  }
  for (const PointMass& point : rod.point_masses) masses[nearest_node(shape, point.arc_length)] += point.mass;
  if (rod.closed) masses[0] = masses[last] = masses[0] + masses[last];
  return masses;
}

}  // namespace

double radius_at(const RodSpec& rod, double arc_length) {
  return rod.radius * (1.0 + (rod.end_radius_ratio - 1.0) * (arc_length / rod.length));
}

RodProperties rod_properties(const RodSpec& rod, const InitialShape& shape) {
  RodProperties properties;
  properties.masses = node_masses(rod, shape);
  properties.second_inertia_ratio = rod.second_moment / rod.first_moment;
  properties.twist_inertia_ratio = 1.0 + properties.second_inertia_ratio;
  properties.second_shear_ratio = rod.second_shear_ratio;
  properties.second_bend_ratio = rod.second_bend_ratio;
  const std::size_t count = shape.rest_lengths.size();
  const double square = rod.radius * rod.radius;
  for (std::size_t i = 0; i < count; ++i) {
    const double a = radius_at(rod, shape.arc_lengths[i]);
    const double b = radius_at(rod, shape.arc_lengths[i + 1]);
    const double line_inertia = rod.inertia_ratio * rod.density * (0.25 * std::numbers::pi) *
                                section::mean_fourth(a, b) * rod.first_moment;
    const double area_ratio = section::harmonic_square(a, b) / square;
    properties.bend_inertias.push_back(line_inertia * shape.rest_lengths[i]);  // dJ1 = rho I1 ds
    properties.radii.push_back(std::sqrt(section::mean_square(a, b)));
    properties.half_tapers.push_back(0.5 * (b - a) / properties.radii.back());
    properties.shear_stiffnesses.push_back(area_ratio * rod.shear_stiffness);
    properties.stretch_stiffnesses.push_back(area_ratio * rod.stretch_stiffness);
  }
  // A region of an open rod reaches from middle to middle of its elements, at the ends to the end.
  for (std::size_t i = 0; i <= count; ++i) {
    const double a = radius_at(rod, i > 0 ? shape.middle(i - 1) : 0.0);
    const double b = radius_at(rod, i < count ? shape.middle(i) : rod.length);
    const double inertia_ratio = section::harmonic_fourth(a, b) / (square * square);
    properties.bend_stiffnesses.push_back(inertia_ratio * rod.bend_stiffness);
    properties.twist_stiffnesses.push_back(inertia_ratio * rod.twist_stiffness);
  }
  return properties;
}

}  // namespace rodeo
