#pragma once

#include <chrono>
#include <deque>
#include <vector>

#include "rodeo/dispatch/messages.hpp"
#include "rodeo/dispatch/study.hpp"

namespace rodeo {

/// Runs chunks of members slice by slice and writes their rows. Rank 0 has one too, driven by the master
/// between two looks at its messages.
class Worker {
 public:
  Worker(Study& study, EnsembleFile& file, int rank) : study_(study), file_(file), rank_(rank) {}

  void give(Chunk chunk) { chunks_.push_back(std::move(chunk)); }

  bool busy() const { return batch_ != nullptr || !chunks_.empty(); }

  /// Advances the batch by one slice, starting the next chunk if there is none. Throws WriteError.
  void advance();

  /// Members whose rows were written since the last call.
  std::vector<EndedMember> take_ended();

  /// Writes the rows of members that have ended and forgets all others. Throws WriteError.
  void drop();

 private:
  void start_next_chunk();
  void collect_ended();
  void add_row(std::uint64_t member, std::vector<double> point, const MemberOutcome& outcome);
  void write();

  Study& study_;
  EnsembleFile& file_;
  int rank_;
  std::deque<Chunk> chunks_;
  std::unique_ptr<Batch> batch_;
  Chunk running_;                   ///< the chunk of the batch
  std::vector<bool> collected_;     ///< by member of the batch: its row is in rows_ or on disk
  std::vector<MemberRow> rows_;     ///< to be written
  std::vector<EndedMember> ended_;  ///< written
  std::chrono::steady_clock::time_point last_write_;
};

/// Runs a worker on a rank of its own until the master says stop.
void serve(Worker& worker, Mailbox& mailbox);

}  // namespace rodeo
