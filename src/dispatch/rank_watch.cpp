#include "rodeo/dispatch/rank_watch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "rodeo/dispatch/campaign.hpp"

namespace rodeo {

namespace {

using Clock = std::chrono::steady_clock;

/// Interval between looks: short after the start, so that a rank which is lost then has been seen before, and
/// long later.
constexpr std::chrono::milliseconds first_look_interval{10};
constexpr std::chrono::milliseconds look_interval{500};

/// Launchers start all ranks within seconds of each other; one that was never seen by then has died before.
constexpr std::chrono::seconds start_patience{60};

/// Ranks looked at in one round: on a network's file system each look is a message.
constexpr int ranks_a_look = 256;

std::optional<std::string> variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
}

/// FNV-1a.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char character : text) hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace

/// Which launch this process is of, as its launcher tells in the environment.
struct RankWatch::Launch {
  int rank = 0;
  int ranks = 1;
  std::uint64_t place = 0;  ///< of rank 0's byte in the program's file, beyond any data

  static Launch of_environment() {
    Launch launch;
    struct Names {
      const char* rank;
      const char* ranks;
    };
    constexpr std::array<Names, 3> all = {Names{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                          Names{"PMI_RANK", "PMI_SIZE"},
                                          Names{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
    std::string job;
    for (const char* name :
         {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID", "SLURM_JOB_ID", "SLURM_STEP_ID"}) {
      if (const auto value = variable(name)) job += *value + "/";
    }
    for (const Names& names : all) {
      const auto rank = variable(names.rank);
      const auto ranks = variable(names.ranks);
      if (!rank || !ranks || job.empty()) continue;
      launch.rank = std::atoi(rank->c_str());
      launch.ranks = std::atoi(ranks->c_str());
      break;
    }
    constexpr std::uint64_t jobs = std::uint64_t{1} << 40;
    constexpr int bits_of_rank = 20;
    launch.place = (std::uint64_t{1} << 61) + ((hash_of(job) % jobs) << bits_of_rank);
    return launch;
  }
};

struct RankWatch::Guard {
  Launch launch = Launch::of_environment();
  int program = -1;  ///< its own file
  std::vector<bool> seen = std::vector<bool>(static_cast<std::size_t>(launch.ranks), false);
  Clock::time_point began = Clock::now();
  bool any_seen = false;  ///< locks can be seen from here
  int next = 0;           ///< rank to look at
  std::mutex mutex;
  std::condition_variable changed;
  bool watches = false;
  std::thread thread;

  struct flock request(short type, int rank) const {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = static_cast<off_t>(launch.place) + rank;
    lock.l_len = 1;
    return lock;
  }

  bool sign() {
    program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (program < 0) return false;
    struct flock lock = request(F_RDLCK, launch.rank);
    return fcntl(program, F_OFD_SETLK, &lock) == 0;
  }

  bool is_alive(int rank) const {
    struct flock lock = request(F_WRLCK, rank);
    return fcntl(program, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  }

  /// A rank that is no more, of those that are looked at now.
  std::optional<int> lost_rank() {
    for (int k = 0; k < std::min(launch.ranks, ranks_a_look); ++k) {
      const int rank = next;
      next = (next + 1) % launch.ranks;
      if (rank == launch.rank) continue;
      const auto place = static_cast<std::size_t>(rank);
      if (is_alive(rank)) {
        seen[place] = true;
        any_seen = true;
      } else if (seen[place] || (any_seen && Clock::now() - began > start_patience)) {
        return rank;
      }
    }
    return std::nullopt;
  }

  [[noreturn]] void end(int lost) const {
    bool first = true;  // of those that are left, which says so for all
    for (int rank = 0; rank < launch.rank && first; ++rank) first = rank == lost || !is_alive(rank);
    if (first) {
      std::fprintf(stderr,
                   "rodeo: error: rank %d was lost while others waited for it; start again, or go on with "
                   "the campaign's file by rodeo resume, if there is one\n",
                   lost);
    }
    std::fflush(nullptr);
    _exit(exit_code::failed);
  }

  void watch() {
    std::unique_lock lock(mutex);
    for (auto interval = first_look_interval; watches; interval = std::min(2 * interval, look_interval)) {
      changed.wait_for(lock, interval, [this] { return !watches; });
      if (!watches) return;
      if (const auto lost = lost_rank()) end(*lost);
    }
  }
};

RankWatch::RankWatch() : guard_(new Guard) {}

RankWatch& RankWatch::of_process() {
  static auto* const watch = new RankWatch;
  return *watch;
}

void RankWatch::start() {
  if (guard_->launch.ranks < 2 || guard_->thread.joinable()) return;
  if (guard_->program < 0 && !guard_->sign()) return;
  guard_->watches = true;
  guard_->thread = std::thread([this] { guard_->watch(); });
}

void RankWatch::stop() {
  if (!guard_->thread.joinable()) return;
  {
    const std::lock_guard lock(guard_->mutex);
    guard_->watches = false;
  }
  guard_->changed.notify_all();
  guard_->thread.join();
}

}  // namespace rodeo
