#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "rodeo/plan/result.hpp"

#include "messages.hpp"

namespace rodeo {

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
  double cost() const { return cost_; }                                    ///< of all that wait, ns
  double longest() const { return empty() ? 0.0 : waiting_[next_].cost; }  ///< of one of them, ns

  /// Takes members from the front until their cost reaches `cost` ns, at least `least` and at most `most`. Of
  /// those that cost more than `room` ns none is taken, and never more than `room_in_all` ns together.
  std::vector<Entry> take(double cost, std::size_t least, std::size_t most, double room, double room_in_all);

 private:
  std::vector<Entry> waiting_;
  std::size_t next_ = 0;
  double cost_ = 0.0;
};

/// Cost of a chunk for one of so many workers, ns, by guided self-scheduling: chunks shrink with the work
/// left, so that all end together. One thread gets at most a second, the rate at which rows appear and
/// workers even out. Several threads get a few members each, however long, since threads that find none left
/// wait for the chunk's last.
double chunk_cost(const MemberQueue& waiting, std::size_t workers, int threads);

/// Members that were in flight when their worker ended. Each runs once more, alone; if that takes a second
/// worker along, it is that member's doing.
class Suspects {
 public:
  /// False if it is the member's second worker.
  bool add(std::uint64_t member);
  bool empty() const { return waiting_.empty(); }
  std::uint64_t take();

 private:
  std::deque<std::uint64_t> waiting_;
  std::set<std::uint64_t> known_;
};

/// Chunks a worker holds at most: the one it runs and one more, so that it does not wait for the master
/// between short members.
inline constexpr std::size_t chunks_ahead = 2;

/// Chunks that each worker has been given and has not ended. Knows who holds how much without asking all: a
/// master of ten thousand workers looks some thousand times a second.
class Workload {
 public:
  /// The members left of a chunk.
  using Members = std::vector<std::uint64_t>;

  /// Rank 0 is a worker too if `first_works`.
  Workload(std::size_t ranks, bool first_works);

  std::size_t workers() const { return workers_; }  ///< that are not lost
  bool nobody_works() const { return holders_[0].size() == workers_; }

  /// Workers that hold so many chunks, in rising order of rank.
  const std::set<std::size_t>& holders(std::size_t chunks) const { return holders_[chunks]; }
  bool holds_nothing(std::size_t rank) const { return held_[rank].empty(); }

  void give(std::size_t rank, const Members& members);

  /// A member ended: true if its chunk ended with it.
  bool end(std::size_t rank, std::uint64_t member);

  /// A worker is no more: what is left of its chunks, the oldest first.
  std::deque<Members> lose(std::size_t rank);

 private:
  /// Takes a worker from those that hold `before` chunks to those that hold what it holds now.
  void move(std::size_t rank, std::size_t before);

  std::vector<std::deque<Members>> held_;                        ///< by rank, the oldest chunk first
  std::array<std::set<std::size_t>, chunks_ahead + 1> holders_;  ///< by number of chunks
  std::size_t workers_ = 0;
};

/// Gathers the members of a candidate until all have ended, and hands results to the plan in ascending order.
/// Members are added up in the order of their numbers, whatever the order in which they ended.
class ResultGatherer {
 public:
  /// Gathers `members` of each candidate, as ResultSum has them.
  explicit ResultGatherer(std::uint32_t members, std::uint32_t scenarios = 1,
                          bool unfinished_branches = false)
      : members_(members), empty_{ResultSum(members, scenarios, unfinished_branches), {}, {}} {}
  void add(EndedMember ended);
  std::vector<Result> take_complete();
  bool any_complete() const { return !complete_.empty(); }

 private:
  struct Candidate {
    ResultSum sum;                                 ///< of the first members
    std::map<std::uint32_t, EndedMember> waiting;  ///< for those before them
    std::vector<double> last_frame;                ///< Result::last_frame
  };
  static void append(Candidate& candidate, EndedMember ended);

  std::uint32_t members_;
  Candidate empty_;
  std::map<std::uint64_t, Candidate> open_;
  std::map<std::uint64_t, Result> complete_;
};

}  // namespace rodeo
