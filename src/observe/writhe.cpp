#include "rodeo/observe/writhe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "rodeo/observe/linking.hpp"

namespace rodeo::observe {

namespace {

/// Whether a curve lies in a plane of two axes, so that its writhe is zero without rounding.
bool lies_across_an_axis(const std::vector<Vec3>& nodes) {
  const auto all_have = [&](double Vec3::*component) {
    return std::ranges::all_of(nodes, [&](const Vec3& x) { return x.*component == nodes[0].*component; });
  };
  return all_have(&Vec3::x) || all_have(&Vec3::y) || all_have(&Vec3::z);
}

}  // namespace

double polygon_writhe(const std::vector<Vec3>& nodes, bool closed) {
  if (lies_across_an_axis(nodes)) return 0.0;
  const std::size_t segments = nodes.size() - 1;
  if (segments * segments / 2 > most_pairs_summed) return writhe_by_crossings(nodes, closed);
  double sum = 0.0;
  for (std::size_t i = 0; i < segments; ++i) {
    const std::size_t end = closed && i == 0 ? segments - 1 : segments;
    for (std::size_t j = i + 2; j < end; ++j) {
      sum += segment_writhe(nodes[i], nodes[i + 1], nodes[j], nodes[j + 1]);
    }
  }
  return sum;
}

std::vector<Vec3> nodes_of(const ConstRodView& rod) {
  std::vector<Vec3> nodes;
  for (int i = 0; i < rod.nodes(); ++i) nodes.push_back(rod.vec3(field::position, i));
  return nodes;
}

double centre_line_writhe(const ConstRodView& rod, bool closed) {
  return polygon_writhe(nodes_of(rod), closed);
}

double turns_of_twist(const ConstRodView& rod, bool closed) {
  double sum = 0.0;
  for (int i = 0; i + 1 < rod.elements + (closed ? 1 : 0); ++i) {
    sum += rotation_vector(conjugate(rod.quaternion(i)) * rod.quaternion(i + 1)).z;
  }
  return sum / (2.0 * std::numbers::pi);
}

double closed_linking_number(const ConstRodView& rod) {
  const int n = rod.elements;
  const auto tangent = [&](int i) {
    return normalized(rod.vec3(field::position, i % n + 1) - rod.vec3(field::position, i % n));
  };
  const auto side = [&](int i) {
    const Directors d = directors(rod.quaternion(i));
    return carried(d.d1, d.d3, tangent(i));
  };
  double twist = 0.0;
  for (int i = 0; i < n; ++i) twist += angle_about_tangents(side(i), tangent(i), side(i + 1), tangent(i + 1));
  return centre_line_writhe(rod, true) + twist / (2.0 * std::numbers::pi);
}

double linking_number(const Observation& o) {
  const ConstRodView& rod = o.state;
  if (o.spec.rod.closed) return closed_linking_number(rod);
  const int n = rod.elements;
  if (rod.array(field::twist_stiffness)[-1] == 0.0 || rod.array(field::twist_stiffness)[n - 1] == 0.0)
    return std::numeric_limits<double>::quiet_NaN();
  constexpr double far = 1e3;  // times the rod's length: what lies beyond has no share in the writhe
  const Vec3 first = far * o.spec.rod.length * directors(rod.quaternion(-1)).d3;
  const Vec3 last = far * o.spec.rod.length * directors(rod.quaternion(n)).d3;
  std::vector<Vec3> nodes = nodes_of(rod);
  nodes.insert(nodes.begin(), nodes.front() - first);
  nodes.push_back(nodes.back() + last);
  const auto tangent = [&](int i) {
    const auto k = static_cast<std::size_t>(i + 1);
    return normalized(nodes[k + 1] - nodes[k]);
  };
  double twist = 0.0;
  for (int i = -1; i < n; ++i) {
    twist += angle_about_tangents(directors(rod.quaternion(i)).d1, tangent(i),
                                  directors(rod.quaternion(i + 1)).d1, tangent(i + 1));
  }
  return polygon_writhe(nodes) + twist / (2.0 * std::numbers::pi);
}

double gauss_integral(const ConstRodView& a, const ConstRodView& b) {
  double sum = 0.0;
  for (int i = 0; i < a.elements; ++i) {
    const Vec3 a0 = a.vec3(field::position, i);
    const Vec3 a1 = a.vec3(field::position, i + 1);
    for (int j = 0; j < b.elements; ++j) {
      sum += 0.5 * segment_writhe(a0, a1, b.vec3(field::position, j), b.vec3(field::position, j + 1));
    }
  }
  return sum;
}

double winding_around(const ConstRodView& rod, const std::vector<ConstRodView>& others) {
  std::size_t pairs = 0;
  for (const ConstRodView& other : others) {
    pairs += static_cast<std::size_t>(rod.elements) * static_cast<std::size_t>(other.elements);
  }
  const std::vector<Vec3> nodes = nodes_of(rod);
  double sum = 0.0;
  for (const ConstRodView& other : others) {
    const std::vector<Vec3> of_other = nodes_of(other);
    const bool by_crossings = pairs > most_pairs_summed && !meet_at_ends(nodes, of_other);
    sum += by_crossings ? gauss_integral_by_crossings(nodes, of_other) : gauss_integral(rod, other);
  }
  return sum;
}

}  // namespace rodeo::observe
