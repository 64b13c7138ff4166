#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "rodeo/plan/plan.hpp"

#include "messages.hpp"

namespace rodeo {

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

}  // namespace rodeo
