#include "rodeo/coupling/resting_ground.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "rodeo/coupling/crossing.hpp"
#include "rodeo/forces/element_balls.hpp"
#include "rodeo/tangent/soft_surface.hpp"

namespace rodeo::coupling {

namespace {

using tangent::node_unknown;

/// Part of the way to the middle of a solid that one step may take an element.
constexpr double clear_share = 0.9;

constexpr double everywhere = std::numeric_limits<double>::infinity();

/// Points of an element that may touch a surface: its ends and its nearest one.
constexpr std::size_t points_of_element = 3;

/// Longest displacement of a node in a part of a step, m.
double longest_way(const ConstRodView& rod, std::span<const double> step, double part) {
  double square = 0.0;
  for (int i = 0; i <= rod.elements; ++i) {
    const double* const way = step.data() + node_unknown(i);
    square = std::max(square, way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  }
  return part * std::sqrt(square);
}

double radius_at_rest(const ConstRodView& rod, int element) {
  return rod.array(field::contact_radius)[element] *
         std::sqrt(rod.array(field::inverse_rest_length)[element]);
}

/// Displacements of an element's nodes in a step.
struct Way {
  Vec3 first;
  Vec3 last;

  Way(std::span<const double> step, int element)
      : first(of_node(step, element)), last(of_node(step, element + 1)) {}

 private:
  static Vec3 of_node(std::span<const double> step, int node) {
    const double* const way = step.data() + node_unknown(node);
    return {way[0], way[1], way[2]};
  }
};

}  // namespace

std::vector<Vec3> node_positions(std::span<const ConstRodView> rods) {
  std::vector<Vec3> positions;
  for (const ConstRodView& rod : rods) {
    for (int i = 0; i <= rod.elements; ++i) positions.push_back(rod.vec3(field::position, i));
  }
  return positions;
}

RestingGround::RestingGround(const MemberSpec& spec)
    : stiffness_(spec.ground.stiffness),
      tables_(spec.control.live_at_start()),
      further_(forces::FurtherGround::of(spec, tables_)) {
  const forces::Ground ground = forces::Ground::surfaces_of(spec);
  if (ground.has_plane) surfaces_.emplace_back(ground.plane);
  for (int k = 0; k < ground.solid_count; ++k) surfaces_.emplace_back(ground.solids[k]);
  for (int k = 0; k < further_.still_count; ++k) surfaces_.emplace_back(further_.still[k]);
  if (further_.has_platen) surfaces_.emplace_back(further_.platen(0.0, tables_.data()));
}

tangent::Capsule RestingGround::capsule(const ConstRodView& rod, int element) const {
  const double radius = radius_at_rest(rod, element);
  return tangent::Capsule::tapered(rod.vec3(field::position, element), rod.vec3(field::position, element + 1),
                                   radius, rod.array(field::half_taper)[element]);
}

void RestingGround::set_time(double time) {
  if (further_.has_platen) surfaces_.back() = further_.platen(time, tables_.data());
}

Vec3 RestingGround::platen_displacement(double time) const {
  return further_.has_platen ? further_.at(time, tables_.data()).displacement : Vec3{};
}

/// Calls visit(k, surface, element) for the k-th surface and all elements that touch it, or may where their
/// nodes go so far.
template <class Visit>
void RestingGround::for_each_pair(const ConstRodView& rod, double way, const Visit& visit) const {
  if (surfaces_.empty()) return;
  std::vector<forces::ElementBall> balls;
  forces::set_balls(
      rod.elements, [&](int i) { return rod.vec3(field::position, i); },
      [&](int i) { return forces::thick_at_rest(rod, i); }, balls);
  const double size = forces::largest_size(surfaces_);
  for (std::size_t k = 0; k < surfaces_.size(); ++k) {
    std::visit(
        [&](const auto& surface) {
          for (const forces::ElementBall& ball : balls) {
            if (surface.is_below(ball.centre, ball.radius + way + ball.rounding(size + way))) continue;
            for (int i = ball.first; i < ball.end; ++i) visit(k, surface, i);
          }
        },
        surfaces_[k]);
  }
}

double RestingGround::energy(const ConstRodView& rod) const {
  double squares = 0.0;
  for_each_pair(rod, 0.0, [&](std::size_t, const auto& surface, int i) {
    squares += tangent::touch(surface, capsule(rod, i)).square;
  });
  return 0.5 * stiffness_ * squares;
}

void RestingGround::add_gradient(const ConstRodView& rod, std::span<double> gradient) const {
  for_each_pair(rod, 0.0, [&](std::size_t, const auto& surface, int i) {
    const tangent::Touch touch = tangent::touch(surface, capsule(rod, i));
    const auto add = [&](int node, const Vec3& force) {
      double* const g = gradient.data() + node_unknown(node);
      g[0] -= stiffness_ * force.x;
      g[1] -= stiffness_ * force.y;
      g[2] -= stiffness_ * force.z;
    };
    add(i, touch.first);
    add(i + 1, touch.last);
  });
}

template <class Matrix>
void RestingGround::add_hessian(const ConstRodView& rod, Matrix& hessian) const {
  for_each_pair(rod, 0.0, [&](std::size_t, const auto& surface, int i) {
    const tangent::SoftTouch soft = tangent::soft_touch(surface, capsule(rod, i));
    if (soft.touch.overlap == 0.0) return;
    const int first = node_unknown(i);
    const int last = node_unknown(i + 1);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        hessian.at(last + row, first + column) += stiffness_ * soft.hessian.last_first(row, column);
        if (column > row) continue;
        hessian.at(first + row, first + column) += stiffness_ * soft.hessian.first_first(row, column);
        hessian.at(last + row, last + column) += stiffness_ * soft.hessian.last_last(row, column);
      }
    }
  });
}

