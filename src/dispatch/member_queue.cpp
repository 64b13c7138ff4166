#include "member_queue.hpp"

#include <algorithm>
#include <numeric>

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

}  // namespace rodeo
