#include "resting_ground.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/tangent/soft_surface.hpp"

namespace rodeo::statics {

namespace {

using tangent::node_unknown;

/// Part of the way to the middle of a solid that one step may take an element.
constexpr double clear_share = 0.9;

double radius_at_rest(const ConstRodView& rod, int element) {
  return rod.array(field::contact_radius)[element] *
         std::sqrt(rod.array(field::inverse_rest_length)[element]);
}

Vec3 middle_of(const ConstRodView& rod, int element) {
  return 0.5 * (rod.vec3(field::position, element) + rod.vec3(field::position, element + 1));
}

/// By which a step displaces the middle of an element.
Vec3 way_of_middle(std::span<const double> step, int element) {
  const double* const first = step.data() + node_unknown(element);
  const double* const last = step.data() + node_unknown(element + 1);
  return {0.5 * (first[0] + last[0]), 0.5 * (first[1] + last[1]), 0.5 * (first[2] + last[2])};
}

}  // namespace

RestingGround::RestingGround(const MemberSpec& spec)
    : stiffness_(spec.ground.stiffness), further_(forces::FurtherGround::of(spec, tables_)) {
  const forces::Ground ground = forces::Ground::surfaces_of(spec);
  if (ground.has_plane) surfaces_.emplace_back(ground.plane);
  for (int k = 0; k < ground.solid_count; ++k) surfaces_.emplace_back(ground.solids[k]);
  for (int k = 0; k < further_.still_count; ++k) surfaces_.emplace_back(further_.still[k]);
  if (further_.has_platen) surfaces_.emplace_back(further_.platen(0.0, tables_.data()));
}

void RestingGround::set_time(double time) {
  if (further_.has_platen) surfaces_.back() = further_.platen(time, tables_.data());
}

Vec3 RestingGround::platen_displacement(double time) const {
  return further_.has_platen ? further_.at(time, tables_.data()).displacement : Vec3{};
}

/// Calls visit(k, surface, element, radius, middle) for the k-th surface and each element.
template <class Visit>
void RestingGround::for_each_pair(const ConstRodView& rod, const Visit& visit) const {
  for (std::size_t k = 0; k < surfaces_.size(); ++k) {
    std::visit(
        [&](const auto& surface) {
          for (int i = 0; i < rod.elements; ++i)
            visit(k, surface, i, radius_at_rest(rod, i), middle_of(rod, i));
        },
        surfaces_[k]);
  }
}

double RestingGround::energy(const ConstRodView& rod) const {
  double sum = 0.0;
  for_each_pair(rod, [&](std::size_t, const auto& surface, int, double radius, const Vec3& middle) {
    sum += tangent::surface_spring(surface, stiffness_, radius, middle).energy;
  });
  return sum;
}

void RestingGround::add_gradient(const ConstRodView& rod, std::span<double> gradient) const {
  for_each_pair(rod, [&](std::size_t, const auto& surface, int i, double radius, const Vec3& middle) {
    const Vec3 half = 0.5 * tangent::surface_spring(surface, stiffness_, radius, middle).gradient;
    for (const int node : {i, i + 1}) {
      double* const g = gradient.data() + node_unknown(node);
      g[0] += half.x;
      g[1] += half.y;
      g[2] += half.z;
    }
  });
}

void RestingGround::add_hessian(const ConstRodView& rod, tangent::RodMatrix& hessian) const {
  for_each_pair(rod, [&](std::size_t, const auto& surface, int i, double radius, const Vec3& middle) {
    const tangent::SurfaceSpring spring = tangent::surface_spring(surface, stiffness_, radius, middle);
    if (spring.energy == 0.0) return;
    const Matrix3 quarter = 0.25 * spring.hessian;
    const int first = node_unknown(i);
    const int last = node_unknown(i + 1);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        hessian.at(last + row, first + column) += quarter(row, column);
        if (column > row) continue;
        hessian.at(first + row, first + column) += quarter(row, column);
        hessian.at(last + row, last + column) += quarter(row, column);
      }
    }
  });
}

std::vector<Vec3> RestingGround::forces_on_platen(const ConstRodView& rod) const {
  std::vector<Vec3> forces(static_cast<std::size_t>(rod.elements));
  for_each_pair(rod, [&](std::size_t k, const auto& surface, int i, double radius, const Vec3& middle) {
    if (!further_.has_platen || k + 1 < surfaces_.size()) return;
    forces[static_cast<std::size_t>(i)] =
        tangent::surface_spring(surface, stiffness_, radius, middle).gradient;
  });
  return forces;
}

std::vector<RestingGround::Approach> RestingGround::approaches(const ConstRodView& rod,
                                                               std::span<const double> way) const {
  std::vector<Approach> approaches;
  for_each_pair(rod, [&](std::size_t, const auto& surface, int i, double radius, const Vec3& middle) {
    const forces::SurfacePoint point = surface.nearest(middle, Vec3{});
    approaches.push_back({radius > point.height, -dot(point.normal, way_of_middle(way, i))});
  });
  return approaches;
}

double RestingGround::slope(const ConstRodView& rod, std::span<const double> step, double part) const {
  double sum = 0.0;
  for_each_pair(rod, [&](std::size_t, const auto& surface, int i, double radius, const Vec3& middle) {
    const Vec3 way = way_of_middle(step, i);
    const tangent::SurfaceSpring there =
        tangent::surface_spring(surface, stiffness_, radius, middle + part * way);
    sum += dot(there.gradient, way);
  });
  return sum;
}

double RestingGround::curvature(const ConstRodView& rod, std::span<const double> step) const {
  double sum = 0.0;
  for_each_pair(rod, [&](std::size_t, const auto& surface, int i, double radius, const Vec3& middle) {
    const Vec3 way = way_of_middle(step, i);
    sum += dot(way, tangent::surface_spring(surface, stiffness_, radius, middle).hessian * way);
  });
  return sum;
}

double RestingGround::clear_part(const ConstRodView& rod, std::span<const double> step) const {
  double part = 1.0;
  for (const Surface& surface : surfaces_) {
    const auto* const solid = std::get_if<forces::RoundSurface>(&surface);
    if (solid == nullptr || solid->side < 0.0) continue;
    for (int i = 0; i < rod.elements; ++i) {
      const double radius = radius_at_rest(rod, i);
      const double to_middle = solid->radius + solid->nearest(middle_of(rod, i), Vec3{}).height;
      const double most = std::max(clear_share * to_middle, 0.5 * (solid->radius + radius));
      const double way = norm(way_of_middle(step, i));
      if (way > most) part = std::min(part, most / way);
    }
  }
  return part;
}

}  // namespace rodeo::statics
