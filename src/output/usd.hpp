#pragma once

#include <string>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/member_row.hpp"

namespace rodeo {

/// The frames of a member that it reached as curves of USD in text (usda), which Blender, Houdini and
/// Omniverse import: one curve for each rod, with the diameters of its nodes where the file tells them, a
/// time code for each frame. Metres stay metres. `rodeo:time` of the curves has the instants.
std::string usd_text(const EnsembleSchema& schema, const MemberRow& row);

}  // namespace rodeo
