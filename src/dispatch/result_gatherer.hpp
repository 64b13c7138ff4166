#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "rodeo/plan/result.hpp"
#include "rodeo/plan/result_sum.hpp"

#include "messages.hpp"

namespace rodeo {

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
