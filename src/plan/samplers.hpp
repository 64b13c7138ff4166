#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rodeo {

/// `count` points in [0, 1)^dimension, [count, dimension]: each axis cut into `count` equal cells, each
/// holding one point (McKay et al. 1979).
std::vector<double> latin_hypercube(std::size_t count, std::size_t dimension, std::uint64_t seed);

/// The first `count` points of the Sobol sequence with a random digital shift, [count, dimension]: as well
/// spread as the plain sequence, without its point at the origin.
std::vector<double> sobol(std::size_t count, std::size_t dimension, std::uint64_t seed);

/// The first `count` points, at most 2^16, of the Sobol sequence with nested random scrambling (Owen 1995),
/// in (0, 1), [count, dimension]: each is uniform, and those of different seeds are independent.
std::vector<double> scrambled_sobol(std::size_t count, std::size_t dimension, std::uint64_t seed);

}  // namespace rodeo
