#pragma once

#include "rodeo/forces/damping.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

/// Drag against the velocity of a node: its force is -(c I + along t t') v.
struct NodeDrag {
  double all = 0.0;    ///< c, kg/s
  double along = 0.0;  ///< kg/s
  Vec3 tangent;        ///< t, unit vector

  Vec3 times(const Vec3& v) const { return all * v + (along * dot(tangent, v)) * tangent; }
};

/// Drag of a viscous fluid (SlenderBodyDrag) on a node, from the present edges of those of its two elements
/// that lie in [first, end).
template <class Edge>
NodeDrag slender_body_drag(const ConstRodView& rod, int node, int first, int end, const Edge& edge) {
  const double* const weight = rod.array(field::half_drag);
  Vec3 edges;
  double drag = 0.0;
  for (const int i : {node - 1, node}) {
    if (i < first || i >= end || weight[i] == 0.0) continue;  // zero beyond the ends
    edges = edges + weight[i] * edge(i);
    drag += weight[i] * norm(edge(i));
  }
  constexpr double folded = 1e-200;  // two elements that lie on each other have no direction, and no NaN
  return {drag, -0.5 * drag, (1.0 / math::sqrt(dot(edges, edges) + folded)) * edges};
}

/// Damping of a node, kg/s. Elements beyond the ends have no length. Each of two rods that share a node damps
/// its own length and mass there.
inline double damping_of_node(const DampingLaw& law, const ConstRodView& rod, int i, bool shares_first,
                              bool shares_last, const double (&end_masses)[2]) {
  const double* const length = rod.array(field::rest_length);
  if (i == 0 && shares_first) return law.of_node(length[0], end_masses[0]);
  if (i == rod.elements && shares_last) return law.of_node(length[i - 1], end_masses[1]);
  return law.of_node(length[i - 1] + length[i], rod.array(field::mass)[i]);
}

/// Damping of an element about d1, d2 and d3, kg m^2/s.
inline Vec3 damping_of_element(const DampingLaw& law, const ConstRodView& rod, int i) {
  const auto about = [&](double inertia) {
    return law.of_element(rod.array(field::rest_length)[i], inertia, rod.array(field::contact_radius)[i]);
  };
  const Vec3 inertia = rod.inertia(i);
  return {about(inertia.x), about(inertia.y), about(inertia.z)};
}

}  // namespace rodeo::forces
