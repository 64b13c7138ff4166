#include "rodeo/rod/rod_places.hpp"

#include <numeric>

#include "rodeo/rod/frame_rods.hpp"
#include "rodeo/rod/initial_shape.hpp"
#include "rodeo/rod/rod_order.hpp"

namespace rodeo {

std::vector<RodPlace> rod_places(const MemberSpec& spec) {
  std::vector<RodPlace> places{{0, spec.rod.elements, JointKind::none}};
  for (const RodSetup& setup : spec.further_rods) places.push_back({0, setup.rod.elements, setup.joint});
  int end = -elements_between_rods;  // of the rods before
  for (const int k : rod_order(spec)) {
    RodPlace& place = places[static_cast<std::size_t>(k)];
    place.first = end + (place.joint == JointKind::none ? elements_between_rods : 0);
    end = place.first + place.elements;
  }
  return places;
}

int array_elements(const MemberSpec& spec) {
  int elements = spec.rod.elements;
  for (const RodSetup& setup : spec.further_rods) {
    elements += setup.rod.elements + (setup.joint == JointKind::none ? elements_between_rods : 0);
  }
  return elements;
}

int rod_elements(const MemberSpec& spec) {
  int elements = spec.rod.elements;
  for (const RodSetup& setup : spec.further_rods) elements += setup.rod.elements;
  return elements;
}

std::vector<int> rod_nodes(const MemberSpec& spec) {
  std::vector<int> nodes{spec.rod.elements + 1};
  for (const RodSetup& setup : spec.further_rods) nodes.push_back(setup.rod.elements + 1);
  return nodes;
}

bool is_closed(const MemberSpec& spec, int rod) {
  return rod == 0 ? spec.rod.closed : spec.further_rods[static_cast<std::size_t>(rod) - 1].rod.closed;
}

std::int32_t frame_nodes(const MemberSpec& spec) {
  const std::vector<int> nodes = frame_rod_nodes(spec);
  return std::accumulate(nodes.begin(), nodes.end(), 0);
}

std::vector<Vec3> own_positions(const MemberSpec& spec) {
  const std::vector<RodPlace> places = rod_places(spec);
  std::vector<Vec3> positions(static_cast<std::size_t>(array_elements(spec)) + 1);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const InitialShape shape = initial_shape(rod_alone(spec, static_cast<int>(k)).rod);
    std::ranges::copy(shape.nodes, positions.begin() + places[k].first);
  }
  return positions;
}

double smallest_radius(const MemberSpec& spec) {
  return least_of_rods(spec,
                       [](const RodSpec& rod) { return rod.radius * std::min(1.0, rod.end_radius_ratio); });
}

}  // namespace rodeo