template void RestingGround::add_hessian(const ConstRodView&, tangent::RodMatrix&) const;
template void RestingGround::add_hessian(const ConstRodView&, tangent::MixedMatrix&) const;

std::vector<Vec3> RestingGround::forces_on_platen(const ConstRodView& rod) const {
  std::vector<Vec3> forces(static_cast<std::size_t>(rod.elements));
  for_each_pair(rod, 0.0, [&](std::size_t k, const auto& surface, int i) {
    if (!further_.has_platen || k + 1 < surfaces_.size()) return;
    const tangent::Touch touch = tangent::touch(surface, capsule(rod, i));
    forces[static_cast<std::size_t>(i)] = -stiffness_ * (touch.first + touch.last);
  });
  return forces;
}

std::size_t RestingGround::points(const ConstRodView& rod) const {
  return points_of_element * surfaces_.size() * static_cast<std::size_t>(rod.elements);
}

/// Calls visit(point, touches, speed) for both ends of each element on each surface, on round ones for its
/// nearest point too, of those that for_each_pair visits: the number of the point among all, whether it
/// touches, and by how much the two come closer along a displacement.
template <class Visit>
void RestingGround::for_each_point(const ConstRodView& rod, std::span<const double> step, double way,
                                   const Visit& visit) const {
  for_each_pair(rod, way, [&](std::size_t k, const auto& surface, int i) {
    const tangent::Capsule element = capsule(rod, i);
    const Way of_element(step, i);
    constexpr bool is_flat = std::remove_cvref_t<decltype(surface)>::is_flat;
    std::size_t number =
        points_of_element * (k * static_cast<std::size_t>(rod.elements) + static_cast<std::size_t>(i));
    const auto look = [&](double part, double radius) {
      const forces::SurfacePoint point = surface.nearest(element.at(part), Vec3{});
      const Vec3 of_point = of_element.first + part * (of_element.last - of_element.first);
      visit(number++, radius > point.height, -dot(point.normal, of_point));
    };
    look(0.0, is_flat ? element.first_radius : element.radius);
    look(1.0, is_flat ? element.last_radius : element.radius);
    if constexpr (!is_flat) look(surface.nearest_part(element.first, element.last), element.radius);
  });
}

std::vector<bool> RestingGround::touches(std::span<const ConstRodView> rods) const {
  std::vector<bool> touches;
  for (const ConstRodView& rod : rods) {
    const std::size_t before = touches.size();
    touches.resize(before + points(rod));
    const std::vector<double> still(static_cast<std::size_t>(tangent::unknowns(rod.elements)));
    for_each_point(rod, still, 0.0,
                   [&](std::size_t point, bool touch, double) { touches[before + point] = touch; });
  }
  return touches;
}

