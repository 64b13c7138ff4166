#pragma once

#include <optional>

#include "rodeo/models/rows.hpp"

namespace rodeo::models {

/// Whether a rod is joined to the one before it (deck key joint.kind).
bool has_joints(const MemberSpec& spec);

bool has_closed_rods(const MemberSpec& spec);

/// Whether a node of a rod is one with another node: by a joint, a connection, or at the ends of a closed
/// rod.
bool is_shared(const MemberSpec& spec, int rod, int node);

/// Stokeslets among rods that share nodes.
std::optional<StartProblem> stokeslets_of_shared_nodes(const MemberSpec& spec);

}  // namespace rodeo::models
