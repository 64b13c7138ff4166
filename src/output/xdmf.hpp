#pragma once

#include <cstdint>
#include <string>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

namespace rodeo {

/// The XDMF text that shows one member's frames as a polyline in ParaView; coordinates stay in the HDF5 file
/// `data_file`, named relative to where the text is put.
std::string xdmf_text(const EnsembleSchema& schema, const MemberRow& row, const std::string& data_file);

/// Lines of time, node, x, y, z.
std::string csv_text(const EnsembleSchema& schema, const MemberRow& row);

}  // namespace rodeo
