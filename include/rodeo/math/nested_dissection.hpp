#pragma once

#include <vector>

#include "rodeo/math/sparse_pattern.hpp"

namespace rodeo {

/// The order of rows and columns in which the factors of a large matrix of a symmetric pattern stay sparse:
/// by nested dissection (METIS), or by approximate minimum degree where that leaves fewer operations. Entry k
/// is the row that comes k-th. Empty if none is found.
std::vector<int> fill_reducing_order(const SparsePattern& pattern);

}  // namespace rodeo
