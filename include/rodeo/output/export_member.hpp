#pragma once

#include <cstdint>
#include <string>

#include "rodeo/output/ensemble_reader.hpp"

namespace rodeo {

/// Writes FILE_member_K.xdmf (polylines that refer to the HDF5 file) or .csv beside the campaign's file;
/// returns the path. `format` is "xdmf" or "csv". Frames the member never reached are left out. Throws
/// FileError where there is nothing to export or the file cannot be written.
std::string export_member(const EnsembleReader& reader, const std::string& path, std::uint64_t member,
                          const std::string& format);

}  // namespace rodeo
