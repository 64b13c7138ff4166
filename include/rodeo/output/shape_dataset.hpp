#pragma once

#include <string>
#include <vector>

namespace rodeo {

/// The coordinates x, y, z of all nodes of a dataset of shape [nodes, 3] in an HDF5 file, with at most
/// `most_nodes` rows. Throws FileError with one sentence: missing, not HDF5, no such dataset, not numbers,
/// another shape, too many nodes, a number that is not finite.
std::vector<double> read_shape_dataset(const std::string& path, const std::string& dataset,
                                       std::size_t most_nodes);

}  // namespace rodeo
