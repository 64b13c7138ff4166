#pragma once

#include <string>

namespace rodeo {

/// "1.10.8"; of the library that runs, not of the headers.
std::string hdf5_version();

/// The MPI library's own version text, one line; it need not have been started.
std::string mpi_version();

}  // namespace rodeo
