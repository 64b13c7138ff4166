#include "result_gatherer.hpp"

#include <utility>

namespace rodeo {

void ResultGatherer::append(Candidate& candidate, EndedMember ended) {
  if (candidate.sum.added() == 0) candidate.last_frame = std::move(ended.last_frame);
  candidate.sum.add(ended.status, ended.observables);
}

void ResultGatherer::add(EndedMember ended) {
  const std::uint64_t number = ended.member / members_;
  const auto place = static_cast<std::uint32_t>(ended.member % members_);
  Candidate& candidate = open_.try_emplace(number, empty_).first->second;
  if (place != candidate.sum.added()) {
    candidate.waiting.emplace(place, std::move(ended));
    return;
  }
  append(candidate, std::move(ended));
  for (auto next = candidate.waiting.begin();
       next != candidate.waiting.end() && next->first == candidate.sum.added();
       next = candidate.waiting.erase(next)) {
    append(candidate, std::move(next->second));
  }
  if (!candidate.sum.complete()) return;
  Result& result = complete_[number] = candidate.sum.result(number);
  result.last_frame = std::move(candidate.last_frame);
  open_.erase(number);
}

std::vector<Result> ResultGatherer::take_complete() {
  std::vector<Result> results;
  results.reserve(complete_.size());
  for (auto& [candidate, result] : complete_) results.push_back(std::move(result));
  complete_.clear();
  return results;
}

}  // namespace rodeo
