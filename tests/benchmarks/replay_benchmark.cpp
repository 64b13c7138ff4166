#include <chrono>
#include <ctime>
#include <filesystem>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <mpi.h>

#include "rodeo/math/random.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/output/checkpoint_folder.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/file_records.hpp"

#include "dispatch/master.hpp"
#include "dispatch/progress.hpp"
#include "dispatch/study.hpp"
#include "dispatch/worker.hpp"

// How many workers one master keeps busy: the real master, in real time, with workers that only wait. What a
// message costs between machines is not in it.

namespace {

using namespace rodeo;

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point first, Clock::time_point last) {
  return std::chrono::duration<double>(last - first).count();
}

/// Workers that take the members of their chunks one after the other, each as long as told, and report the
/// members of a chunk together.
class WaitingWorkers final : public Mailbox {
 public:
  WaitingWorkers(std::size_t ranks, double seconds)
      : seconds_(seconds), free_(ranks, Clock::now()), start_(Clock::now()) {}

  void send(int rank, const Chunk& chunk) override {
    const auto now = Clock::now();
    Clock::time_point& free = free_[static_cast<std::size_t>(rank)];
    if (free < now) {
      waited_ += seconds_between(free, now);
      free = now;
    }
    std::vector<EndedMember> ended;
    for (const std::uint64_t member : chunk.members) {
      double uniform[4];
      RandomStream{member, RandomUse::function}.uniform(0, uniform);
      const double taken = seconds_ * (0.5 + uniform[0]);
      free += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(taken));
      ended.push_back({member, 0, MemberStatus::done, unknown_observables()});
    }
    last_hand_out_ = now;
    reports_.push({free, rank, std::move(ended)});
  }
  void send(int, const std::vector<EndedMember>&) override {}
  void send(int rank, message::Tag tag, const std::string&) override {
    if (tag == message::stop) stopping_.push_back(rank);
  }

  Arrival probe() override {
    if (!reports_.empty() && reports_.top().when <= Clock::now())
      return {true, reports_.top().rank, message::ended, 0};
    if (!stopping_.empty()) return {true, stopping_.back(), message::stopped, 0};
    return {};
  }
  std::vector<EndedMember> receive_ended(const Arrival&) override {
    std::vector<EndedMember> ended = reports_.top().ended;
    reports_.pop();
    return ended;
  }
  std::string receive_text(const Arrival&) override {
    stopping_.pop_back();
    return "0";
  }
  Chunk receive_chunk(const Arrival&) override { return {}; }

  /// Share of the workers' time in which they had a member to run, until the master had none left to give.
  double busy_share() const {
    const double in_all = seconds_between(start_, last_hand_out_) * static_cast<double>(free_.size() - 1);
    return 1.0 - waited_ / in_all;
  }

 private:
  struct Report {
    Clock::time_point when;
    int rank;
    std::vector<EndedMember> ended;
    bool operator<(const Report& other) const { return when > other.when; }  // the first on top
  };
  double seconds_;                       ///< a member takes, on average
  std::vector<Clock::time_point> free_;  ///< by rank: when it has nothing left to run
  Clock::time_point start_;
  Clock::time_point last_hand_out_;
  std::priority_queue<Report> reports_;
  std::vector<int> stopping_;
  double waited_ = 0.0;  ///< all workers, s
};

/// Members of about a second, ten for each worker.
void replay(benchmark::State& state, std::size_t workers) {
  constexpr std::size_t members_each = 10;
  const std::size_t members = members_each * workers;
  Study study(Deck::parse("[study]\nkind = sweep\nrepeats = " + std::to_string(members) +
                              "\n[sweep]\naxis = noop.seconds : list(1)\n[model]\nkind = noop\n",
                          "benchmark"));
  const std::string path = std::filesystem::temp_directory_path() / "rodeo_replay_benchmark.h5";
  for (auto iteration : state) {
    static_cast<void>(iteration);
    EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, path, study.schema(), Provenance{}, true);
    const CheckpointFolder checkpoints(path, {});
    Worker own(study, file, checkpoints, 0);
    Progress progress(study, 1e9 * static_cast<double>(members));
    const std::vector<int> threads(workers + 1, 1);
    TimeBudget time(std::nullopt, Clock::now(), threads);
    WaitingWorkers mailbox(threads.size(), 1.0);
    Master master(study, file, mailbox, threads, {}, own, false, time, progress);
    const double cpu = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    master.run();
    state.counters["master_us_per_member"] =
        1e6 * (static_cast<double>(std::clock()) / CLOCKS_PER_SEC - cpu) / static_cast<double>(members);
    state.counters["busy_share"] = mailbox.busy_share();
    file.close();
    std::filesystem::remove(path);
  }
}

const int replay_registered = [] {
  for (const std::size_t workers : {100UL, 1000UL, 10000UL, 30000UL, 100000UL}) {
    benchmark::RegisterBenchmark(("replay/" + std::to_string(workers)).c_str(), replay, workers)
        ->Iterations(1)
        ->UseRealTime()
        ->Unit(benchmark::kSecond);
  }
  return 0;
}();

}  // namespace
