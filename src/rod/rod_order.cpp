#include "rodeo/rod/rod_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "rodeo/math/vec3.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

const RodSpec& rod_of(const MemberSpec& spec, int k) {
  return k == 0 ? spec.rod : spec.further_rods[static_cast<std::size_t>(k) - 1].rod;
}

bool goes_by_place(const MemberSpec& spec) {
  return !spec.motions.empty() || !spec.connections.empty() || spec.load.perturbation != 0.0 ||
         std::ranges::any_of(spec.further_rods,
                             [](const RodSetup& setup) { return setup.joint != JointKind::none; });
}

/// Approximate middle of a rod at the start, m.
Vec3 middle(const RodSpec& rod) {
  if (rod.shape == RodShape::straight) return rod.origin + 0.5 * rod.length * rod.direction;
  if (rod.shape_nodes.empty()) return rod.origin;
  return rod.origin + rod.shape_nodes[rod.shape_nodes.size() / 2];
}

/// The lowest 21 bits, with two zeros after each.
std::uint64_t spread(std::uint64_t bits) {
  bits &= 0x1fffffU;
  bits = (bits | bits << 32U) & 0x1f00000000ffffU;
  bits = (bits | bits << 16U) & 0x1f0000ff0000ffU;
  bits = (bits | bits << 8U) & 0x100f00f00f00f00fU;
  bits = (bits | bits << 4U) & 0x10c30c30c30c30c3U;
  return (bits | bits << 2U) & 0x1249249249249249U;
}

/// Places along Morton's curve through a cube around all points.
std::vector<std::uint64_t> places_along_curve(const std::vector<Vec3>& points) {
  Vec3 low = points.front();
  Vec3 high = points.front();
  for (const Vec3& point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y), std::min(low.z, point.z)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y), std::max(high.z, point.z)};
  }
  constexpr double cells = 0x1fffff;
  const Vec3 size = high - low;
  const double edge = std::max({size.x, size.y, size.z});
  const double scale = edge > 0.0 ? cells / edge : 0.0;
  const auto cell = [&](double x, double lowest) {
    return spread(static_cast<std::uint64_t>(std::floor(scale * (x - lowest))));
  };
  std::vector<std::uint64_t> places;
  places.reserve(points.size());
  for (const Vec3& point : points) {
    places.push_back(cell(point.x, low.x) | cell(point.y, low.y) << 1U | cell(point.z, low.z) << 2U);
  }
  return places;
}

}  // namespace

std::vector<int> rod_order(const MemberSpec& spec) {
  std::vector<int> order(static_cast<std::size_t>(spec.rod_count()));
  std::iota(order.begin(), order.end(), 0);
  if (!spec.steps_explicitly() || spec.contact.kind != ContactKind::penalty || goes_by_place(spec))
    return order;
  if (rod_elements(spec) < least_elements_in_spatial_order) return order;
  std::vector<Vec3> points;
  points.reserve(order.size());
  for (const int k : order) points.push_back(middle(rod_of(spec, k)));
  const std::vector<std::uint64_t> places = places_along_curve(points);
  std::stable_sort(order.begin(), order.end() - 1, [&](int a, int b) {
    return places[static_cast<std::size_t>(a)] < places[static_cast<std::size_t>(b)];
  });
  return order;
}

}  // namespace rodeo
