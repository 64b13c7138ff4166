#include "rodeo/dispatch/version_report.hpp"

#include <Kokkos_Core.hpp>

#include "rodeo/dispatch/machine.hpp"
#include "rodeo/output/hdf5_handle.hpp"
#include "rodeo/processor/kernel_set.hpp"
#include "rodeo/rodeo.hpp"

#include "rodeo_revision.hpp"

namespace rodeo {

namespace {

/// "4.6.1" of 40601
std::string dotted(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

}  // namespace

std::string version_report() {
  std::string backends = Kokkos::DefaultExecutionSpace::name();
  if (const std::string host = Kokkos::DefaultHostExecutionSpace::name(); host != backends) {
    backends.append(", on the host ").append(host);
  }
  std::string text = "rodeo " + std::string(version());
  const auto line = [&text](const char* name, const std::string& value) {
    text.append("\n").append(name).append(value);
  };
  line("revision  ", std::string(revision()));
  line("compiler  ", RODEO_COMPILER);
  line("build     ", RODEO_BUILD);
  line("kernels   ", std::string(kernel_set()));
  line("Kokkos    ", dotted(KOKKOS_VERSION) + ", " + backends);
  line("MPI       ", mpi_version());
  line("HDF5      ", hdf5_version());
  return text + "\n";
}

}  // namespace rodeo
