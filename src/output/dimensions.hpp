#pragma once

#include <hdf5.h>

#include "rodeo/output/ensemble_schema.hpp"

namespace rodeo {

/// Names the dimensions of the datasets of members and trajectories, which must be there, and gives them
/// units: as dimension scales, by which xarray, netCDF and h5py know what runs along which dimension.
void name_dimensions(hid_t file, const EnsembleSchema& schema);

}  // namespace rodeo
