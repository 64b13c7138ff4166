#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace rodeo {

/// From now on SIGINT, SIGTERM and SIGUSR1 ask for a stop in good order; the second one of a kind ends the
/// process at once.
void install_stop_signals();

/// The signal that asked for a stop, or 0.
int stop_signal();

/// The time a campaign may take, and the work that its ranks can still end in it. A member's time is
/// predicted from its deck. Chunks that have ended, and the progress of those that run, tell how much slower
/// or faster this machine is than predicted.
class TimeBudget {
 public:
  using Instant = std::chrono::steady_clock::time_point;

  /// Until `end`, or without one as long as it takes. `threads` holds the threads of every rank. Part of the
  /// time is kept back for what follows the last member: rows to write, the file to close. Work of at least
  /// `least_kept` on members that are cut off is not lost.
  TimeBudget(std::optional<Instant> end, Instant now, const std::vector<int>& threads,
             std::optional<std::chrono::duration<double>> least_kept = std::nullopt);

  /// A rank got a chunk: the predicted times on one core of all its members and of the longest, ns.
  void handed_out(std::size_t rank, double cost, double longest, Instant now);

  /// The oldest chunk of a rank has done work of this predicted time on one core, ns.
  void advanced(std::size_t rank, double cost, Instant now);

  /// The oldest chunk of a rank has ended.
  void ended(std::size_t rank, Instant now);

  /// Work that a rank would end in time if it got it now, as the predicted time of one member on one core,
  /// ns; infinite without an end, and while there is time for work that is kept. Members together may take
  /// this times the rank's threads.
  double room(std::size_t rank, Instant now) const;

  /// Whether work must stop now, ended or not.
  bool is_over(Instant now) const { return end_of_work_ && now >= *end_of_work_; }

 private:
  /// Measured over predicted time of what has been done.
  double slowness() const { return predicted_ > 0.0 ? measured_ / predicted_ : 1.0; }

  struct Rank {
    int threads;
    std::deque<double> chunks;  ///< predicted times on this rank, oldest first, ns
    Instant started;            ///< the oldest
    double predicted = 0.0;     ///< of the oldest, as far as it has come, ns
    double measured = 0.0;      ///< the same
  };
  /// Counts the oldest chunk of a rank as having come so far.
  void count(Rank& rank, double predicted, double measured);
  std::vector<Rank> ranks_;
  std::optional<Instant> end_of_work_;
  std::optional<std::chrono::duration<double>> least_kept_;
  double predicted_ = 0.0;  ///< ns
  double measured_ = 0.0;   ///< ns
};

/// When Slurm ends this job: the variable SLURM_JOB_END_TIME, which Slurm sets from version 23.02 on and the
/// scripts in jobs/ set for older ones. Nothing outside of a job.
std::optional<TimeBudget::Instant> end_of_job();

}  // namespace rodeo
