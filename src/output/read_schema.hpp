#pragma once

#include <string>

#include <hdf5.h>

#include "rodeo/output/ensemble_schema.hpp"

namespace rodeo {

/// Reads what a file holds, and checks that each dataset is there with the shape, type and bytes it must
/// have, so that no later read trusts a number from a file that is not ours. Throws FileError with one
/// sentence.
EnsembleSchema read_schema(hid_t file, const std::string& path);

}  // namespace rodeo
