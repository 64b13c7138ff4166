#pragma once

#include <string>

#include <hdf5.h>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/member_row.hpp"

namespace rodeo {

/// The file of the numbers of a member's frames, a dataset for each field and frame, as readers of XDMF 3
/// take them that know no selections.
std::string xdmf3_bytes(const EnsembleSchema& schema, const MemberRow& row);

/// Whether a file holds what xdmf3_bytes() has.
bool is_xdmf3_data(hid_t file);

/// The text of version 3 that goes with it: elements as lines of two nodes, with the number of their rod.
/// Observables of a frame are information elements, since not all readers take attributes of a grid.
std::string xdmf3_text(const EnsembleSchema& schema, const MemberRow& row, const std::string& data_file);

}  // namespace rodeo
