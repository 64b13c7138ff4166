#include "rodeo/rod/initial_shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace rodeo {

namespace {

using std::numbers::pi;

/// Nodes on a helix about rod.direction through rod.origin, from rod.normal on, the nodes `turn` apart.
std::vector<Vec3> helix_nodes(const RodSpec& rod, double radius, double pitch, double turn) {
  const Vec3 second = cross(rod.direction, rod.normal);
  std::vector<Vec3> nodes;
  for (int i = 0; i <= rod.elements; ++i) {
    const double angle = i * turn;
    nodes.push_back(rod.origin + (radius * std::cos(angle)) * rod.normal +
                    (radius * std::sin(angle)) * second + (angle / (2.0 * pi) * pitch) * rod.direction);
  }
  return nodes;
}

std::vector<Vec3> initial_nodes(const RodSpec& rod) {
  const double element_length = rod.length / rod.elements;
  std::vector<Vec3> nodes;
  switch (rod.shape) {
    case RodShape::straight:
      for (int i = 0; i <= rod.elements; ++i)
        nodes.push_back(rod.origin + (static_cast<double>(i) * element_length) * rod.direction);
      break;
    case RodShape::ring:
      nodes =
          helix_nodes(rod, 0.5 * element_length / std::sin(pi / rod.elements), 0.0, 2.0 * pi / rod.elements);
      nodes.back() = nodes.front();
      break;
    case RodShape::helix:
      nodes = helix_nodes(rod, rod.helix_radius, rod.helix_pitch,
                          helix_step(rod.helix_radius, rod.helix_pitch, element_length));
      break;
    case RodShape::file:
      for (const Vec3& node : rod.shape_nodes) nodes.push_back(rod.origin + node);
      if (rod.closed) nodes.push_back(nodes.front());
      break;
  }
  return nodes;
}

/// `frame` turned by the smallest rotation that takes the unit vector `before` to `after`.
Quaternion transported(const Quaternion& frame, const Vec3& before, const Vec3& after) {
  const Vec3 axis = cross(before, after);
  const Quaternion turn = {1.0 + dot(before, after), axis.x, axis.y, axis.z};
  const double scale = 1.0 / std::sqrt(squared_norm(turn));
  return Quaternion{scale * turn.w, scale * turn.x, scale * turn.y, scale * turn.z} * frame;
}

Quaternion turn_about_tangent(double angle) { return rotation({0.0, 0.0, angle}); }

/// Frames of the elements without twist; of a closed rod also the first once more, as transport around the
/// rod brings it back.
std::vector<Quaternion> transported_frames(const RodSpec& rod, const std::vector<Vec3>& nodes) {
  const auto count = static_cast<std::size_t>(rod.elements);
  if (rod.shape == RodShape::straight) return {count, orientation(rod.direction, rod.normal)};
  std::vector<Vec3> tangents;
  for (std::size_t i = 0; i < count; ++i) tangents.push_back(normalized(nodes[i + 1] - nodes[i]));
  if (rod.closed) tangents.push_back(tangents.front());
  const Vec3 normal = normalized(rod.normal - dot(rod.normal, tangents[0]) * tangents[0]);
  std::vector<Quaternion> frames = {orientation(tangents[0], normal)};
  for (std::size_t i = 1; i < tangents.size(); ++i)
    frames.push_back(transported(frames.back(), tangents[i - 1], tangents[i]));
  return frames;
}

/// Rest lengths and Voronoi lengths of the regions.
void set_lengths(const RodSpec& rod, InitialShape& shape) {
  const double element_length = rod.length / rod.elements;
  const auto count = static_cast<std::size_t>(rod.elements);
  shape.arc_lengths = {0.0};
  for (std::size_t i = 0; i < count; ++i) {
    const bool uniform = rod.shape != RodShape::file;
    const double length = uniform                    ? element_length
                          : rod.rest_lengths.empty() ? norm(shape.nodes[i + 1] - shape.nodes[i])
                                                     : rod.rest_lengths[i];
    shape.rest_lengths.push_back(length);
    shape.arc_lengths.push_back(uniform ? static_cast<double>(i + 1) * length
                                        : shape.arc_lengths.back() + length);
  }
  const double seam = 0.5 * (shape.rest_lengths.back() + shape.rest_lengths.front());
  shape.rest_voronoi = {rod.closed ? seam : 0.5 * shape.rest_lengths.front()};
  for (std::size_t i = 0; i + 1 < count; ++i)
    shape.rest_voronoi.push_back(0.5 * (shape.rest_lengths[i] + shape.rest_lengths[i + 1]));
  shape.rest_voronoi.push_back(rod.closed ? seam : 0.5 * shape.rest_lengths.back());
}

/// Curvatures of the regions between frames without twist; the ends of an open rod go on as the regions next
/// to them.
std::vector<Vec3> curvatures(const RodSpec& rod, const std::vector<Quaternion>& frames,
                             const std::vector<double>& voronoi) {
  if (rod.shape == RodShape::straight) return std::vector<Vec3>(voronoi.size());
  std::vector<Vec3> inner;
  for (std::size_t i = 0; i + 1 < frames.size(); ++i)
    inner.push_back((1.0 / voronoi[i + 1]) * rotation_vector(conjugate(frames[i]) * frames[i + 1]));
  if (inner.empty()) inner.emplace_back();
  std::vector<Vec3> all = {rod.closed ? inner.back() : inner.front()};
  all.insert(all.end(), inner.begin(), inner.end());
  if (!rod.closed && rod.elements > 1) all.push_back(inner.back());
  return all;
}

/// Frames with those around the elements, all turned by their share of rod.total_twist.
void set_frames(const RodSpec& rod, const std::vector<Quaternion>& transported,
                const std::vector<Vec3>& curvature, InitialShape& shape) {
  const auto count = static_cast<std::size_t>(rod.elements);
  const double rate = rod.total_twist / shape.arc_lengths.back();
  const auto twisted = [&](const Quaternion& frame, double arc_length) {
    return rod.total_twist == 0.0 ? frame : frame * turn_about_tangent(rate * arc_length);
  };
  std::vector<Quaternion> frames;
  for (std::size_t i = 0; i < count; ++i) frames.push_back(twisted(transported[i], shape.middle(i)));
  if (rod.closed) {
    const double once_around = shape.middle(0) + shape.arc_lengths.back();
    const Quaternion seam = conjugate(frames.front()) * twisted(transported[count], once_around);
    const double scale = 1.0 / std::hypot(seam.w, seam.z);
    shape.seam = {scale * seam.w, 0.0, 0.0, scale * seam.z};
    frames.push_back(frames.front() * shape.seam);
    frames.insert(frames.begin(), frames[count - 1] * conjugate(shape.seam));
  } else {
    const Quaternion first = transported.front() * rotation(-shape.rest_voronoi.front() * curvature.front());
    const Quaternion last = transported.back() * rotation(shape.rest_voronoi.back() * curvature.back());
    frames.push_back(twisted(last, shape.arc_lengths.back()));
    frames.insert(frames.begin(), first);
  }
  shape.frames = std::move(frames);
}

}  // namespace

