#include <filesystem>
#include <string>
#include <unistd.h>

#include <benchmark/benchmark.h>
#include <mpi.h>

#include "rodeo/observe/observable_list.hpp"
#include "rodeo/output/checkpoint_folder.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/file_records.hpp"

#include "dispatch/master.hpp"
#include "dispatch/progress.hpp"
#include "dispatch/study.hpp"
#include "dispatch/worker.hpp"

namespace {

using namespace rodeo;

/// Seconds that all ranks take to run a study of no-op members, from the first chunk to the last row on disk.
double run_noop_study(std::uint64_t members, double seconds) {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Study study(Deck::parse("[study]\nkind = sweep\nrepeats = " + std::to_string(members) +
                              "\n[sweep]\naxis = noop.seconds : list(" + std::to_string(seconds) +
                              ")\n[model]\nkind = noop\n",
                          "benchmark"));
  const std::string path = std::filesystem::temp_directory_path() / "rodeo_dispatch_benchmark.h5";
  EnsembleFile file = EnsembleFile::create(MPI_COMM_WORLD, path, study.schema(), Provenance{}, true);
  file.set_observables(ObservableList().names());
  const CheckpointFolder checkpoints(path, {});
  Worker worker(study, file, checkpoints, rank);
  const double start = MPI_Wtime();
  {
    MpiMailbox mailbox(MPI_COMM_WORLD);
    if (rank == 0) {
      Progress progress(study, 1.0);
      const std::vector<int> threads(static_cast<std::size_t>(size), 1);
      TimeBudget time(std::nullopt, std::chrono::steady_clock::now(), threads);
      Master master(study, file, mailbox, threads, {}, worker, true, time, progress);
      master.run();
    } else {
      serve(worker, mailbox, [] { return false; });
    }
  }
  const double taken = MPI_Wtime() - start;
  file.close();
  if (rank == 0) std::filesystem::remove(path);
  return taken;
}

void dispatch(benchmark::State& state, std::uint64_t members, double seconds) {
  for (auto iteration : state) {
    static_cast<void>(iteration);
    state.SetIterationTime(run_noop_study(members, seconds));
  }
  state.counters["members_per_second"] =
      benchmark::Counter(static_cast<double>(members), benchmark::Counter::kIsIterationInvariantRate);
}

/// Iterations are fixed, so that all ranks run as many.
const int dispatch_registered = [] {
  benchmark::RegisterBenchmark("dispatch/noop", dispatch, std::uint64_t{200000}, 0.0)
      ->UseManualTime()
      ->Iterations(3)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("dispatch/10ms", dispatch, std::uint64_t{400}, 0.01)
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
  return 0;
}();

}  // namespace
