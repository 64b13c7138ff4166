#pragma once

#include <hdf5.h>

#include "rodeo/output/ensemble_schema.hpp"

namespace rodeo {

/// Creates the per-member datasets in a new file: contiguous and allocated at once, so that any rank can
/// write rows on its own and nothing but data is written after creation.
void create_row_tables(hid_t file, const EnsembleSchema& schema);

}  // namespace rodeo
