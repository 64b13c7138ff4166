#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "rodeo/plan/result.hpp"

#include "messages.hpp"

namespace rodeo {

/// Gathers the members of a candidate until all have ended, and hands results to the plan in ascending order.
/// The mean over repeats is taken in their order, whatever the order in which they ended.
class ResultGatherer {
 public:
  /// `unfinished_branches`: as Plan::needs_unfinished_branches.
  explicit ResultGatherer(std::uint32_t repeats, bool unfinished_branches = false)
      : repeats_(repeats), unfinished_branches_(unfinished_branches) {}
  void add(EndedMember ended);
  std::vector<Result> take_complete();

 private:
  struct Repeats {
    std::uint32_t added = 0;                       ///< to the result, the first ones
    std::map<std::uint32_t, EndedMember> waiting;  ///< for those before them
    Result result;                                 ///< sums of observables instead of means
  };
  void append(Repeats& repeats, EndedMember ended) const;

  std::uint32_t repeats_;
  bool unfinished_branches_;
  std::map<std::uint64_t, Repeats> open_;
  std::map<std::uint64_t, Result> complete_;
};

}  // namespace rodeo
