#include <cstdlib>

#include <Kokkos_Core.hpp>
#include <benchmark/benchmark.h>
#include <mpi.h>

namespace {

/// What ranks other than 0 report: nothing.
class Silent final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

}  // namespace

/// Kernels run on one rank; dispatch cases also under mpirun, where each rank beyond the first is a worker.
int main(int argc, char** argv) {
  setenv("OMP_PROC_BIND", "false", 0);
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    Silent silent;
    if (rank == 0) {
      benchmark::RunSpecifiedBenchmarks();
    } else {
      benchmark::RunSpecifiedBenchmarks(&silent);
    }
  }
  MPI_Finalize();
  return 0;
}
