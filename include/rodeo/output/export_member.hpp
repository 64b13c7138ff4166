#pragma once

#include <cstdint>
#include <string>

#include "rodeo/output/ensemble_reader.hpp"

namespace rodeo {

/// Writes beside the campaign's file, and returns the path of, by `format`:
/// - "vtkhdf": FILE_member_K.hdf, polylines, of which ParaView 5.11 shows the first frame and later ones all;
/// - "csv": FILE_member_K.csv, a line for each node.
/// Frames the member never reached are left out. Throws FileError where there is nothing to export or the
/// file cannot be written.
std::string export_member(const EnsembleReader& reader, const std::string& path, std::uint64_t member,
                          const std::string& format);

}  // namespace rodeo
