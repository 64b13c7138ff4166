#pragma once

#include <string>

#include "rodeo/plan/search_distribution.hpp"

namespace rodeo {

/// The distribution with which the search in a file ended, found by telling it its results again. Throws
/// FileError where the file holds no search, or one that has members to run yet.
SearchDistribution ended_search(const std::string& path);

}  // namespace rodeo
