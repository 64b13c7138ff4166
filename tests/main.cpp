#include <cstdlib>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <mpi.h>

/// One test program for any rank count: unit tests run on one rank, tests of dispatch and output under mpirun
/// too.
int main(int argc, char** argv) {
  setenv("OMP_PROC_BIND", "false", 0);
  MPI_Init(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  int failures = 0;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    failures = RUN_ALL_TESTS();
  }
  MPI_Finalize();
  return failures;
}
