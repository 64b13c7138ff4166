#include "rodeo/output/library_versions.hpp"

#include <array>

#include <hdf5.h>
#include <mpi.h>

namespace rodeo {

std::string hdf5_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  if (H5get_libversion(&major, &minor, &release) < 0) return "unknown";
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  if (MPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) return "unknown";
  const std::string all = text.data();
  std::string first = all.substr(0, all.find_first_of("\n,"));
  // MPICH's "MPICH Version:<tabs>4.0.2".
  if (const std::size_t name = first.find(" Version:"); name != std::string::npos) {
    first.erase(name, first.find_last_of(" \t") - name);
    first[name] = ' ';
  }
  return first;
}

}  // namespace rodeo
