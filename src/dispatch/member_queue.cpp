#include "member_queue.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rodeo {

void MemberQueue::sort() {
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(next_));
  next_ = 0;
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const Entry& a, const Entry& b) { return a.cost > b.cost; });
  cost_ = std::accumulate(waiting_.begin(), waiting_.end(), 0.0,
                          [](double sum, const Entry& e) { return sum + e.cost; });
}

std::vector<MemberQueue::Entry> MemberQueue::take(double cost, std::size_t least, std::size_t most,
                                                  double room, double room_in_all) {
  const auto front = waiting_.begin() + static_cast<std::ptrdiff_t>(next_);
  const auto first =
      std::partition_point(front, waiting_.end(), [&](const Entry& entry) { return entry.cost > room; });
  auto last = first;
  double taken = 0.0;
  const auto wanted = [&](std::size_t count) { return count < most && (count < least || taken < cost); };
  while (last != waiting_.end() && wanted(static_cast<std::size_t>(last - first)) &&
         taken + last->cost <= room_in_all) {
    taken += (last++)->cost;
  }
  std::vector<Entry> entries(first, last);
  cost_ -= taken;
  if (first == front) {
    next_ += entries.size();
  } else {
    waiting_.erase(first, last);
  }
  return entries;
}

double chunk_cost(const MemberQueue& waiting, std::size_t workers, int threads) {
  constexpr double longest_chunk = 1e9;  // ns
  constexpr double members_per_thread = 4.0;
  const double share = workers == 1 ? waiting.cost() : waiting.cost() / (3.0 * static_cast<double>(workers));
  if (threads == 1) return std::min(share, longest_chunk);
  return std::min(share, threads * std::max(longest_chunk, members_per_thread * waiting.longest()));
}

bool Suspects::add(std::uint64_t member) {
  if (!known_.insert(member).second) return false;
  waiting_.push_back(member);
  return true;
}

std::uint64_t Suspects::take() {
  const std::uint64_t member = waiting_.front();
  waiting_.pop_front();
  return member;
}

Workload::Workload(std::size_t ranks, bool first_works) : held_(ranks) {
  for (std::size_t rank = first_works ? 0 : 1; rank < ranks; ++rank) holders_[0].insert(rank);
  workers_ = holders_[0].size();
}

void Workload::move(std::size_t rank, std::size_t before) {
  holders_[before].erase(rank);
  holders_[held_[rank].size()].insert(rank);
}

void Workload::give(std::size_t rank, const Members& members) {
  const std::size_t before = held_[rank].size();
  held_[rank].push_back(members);
  move(rank, before);
}

bool Workload::end(std::size_t rank, std::uint64_t member) {
  // Chunks end one after the other, and their members mostly in order.
  const std::size_t before = held_[rank].size();
  Members& left = held_[rank].front();
  std::iter_swap(std::ranges::find(left, member), left.end() - 1);
  left.pop_back();
  if (!left.empty()) return false;
  held_[rank].pop_front();
  move(rank, before);
  return true;
}

std::deque<Workload::Members> Workload::lose(std::size_t rank) {
  workers_ -= holders_[held_[rank].size()].erase(rank);
  return std::exchange(held_[rank], {});
}

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
