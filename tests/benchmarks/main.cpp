#include <cstdlib>
#include <memory>
#include <vector>

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

/// Whether a run says that it came to nothing, in older and newer versions of the library.
template <class Run>
bool has_failed(const Run& run) {
  if constexpr (requires { run.error_occurred; }) {
    return run.error_occurred;
  } else {
    return run.skipped != decltype(run.skipped){};
  }
}

/// Reports as asked for, and remembers whether a benchmark failed.
class Watching final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override { return reporter_->ReportContext(context); }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) failed = failed || has_failed(run);
    reporter_->ReportRuns(runs);
  }
  void Finalize() override { reporter_->Finalize(); }

  bool failed = false;

 private:
  std::unique_ptr<benchmark::BenchmarkReporter> reporter_{benchmark::CreateDefaultDisplayReporter()};
};

}  // namespace

/// Kernels run on one rank; dispatch cases also under mpirun, where each rank beyond the first is a worker.
/// Ends with 1 if a benchmark failed.
int main(int argc, char** argv) {
  setenv("OMP_PROC_BIND", "false", 0);
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  bool failed = false;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    Silent silent;
    if (rank == 0) {
      Watching watching;
      benchmark::RunSpecifiedBenchmarks(&watching);
      failed = watching.failed;
    } else {
      benchmark::RunSpecifiedBenchmarks(&silent);
    }
  }
  MPI_Finalize();
  return failed ? 1 : 0;
}
