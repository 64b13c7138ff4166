#include "result_gatherer.hpp"

#include <limits>
#include <numeric>

namespace rodeo {

void ResultGatherer::add(const EndedMember& ended) {
  const std::uint64_t candidate = ended.member / repeats_;
  Repeats& repeats = open_[candidate];
  ++repeats.ended;
  repeats.objectives.resize(repeats_);
  repeats.objectives[ended.member % repeats_] =
      ended_well(ended.status) ? ended.objective : std::numeric_limits<double>::quiet_NaN();
  if (repeats.ended < repeats_) return;
  complete_[candidate] = {
      candidate, std::accumulate(repeats.objectives.begin(), repeats.objectives.end(), 0.0) / repeats_,
      ended.status == MemberStatus::pruned};
  open_.erase(candidate);
}

std::vector<CandidateResult> ResultGatherer::take_complete() {
  std::vector<CandidateResult> results;
  results.reserve(complete_.size());
  for (const auto& [candidate, result] : complete_) results.push_back(result);
  complete_.clear();
  return results;
}

}  // namespace rodeo
