#pragma once

#include <string>

#include <hdf5.h>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

namespace rodeo {

/// The file of the frames of a member that it reached, as an unstructured grid of polylines, one for each
/// rod, that goes through time (VTKHDF 2.0, as the documentation of VTK defines it). The lines are there once
/// for all frames. Fields of nodes are point data, the numbers of the rods cell data, observables field data.
std::string vtkhdf_bytes(const EnsembleSchema& schema, const MemberRow& row);

/// Whether a file holds rods as vtkhdf_bytes() has them.
bool is_vtkhdf(hid_t file);

}  // namespace rodeo
