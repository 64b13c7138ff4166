#include "workload.hpp"

#include <algorithm>
#include <utility>

namespace rodeo {

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

}  // namespace rodeo
