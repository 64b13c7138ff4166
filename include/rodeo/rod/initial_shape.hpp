#pragma once

#include <array>
#include <vector>

#include "rodeo/math/rotation.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Initial positions of a rod by its shape, and its rest state. n elements, whose rest lengths are their
/// initial lengths unless the rod has others. At the ends of an open rod there is half a region more, as at a
/// clamp; on a closed rod the neighbour across the seam.
struct InitialShape {
  std::vector<Vec3> nodes;            ///< n + 1, m; of a closed rod the last is the first
  std::vector<double> arc_lengths;    ///< n + 1: rest length from node 0 to each node, m
  std::vector<double> rest_lengths;   ///< n, m
  std::vector<Quaternion> frames;     ///< n + 2: entry i + 1 is element i's, around them those of the ends
  std::vector<double> rest_voronoi;   ///< n + 1, m: entry i + 1 is region i's, around them those of the ends
  std::vector<Vec3> rest_curvatures;  ///< n + 1, body, 1/m: likewise
  Quaternion seam;                    ///< of a closed rod: frame n = frame 0 * seam, a turn about d3

  /// Rest length from node 0 to the middle of an element, m.
  double middle(std::size_t element) const { return 0.5 * (arc_lengths[element] + arc_lengths[element + 1]); }
};

/// Director d1 is rod.normal, made perpendicular to the first element, and goes on from element to element by
/// parallel transport: the smallest turn that takes one tangent to the next. rod.total_twist then turns all
/// sections about their tangents.
InitialShape initial_shape(const RodSpec& rod);

/// Directors of both ends of an open rod as it starts: those of its shape or, of elements that start as the
/// deck says, what goes on from them as the region next to the end is bent.
std::array<Quaternion, 2> end_directors(const RodSpec& rod, const InitialShape& shape);

/// The edges between the nodes of a shape; of a closed rod with the one from the last node to the first.
std::vector<Vec3> shape_edges(const std::vector<Vec3>& nodes, bool closed);

/// Rest length from node 0 to each node, over that of the rod, where its elements are not all alike; nothing
/// of a rod whose node i of n stands at i/n.
std::vector<double> uneven_places(const RodSpec& rod);

/// Rest length of the shortest element, m.
double shortest_element(const RodSpec& rod);

/// The angle that a helix's elements of length `chord` take about its axis, rad; the chord must be below
/// sqrt(4 radius^2 + pitch^2/4), which takes half a turn.
double helix_step(double radius, double pitch, double chord);

}  // namespace rodeo
