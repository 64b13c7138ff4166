#pragma once

#include <string>

namespace rodeo {

/// Tells apart programs whose results may differ in the last bit: the linker's identity of the running one,
/// or of the library that holds this function, and the set of kernels that it has chosen.
std::string build_identity();

}  // namespace rodeo
