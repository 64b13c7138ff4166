#include "result_gatherer.hpp"

#include <limits>
#include <utility>

namespace rodeo {

void ResultGatherer::append(Repeats& repeats, EndedMember ended) const {
  Result& result = repeats.result;
  const bool well = ended_well(ended.status);
  if (repeats.added++ == 0) {
    result.status = ended.status;
    result.observables.resize(ended.observables.size(), 0.0);
    result.last_frame = std::move(ended.last_frame);
  } else if (!well && ended_well(result.status)) {
    result.status = ended.status;
  }
  const bool counts = well || (unfinished_branches_ && ended.status == MemberStatus::out_of_points);
  for (std::size_t k = 0; k < result.observables.size(); ++k) {
    result.observables[k] += counts ? ended.observable(k) : std::numeric_limits<double>::quiet_NaN();
  }
}

void ResultGatherer::add(EndedMember ended) {
  const std::uint64_t candidate = ended.member / repeats_;
  const auto repeat = static_cast<std::uint32_t>(ended.member % repeats_);
  Repeats& repeats = open_[candidate];
  if (repeat != repeats.added) {
    repeats.waiting.emplace(repeat, std::move(ended));
    return;
  }
  append(repeats, std::move(ended));
  for (auto next = repeats.waiting.begin(); next != repeats.waiting.end() && next->first == repeats.added;
       next = repeats.waiting.erase(next)) {
    append(repeats, std::move(next->second));
  }
  if (repeats.added < repeats_) return;
  repeats.result.candidate = candidate;
  for (double& observable : repeats.result.observables) observable /= repeats_;
  complete_[candidate] = std::move(repeats.result);
  open_.erase(candidate);
}

std::vector<Result> ResultGatherer::take_complete() {
  std::vector<Result> results;
  results.reserve(complete_.size());
  for (auto& [candidate, result] : complete_) results.push_back(std::move(result));
  complete_.clear();
  return results;
}

}  // namespace rodeo
