#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <set>
#include <vector>

namespace rodeo {

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

}  // namespace rodeo
