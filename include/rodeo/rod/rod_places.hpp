#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Place of one rod in its member's arrays.
struct RodPlace {
  int first = 0;  ///< its first element, which is also its first node
  int elements = 0;
  JointKind joint = JointKind::none;  ///< to the rod before; then their node between is one
};

/// Elements without stiffness between two rods that are not joined (field::Field).
inline constexpr int elements_between_rods = 3;

/// The places of a member's rods, by their numbers; they stand one after the other as rod_order() says.
std::vector<RodPlace> rod_places(const MemberSpec& spec);

/// Elements of a member's arrays, those between its rods included.
int array_elements(const MemberSpec& spec);

/// Elements of all rods of a member.
int rod_elements(const MemberSpec& spec);

/// True if the last node of a rod, given by its number, is its first.
bool is_closed(const MemberSpec& spec, int rod);

/// Nodes of each rod of a member, as its frames hold them: a node that two rods share counts for both.
std::vector<int> rod_nodes(const MemberSpec& spec);

/// Nodes a member's frames hold.
std::int32_t frame_nodes(const MemberSpec& spec);

/// Positions of the nodes of a member's arrays by the shapes of its rods, whatever state their motion starts
/// from, m: a node that two rods share by that of the later one. Zero between rods.
std::vector<Vec3> own_positions(const MemberSpec& spec);

/// Least value of `quantity` over the rods of a member.
template <class Quantity>
double least_of_rods(const MemberSpec& spec, const Quantity& quantity) {
  double least = quantity(spec.rod);
  for (const RodSetup& setup : spec.further_rods) least = std::min(least, quantity(setup.rod));
  return least;
}

/// The smallest radius of a member's rods, m.
double smallest_radius(const MemberSpec& spec);

}  // namespace rodeo
