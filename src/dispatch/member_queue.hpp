#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <vector>

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

}  // namespace rodeo
