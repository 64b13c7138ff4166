#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "rodeo/math/scalars.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo {

/// Field that a frame may hold of every node of a rod. A quantity of elements stands at an element's first
/// node; the last node repeats that of the last element. Both end nodes of a closed rod are one.
struct TrajectoryField {
  std::string_view name;
  std::string_view unit;  ///< SI, "1" for a pure number
  int components;
  std::string_view text;                                                    ///< one line
  void (*value)(const ConstRodView& rod, bool closed, int i, double* out);  ///< at node i of a rod
};

namespace observe {

namespace detail {

inline void store(const Vec3& v, double* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

inline int element_at(const ConstRodView& rod, int node) { return std::min(node, rod.elements - 1); }

inline double element_length(const ConstRodView& rod, int i) {
  const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
  return math::sqrt(dot(edge, edge));
}

/// The radius of an element at its present length, m.
inline double element_radius(const ConstRodView& rod, int element) {
  const double inverse_section_length =
      rod.section_value(1.0 / element_length(rod, element), rod.array(field::inverse_rest_length)[element]);
  return rod.array(field::contact_radius)[element] * math::sqrt(inverse_section_length);
}

}  // namespace detail

inline constexpr TrajectoryField position = {"position", "m", 3, "of the node",
                                             [](const ConstRodView& rod, bool, int i, double* out) {
                                               detail::store(rod.vec3(field::position, i), out);
                                             }};

inline constexpr TrajectoryField velocity = {"velocity", "m/s", 3, "of the node",
                                             [](const ConstRodView& rod, bool, int i, double* out) {
                                               detail::store(rod.vec3(field::velocity, i), out);
                                             }};

inline constexpr TrajectoryField orientation = {
    "orientation", "1", 4, "of the element: quaternion w, x, y, z that turns x, y, z into d1, d2, d3",
    [](const ConstRodView& rod, bool, int i, double* out) {
      const Quaternion q = rod.quaternion(detail::element_at(rod, i));
      out[0] = q.w;
      detail::store({q.x, q.y, q.z}, out + 1);
    }};

inline constexpr TrajectoryField angular_velocity = {
    "angular_velocity", "rad/s", 3, "of the element, along d1, d2, d3",
    [](const ConstRodView& rod, bool, int i, double* out) {
      detail::store(rod.vec3(field::angular_velocity, detail::element_at(rod, i)), out);
    }};

inline constexpr TrajectoryField dilatation = {
    "dilatation", "1", 1, "of the element: length over rest length (2.5)",
    [](const ConstRodView& rod, bool, int i, double* out) {
      const int element = detail::element_at(rod, i);
      *out = detail::element_length(rod, element) * rod.array(field::inverse_rest_length)[element];
    }};

inline constexpr TrajectoryField radius = {
    "radius", "m", 1, "of the element; its volume stays as it stretches where sections are incompressible",
    [](const ConstRodView& rod, bool, int i, double* out) {
      const int element = detail::element_at(rod, i);
      *out = detail::element_radius(rod, element);
    }};

inline constexpr TrajectoryField curvature = {
    "curvature", "1/m", 3,
    "of the rest arc length along d1, d2, d3 (twist), between the elements at the node or from a clamp to "
    "the element at it; 0 at free ends",
    [](const ConstRodView& rod, bool closed, int i, double* out) {
      const int region = (closed && i == 0 ? rod.elements : i) - 1;
      const bool exists = rod.array(field::bend_stiffness)[region] > 0.0;
      const Quaternion turn = conjugate(rod.quaternion(region)) * rod.quaternion(region + 1);
      detail::store(exists ? rod.array(field::inverse_rest_voronoi)[region] * rotation_vector(turn) : Vec3{},
                    out);
    }};

}  // namespace observe

/// The list of fields, in the order of their bytes in a row's checksum; the position is always stored. A new
/// one: its entry above and one line here.
inline constexpr std::array trajectory_fields = {
    observe::position,   observe::velocity, observe::orientation, observe::angular_velocity,
    observe::dilatation, observe::radius,   observe::curvature,
};

}  // namespace rodeo
