#pragma once

#include <vector>

#include <hdf5.h>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/hdf5_handle.hpp"

namespace rodeo {

/// Creates the per-member datasets in a new file: contiguous and allocated at once, so that any rank can
/// write rows on its own and nothing but data is written after creation. Returns them open: HDF5 opens one
/// again in a fifth of the time then.
std::vector<Hdf5Handle> create_row_tables(hid_t file, const EnsembleSchema& schema);

}  // namespace rodeo
