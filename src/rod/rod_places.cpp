#include "rodeo/rod/rod_places.hpp"

#include <numeric>

#include "rodeo/rod/frame_rods.hpp"

namespace rodeo {

std::vector<RodPlace> rod_places(const MemberSpec& spec) {
  std::vector<RodPlace> places{{0, spec.rod.elements, JointKind::none}};
  for (const RodSetup& setup : spec.further_rods) {
    const int end = places.back().first + places.back().elements;
    const int gap = setup.joint == JointKind::none ? elements_between_rods : 0;
    places.push_back({end + gap, setup.rod.elements, setup.joint});
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

std::int32_t frame_nodes(const MemberSpec& spec) {
  const std::vector<int> nodes = frame_rod_nodes(spec);
  return std::accumulate(nodes.begin(), nodes.end(), 0);
}

double smallest_radius(const MemberSpec& spec) {
  return least_of_rods(spec,
                       [](const RodSpec& rod) { return rod.radius * std::min(1.0, rod.end_radius_ratio); });
}

}  // namespace rodeo
