#include "end_counts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rodeo {

void EndCounts::add(const EndedMember& ended) {
  const auto status = static_cast<std::size_t>(ended.status);
  ++count_[status];
  std::vector<std::uint64_t>& first = first_[status];
  if (first.size() < most_named || ended.member < first.back()) {
    first.insert(std::ranges::upper_bound(first, ended.member), ended.member);
    if (first.size() > most_named) first.pop_back();
  }
  if (!ended_well(ended.status) || !objective_place_) return;
  const double objective = ended.observable(*objective_place_);
  if (!std::isfinite(objective)) {
    ++unmeasured_;
    first_unmeasured_ = std::min(first_unmeasured_, ended.member);
    return;
  }
  ++measured_;
  least_ = std::min(least_, objective);
  most_ = std::max(most_, objective);
}

std::uint64_t EndCounts::all() const {
  return std::accumulate(count_.begin(), count_.end(), std::uint64_t{0});
}

std::uint64_t EndCounts::well() const {
  std::uint64_t sum = 0;
  for (int status = 0; status < member_status_count; ++status) {
    if (ended_well(static_cast<MemberStatus>(status))) sum += count_[static_cast<std::size_t>(status)];
  }
  return sum;
}

}  // namespace rodeo
