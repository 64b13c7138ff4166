#pragma once

#include <hdf5.h>

#include "rodeo/output/ensemble_schema.hpp"

namespace rodeo {

/// Tells readers of netCDF, xarray and h5py what the datasets of a new file are: which dimension runs along
/// each extent (as dimension scales), what they hold (`long_name`) and in which units. All must be there.
void describe_datasets(hid_t file, const EnsembleSchema& schema);

}  // namespace rodeo
