#pragma once

#include <string>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/member_row.hpp"

namespace rodeo {

/// The frames of a member that it reached as a binary file of glTF 2.0 (glb), which browsers, slides and
/// Blender show: tubes round its rods, which are morph targets of the first frame's, one for each later
/// frame, and an animation of their weights that is at stored frame K after K/24 s and goes straight from
/// frame to frame. The mean of a ring is its node. Points are the trajectory's, in m; where z is up, their
/// node turns it to the y that glTF has. Frames with numbers that are not finite are left out. Throws
/// FileError where radii are not known, where no frame is left, and beyond the 4 GiB of such a file.
std::string glb_bytes(const EnsembleSchema& schema, const MemberRow& row);

/// Whether a file begins as these do.
bool is_own_glb(const std::string& path);

}  // namespace rodeo
