#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <set>
#include <vector>

#include "rodeo/output/checkpoint_folder.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/file_records.hpp"

#include "ended_states.hpp"
#include "messages.hpp"
#include "study.hpp"

namespace rodeo {

/// Report on a member whose row is on disk. Its last frame is part of it only on request, which takes a row
/// with its trajectory.
EndedMember ended_member(MemberRow row, bool with_frame);

/// The least time of work that is worth a checkpoint, s: less is done anew where it was cut off. Never more
/// than output.checkpoint_interval.
double least_kept_work(const Deck& deck);

/// Runs chunks of members slice by slice and writes their rows, and checkpoints of those that run long. Rank
/// 0 has one too, driven by the master between two looks at its messages.
class Worker {
 public:
  Worker(Study& study, EnsembleFile& file, const CheckpointFolder& checkpoints, int rank);

  void give(Chunk chunk) { chunks_.push_back(std::move(chunk)); }

  bool busy() const { return batch_ != nullptr || !chunks_.empty(); }

  /// Advances the batch by one slice, starting the next chunk if there is none. Throws WriteError.
  void advance();

  /// Members whose rows were written since the last call.
  std::vector<EndedMember> take_ended();

  /// Writes the rows of members that have ended and forgets all others, after a checkpoint where that is
  /// worth it. Throws WriteError.
  void drop();

  /// Writes the row of a member that is not to run any more. Throws WriteError.
  void set_aside(std::uint64_t member, std::vector<double> point);

  /// Progress of the chunk that runs.
  RunningWork running() const;

  /// Checkpoints written so far.
  std::uint64_t kept() const { return kept_; }

 private:
  /// Cost and steps of a member of the batch, as known when it starts.
  struct Flight {
    double cost = 0.0;          ///< predicted time, ns
    double steps_in_all = 0.0;  ///< 0: its model only waits
    double first_steps = 0.0;   ///< those of its checkpoint
    double first_share = 0.0;   ///< of its cost that these are
  };
  static double share_done(const Flight& flight, const MemberOutcome& outcome);

  void start_next_chunk();
  void start_batch(const std::vector<MemberJob>& jobs);
  std::optional<std::vector<std::byte>> state_to_go_on_from(std::size_t k, const MemberSpec& spec);
  std::vector<double> point_of(std::size_t k) const;
  void keep_ended(std::size_t k);
  void end_overdue();
  void collect_ended();
  void keep_running();
  void add_failed_row(std::uint64_t member, std::vector<double> point);
  void add_row(std::uint64_t member, std::vector<double> point, const MemberOutcome& outcome);
  void write();

  Study& study_;
  EnsembleFile& file_;
  const CheckpointFolder& checkpoints_;
  EndedStates ended_states_;
  int rank_;
  double deadline_;             ///< of a member, s; 0: none
  double checkpoint_interval_;  ///< s; 0: no checkpoints
  std::deque<Chunk> chunks_;
  std::unique_ptr<Batch> batch_;
  Chunk running_;                   ///< the chunk of the batch
  std::vector<Flight> flights_;     ///< by member of the batch
  std::vector<MemberSpec> specs_;   ///< by member of the batch, where states of ended ones are kept
  std::vector<bool> collected_;     ///< by member of the batch: its row is in rows_ or on disk
  std::vector<MemberRow> rows_;     ///< to be written
  std::vector<EndedMember> ended_;  ///< written

  /// The state of a member whose row is to be written first.
  struct EndedState {
    std::uint64_t name;
    MemberSpec spec;
    std::vector<std::byte> state;
  };
  std::vector<EndedState> kept_states_;
  std::chrono::steady_clock::time_point last_write_;
  std::chrono::steady_clock::time_point batch_start_;
  std::chrono::steady_clock::time_point last_checkpoint_;
  std::set<std::uint64_t> on_disk_;  ///< members that have a checkpoint, until their row is written
  std::uint64_t kept_ = 0;
  bool warned_ = false;  ///< that checkpoints cannot be written
};

/// How a worker's service ended.
enum class ServiceEnd {
  finished,     ///< all ranks have stopped
  rank_lost,    ///< all but some that are lost: collective calls would wait for them for ever
  master_ended  ///< without a word
};

/// Runs a worker on a rank of its own until the master says stop. `master_ended` says whether the master's
/// process is no more.
ServiceEnd serve(Worker& worker, Mailbox& mailbox, const std::function<bool()>& master_ended);

}  // namespace rodeo
