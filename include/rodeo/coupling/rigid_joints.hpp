#pragma once

#include <optional>
#include <vector>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/coupling/links.hpp"
#include "rodeo/member/rods.hpp"

namespace rodeo::coupling {

/// The rigid joints of nodes that rods share (boundary::RigidJoint) as links of the elements beside them: the
/// region around the node, with its stiffness over its length.
std::vector<connection::TurnLink> rigid_joints(const Rods& rods);

/// Links of such joints with their derivatives; nothing without joints.
std::optional<Links> links_of_rigid_joints(const std::vector<connection::TurnLink>& joints,
                                           const RodView& all, const std::vector<int>& first_dof);

}  // namespace rodeo::coupling
