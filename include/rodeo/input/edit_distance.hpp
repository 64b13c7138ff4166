#pragma once

#include <cstddef>
#include <string_view>

namespace rodeo {

/// Insertions, deletions, replacements and swaps of neighbours that turn `first` into `second` (optimal
/// string alignment). Takes time in proportion to the product of their lengths.
std::size_t edit_distance(std::string_view first, std::string_view second);

}  // namespace rodeo
