#pragma once

#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/shape_file.hpp"

namespace rodeo {

/// The coordinates x, y, z of all nodes of a dataset of shape [nodes, 3] in an HDF5 file, with at most
/// `most_nodes` rows. Throws FileError with one sentence: missing, not HDF5, no such dataset, not numbers,
/// another shape, too many nodes, a number that is not finite.
std::vector<double> read_shape_dataset(const std::string& path, const std::string& dataset,
                                       std::size_t most_nodes);

/// The columns of a scene in a group of an HDF5 file: its datasets whose names are those of keys,
/// "rod.length", with a number or a text for each rod, or a row of numbers, which become KEY[0], KEY[1] and
/// so on. Datasets without a dot in their names are left out, as `rod` and `commit` of a table that a
/// campaign leaves. Throws FileError with one sentence: missing, not HDF5, no such group, another shape or
/// type, a number that is not finite, rods of several candidates.
std::vector<SceneColumn> read_scene_group(const std::string& path, const std::string& group);

/// The rods of a member as a frame of its campaign's file holds them. Throws FileError with one sentence:
/// what is missing in that file, and which key of its deck keeps it.
std::vector<RodNumbers> read_member_state(const StateSource& source);

}  // namespace rodeo