double RestingGround::rate_of_touching(std::span<const ConstRodView> rods, const std::vector<bool>& since,
                                       std::span<const double> way) const {
  double rate = 0.0;
  auto before = since.begin();
  for (const ConstRodView& rod : rods) {
    const auto end = before + static_cast<std::ptrdiff_t>(points(rod));
    const bool any = std::find(before, end, true) != end;  // which may be far by now
    const auto size = static_cast<std::size_t>(tangent::unknowns(rod.elements));
    for_each_point(rod, way.first(size), any ? everywhere : 0.0,
                   [&](std::size_t point, bool touches, double speed) {
                     if (touches != before[static_cast<std::ptrdiff_t>(point)])
                       rate += touches ? speed : -speed;
                   });
    way = way.subspan(size);
    before = end;
  }
  return rate;
}

double RestingGround::slope(const ConstRodView& rod, std::span<const double> step, double part) const {
  double sum = 0.0;
  for_each_pair(rod, longest_way(rod, step, part), [&](std::size_t, const auto& surface, int i) {
    const Way way(step, i);
    tangent::Capsule element = capsule(rod, i);
    element.first = element.first + part * way.first;
    element.last = element.last + part * way.last;
    const tangent::Touch touch = tangent::touch(surface, element);
    sum -= stiffness_ * (dot(touch.first, way.first) + dot(touch.last, way.last));
  });
  return sum;
}

double RestingGround::curvature(const ConstRodView& rod, std::span<const double> step) const {
  double sum = 0.0;
  for_each_pair(rod, 0.0, [&](std::size_t, const auto& surface, int i) {
    const Way way(step, i);
    const tangent::NodePairMatrix hessian = tangent::soft_touch(surface, capsule(rod, i)).hessian;
    sum += stiffness_ *
           (dot(way.first, hessian.first_first * way.first) + dot(way.last, hessian.last_last * way.last) +
            2.0 * dot(way.last, hessian.last_first * way.first));
  });
  return sum;
}

double RestingGround::clear_part(const ConstRodView& rod, std::span<const double> step) const {
  double part = 1.0;
  const double longest = longest_way(rod, step, 1.0 / clear_share);
  for_each_pair(rod, longest, [&](std::size_t, const auto& surface, int i) {
    if constexpr (!std::remove_cvref_t<decltype(surface)>::is_flat) {
      if (surface.is_hollow()) return;
      const tangent::Capsule element = capsule(rod, i);
      const double to_middle = surface.radius + tangent::height(surface, element);
      const double most = std::max(clear_share * to_middle, 0.5 * (surface.radius + element.radius));
      const Way ways(step, i);
      const double way = std::max(norm(ways.first), norm(ways.last));
      if (way > most) part = std::min(part, most / way);
    }
  });
  return part;
}

bool RestingGround::has_solids() const {
  return std::ranges::any_of(surfaces_, [](const Surface& surface) {
    const auto* const solid = std::get_if<forces::RoundSurface>(&surface);
    return solid != nullptr && !solid->is_hollow();
  });
}

bool RestingGround::is_crossed(std::span<const ConstRodView> rods, std::span<const Vec3> before) const {
  bool crossed = false;
  for (const ConstRodView& rod : rods) {
    double square = 0.0;
    for (int i = 0; i <= rod.elements; ++i) {
      const Vec3 way = rod.vec3(field::position, i) - before[static_cast<std::size_t>(i)];
      square = std::max(square, dot(way, way));
    }
    for_each_pair(rod, std::sqrt(square), [&](std::size_t, const auto& surface, int i) {
      if constexpr (!std::remove_cvref_t<decltype(surface)>::is_flat) {
        const tangent::Capsule now = capsule(rod, i);
        const auto node = static_cast<std::size_t>(i);
        crossed = crossed || crosses(surface, {before[node], before[node + 1], now.radius}, now);
      }
    });
    before = before.subspan(static_cast<std::size_t>(rod.nodes()));
  }
  return crossed;
}

}  // namespace rodeo::coupling