std::vector<double> uneven_places(const RodSpec& rod) {
  constexpr double alike = 1e-9;
  if (rod.shape != RodShape::file && rod.rest_lengths.empty()) return {};
  std::vector<double> places = initial_shape(rod).arc_lengths;
  const double length = places.back();
  bool even = true;
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] /= length;
    const double place = static_cast<double>(i) / static_cast<double>(places.size() - 1);
    even = even && std::abs(places[i] - place) <= alike;
  }
  if (even) return {};
  return places;
}

double helix_step(double radius, double pitch, double chord) {
  const auto reach = [&](double angle) {
    return std::hypot(2.0 * radius * std::sin(0.5 * angle), pitch * angle / (2.0 * pi));
  };
  double lower = 0.0;
  double upper = pi;
  for (double middle = 0.5 * pi; middle > lower && middle < upper; middle = 0.5 * (lower + upper))
    (reach(middle) < chord ? lower : upper) = middle;
  return upper;
}

std::vector<Vec3> shape_edges(const std::vector<Vec3>& nodes, bool closed) {
  std::vector<Vec3> edges;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) edges.push_back(nodes[i + 1] - nodes[i]);
  if (closed && !nodes.empty()) edges.push_back(nodes.front() - nodes.back());
  return edges;
}

double shortest_element(const RodSpec& rod) {
  if (rod.shape != RodShape::file) return rod.length / rod.elements;
  if (!rod.rest_lengths.empty()) return std::ranges::min(rod.rest_lengths);
  double shortest = rod.length;
  for (const Vec3& edge : shape_edges(rod.shape_nodes, rod.closed)) shortest = std::min(shortest, norm(edge));
  return shortest;
}

InitialShape initial_shape(const RodSpec& rod) {
  InitialShape shape;
  shape.nodes = initial_nodes(rod);
  set_lengths(rod, shape);
  const std::vector<Quaternion> frames = transported_frames(rod, shape.nodes);
  const std::vector<Vec3> curvature = curvatures(rod, frames, shape.rest_voronoi);
  set_frames(rod, frames, curvature, shape);
  for (const Vec3& initial : curvature) {
    const Vec3 kept = rod.rests_straight ? Vec3{} : initial;
    shape.rest_curvatures.push_back(kept + rod.intrinsic_curvature);
  }
  return shape;
}

std::array<Quaternion, 2> end_directors(const RodSpec& rod, const InitialShape& shape) {
  if (!rod.start || (rod.start->orientations.empty() && rod.start->ends.empty()))
    return {shape.frames.front(), shape.frames.back()};
  if (!rod.start->ends.empty()) return {rod.start->ends[0], rod.start->ends[1]};
  const std::vector<Quaternion>& q = rod.start->orientations;
  const std::size_t n = q.size();
  if (n == 1) return {q[0], q[0]};
  const auto half_turn = [&](std::size_t region, double half) {
    const Vec3 turn = rotation_vector(conjugate(q[region - 1]) * q[region]);
    return (half / shape.rest_voronoi[region]) * turn;
  };
  return {q[0] * rotation(-1.0 * half_turn(1, shape.rest_voronoi[0])),
          q[n - 1] * rotation(half_turn(n - 1, shape.rest_voronoi[n]))};
}

}  // namespace rodeo
