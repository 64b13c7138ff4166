#include "rodeo/coupling/rigid_joints.hpp"

#include <utility>

namespace rodeo::coupling {

std::vector<connection::TurnLink> rigid_joints(const Rods& rods) {
  std::vector<connection::TurnLink> links;
  for (const RodData& rod : rods) {
    const boundary::RigidJoint& joint = rod.joint;
    if (!joint.exists) continue;
    connection::TurnLink& link = links.emplace_back();
    link.elements[0] = rod.first - 1;
    link.elements[1] = rod.first;
    link.rest = joint.rest;
    for (int i = 0; i < 3; ++i) link.stiffness[i] = joint.inverse_rest_voronoi * joint.stiffness[i];
  }
  return links;
}

std::optional<Links> links_of_rigid_joints(const std::vector<connection::TurnLink>& joints,
                                           const RodView& all, const std::vector<int>& first_dof) {
  if (joints.empty()) return std::nullopt;
  connection::Parts turns;
  turns.turns = joints;
  return Links(std::move(turns), all, first_dof);
}

}  // namespace rodeo::coupling
