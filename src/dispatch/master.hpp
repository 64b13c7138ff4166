#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "rodeo/dispatch/stopping.hpp"
#include "rodeo/output/ensemble_file.hpp"

#include "member_queue.hpp"
#include "messages.hpp"
#include "progress.hpp"
#include "reused_rows.hpp"
#include "study.hpp"
#include "worker.hpp"

namespace rodeo {

/// How a campaign ended on the master.
struct CampaignEnd {
  bool complete = false;       ///< every member of the study ended
  std::string failure;         ///< what made it stop for good; empty otherwise
  bool out_of_time = false;    ///< it stopped because no member that waits would have ended in time
  bool kept_work = false;      ///< it wrote checkpoints of members in flight
  bool none_well = false;      ///< it is complete, and not one member ended well
  bool found_nothing = false;  ///< it is complete, and Plan::found_nothing()
  std::vector<int> lost;       ///< ranks that ended on the way
};

/// Rank 0: asks the plan, hands out chunks, tells the plan, shows progress. Goes on without workers that end
/// on the way.
class Master {
 public:
  /// `threads` holds how many members each rank runs at once; `committed` the members that need not run again
  /// (empty: none), `reused` the rows that others may take. `own` is rank 0's worker, which runs members if
  /// `works`; without, the master has only the others to look after. `time` says which members can still
  /// start. The rows of the plan's tables go to `file`.
  Master(Study& study, EnsembleFile& file, Mailbox& mailbox, std::vector<int> threads,
         const std::vector<bool>& committed, Worker& own, bool works, TimeBudget& time, Progress& progress,
         ReusedRows reused = {});

  /// Runs until the study is complete, a stop signal arrives or something fails; all workers have stopped on
  /// return.
  CampaignEnd run();

  /// Makes `run` stop all workers and report this failure.
  void fail(const std::string& reason) { failure_ = reason; }

  /// Tells the plan about a member whose row was in the file before this run; called in the order of members.
  /// An adaptive plan is told once it has asked for it, which is later where a row before it is missing or
  /// damaged. Throws FileError if its point is not the one that the plan asks for.
  void resume_with(EndedMember ended, const std::vector<double>& point);

 private:
  void tell();
  void ask();
  void ask_or_fail();
  std::uint32_t members_asked_together() const;
  void take_over(EndedMember ended, std::span<const double> point);
  void start(std::uint64_t member);
  bool copy(std::uint64_t first, std::uint64_t member);
  bool reuse(std::uint64_t member);
  void take(MemberRow row);
  bool write_taken();
  bool receive();
  void ended(std::size_t rank, std::vector<EndedMember> members);
  void account(EndedMember member);
  bool hand_out();
  Chunk next_chunk(std::size_t rank);
  Chunk make_chunk(std::size_t rank, const std::vector<MemberQueue::Entry>& entries);
  void look_for_lost();
  void lose(std::size_t rank);
  void suspect(std::uint64_t member);
  void advanced(std::size_t rank, const RunningWork& work);
  void report();
  void count_idle();
  void record(bool now);
  void advance_local();
  void stop_all();
  void await_stopped();

  Study& study_;
  EnsembleFile& file_;
  Mailbox& mailbox_;
  std::vector<int> threads_;
  const std::vector<bool>& committed_;
  ReusedRows reused_;
  std::vector<MemberRow> taken_;  ///< of members that did not run, not written yet
  Worker& own_;
  bool works_;  ///< rank 0 too
  TimeBudget& time_;
  Progress& progress_;
  MemberQueue queue_;
  EqualMembers equal_;
  std::uint64_t next_asked_ = 0;    ///< behind the last member that the plan has asked for
  std::set<std::uint64_t> untold_;  ///< in the file before this run, and not asked for yet
  ResultGatherer results_;
  Workload workload_;
  std::vector<bool> lost_;  ///< by rank
  Suspects suspects_;
  std::vector<RunningWork> running_;  ///< by rank: what its chunk has come to
  std::vector<Table> tables_;         ///< of the plan
  std::vector<TableRow> rows_;        ///< of these, not yet written
  std::chrono::steady_clock::time_point last_record_;
  std::size_t idle_ = 0;                                   ///< workers, when work was last handed out
  std::chrono::steady_clock::time_point last_look_;        ///< at who is idle
  std::chrono::steady_clock::time_point last_report_;      ///< of rank 0's own worker, and to the file
  std::chrono::steady_clock::time_point last_life_check_;  ///< of ranks
  std::size_t next_checked_ = 0;                           ///< the rank whose life was checked last
  std::string failure_;
  bool own_failed_ = false;
  bool kept_work_ = false;
};

}  // namespace rodeo
