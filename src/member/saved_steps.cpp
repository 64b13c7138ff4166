#include "rodeo/member/saved_steps.hpp"

#include <cstdio>

namespace rodeo {

void SavedSteps::add(MemberStatus status, std::uint64_t steps) {
  const auto taken = static_cast<double>(steps);
  steps_ += taken;
  if (status == MemberStatus::done || status == MemberStatus::settled) {
    ++done_;
    steps_of_done_ += taken;
  } else if (status == MemberStatus::pruned) {
    ++pruned_;
    steps_of_pruned_ += taken;
  }
}

double SavedSteps::share() const {
  if (pruned_ == 0 || done_ == 0) return 0.0;
  const double whole = steps_of_done_ / static_cast<double>(done_);
  const double saved = whole * static_cast<double>(pruned_) - steps_of_pruned_;
  return saved / (steps_ + saved);
}

std::string SavedSteps::text() const {
  if (pruned_ == 0) return {};
  char text[96];
  std::snprintf(text, sizeof text, "%llu members pruned, %.1f %% of all steps saved",
                static_cast<unsigned long long>(pruned_), 100.0 * share());
  return text;
}

}  // namespace rodeo
