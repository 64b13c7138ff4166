#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "rodeo/dispatch/messages.hpp"
#include "rodeo/dispatch/progress.hpp"
#include "rodeo/dispatch/study.hpp"
#include "rodeo/dispatch/time_budget.hpp"
#include "rodeo/dispatch/worker.hpp"

namespace rodeo {

/// How a campaign ended on the master.
struct CampaignEnd {
  bool complete = false;     ///< every member of the study ended
  std::string failure;       ///< what made it stop for good; empty otherwise
  bool out_of_time = false;  ///< it stopped because no member that waits would have ended in time
};

/// Members that wait, longest predicted first.
class MemberQueue {
 public:
  struct Entry {
    std::uint64_t member;
    double cost;  ///< predicted time on one core, ns
  };
  void add(std::uint64_t member, double cost) { waiting_.push_back({member, cost}); }

  /// Puts the longest first; members of equal cost stay in their order.
  void sort();

  bool empty() const { return next_ == waiting_.size(); }
  double cost() const { return cost_; }  ///< of all that wait, ns

  /// Takes members from the front until their cost reaches `cost` ns, at least `least` and at most `most`. Of
  /// those that cost more than `room` ns none is taken, and never more than `room_in_all` ns together.
  std::vector<Entry> take(double cost, std::size_t least, std::size_t most, double room, double room_in_all);

 private:
  std::vector<Entry> waiting_;
  std::size_t next_ = 0;
  double cost_ = 0.0;
};

/// Gathers the members of a candidate until all have ended, and hands results to the plan in ascending order.
/// The mean over repeats is taken in their order, whatever the order in which they ended.
class ResultGatherer {
 public:
  explicit ResultGatherer(std::uint32_t repeats) : repeats_(repeats) {}
  void add(const EndedMember& ended);
  std::vector<CandidateResult> take_complete();

 private:
  struct Repeats {
    std::uint32_t ended = 0;
    std::vector<double> objectives;  ///< by repeat
  };
  std::uint32_t repeats_;
  std::map<std::uint64_t, Repeats> open_;
  std::map<std::uint64_t, CandidateResult> complete_;
};

/// Rank 0: asks the plan, hands out chunks, tells the plan, shows progress.
class Master {
 public:
  /// `threads` holds the threads of every rank; `committed` the members that need not run again (empty:
  /// none). `local` is rank 0's own worker, or null where the master has only workers to look after.
  /// `time` says which members can still start. What the plan says of its generations goes to `file`.
  Master(Study& study, EnsembleFile& file, Mailbox& mailbox, std::vector<int> threads,
         const std::vector<bool>& committed, Worker* local, TimeBudget& time, Progress& progress);

  /// Runs until the study is complete, a stop signal arrives or something fails; all workers have stopped on
  /// return.
  CampaignEnd run();

  /// Makes `run` stop all workers and report this failure.
  void fail(const std::string& reason) { failure_ = reason; }

  /// Tells the plan about a member whose row was in the file before this run; called in the order of members.
  /// Throws FileError if its point is not the one that the plan asks for.
  void resume_with(const EndedMember& ended, const std::vector<double>& point);

 private:
  void ask();
  bool receive();
  void ended(int rank, const std::vector<EndedMember>& members);
  bool hand_out();
  Chunk next_chunk(std::size_t rank);
  bool idle() const;
  std::size_t workers() const { return threads_.size() - (local_ == nullptr ? 1 : 0); }
  void count_idle();
  void record(bool now);
  void advance_local();
  void stop_all();

  Study& study_;
  EnsembleFile& file_;
  Mailbox& mailbox_;
  std::vector<int> threads_;
  const std::vector<bool>& committed_;
  Worker* local_;
  TimeBudget& time_;
  Progress& progress_;
  MemberQueue queue_;
  ResultGatherer results_;
  std::vector<std::deque<std::size_t>> outstanding_;  ///< by rank: members left of each chunk given to it
  std::vector<GenerationRow> generations_;            ///< told, not yet written
  std::chrono::steady_clock::time_point last_record_;
  std::chrono::steady_clock::time_point last_look_;  ///< at who is idle
  std::string failure_;
};

}  // namespace rodeo
