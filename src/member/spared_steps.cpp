#include "rodeo/member/spared_steps.hpp"

#include <cstdio>

namespace rodeo {

void SparedSteps::add(MemberStatus status, std::uint64_t steps) {
  const auto taken = static_cast<double>(steps);
  steps_ += taken;
  if (status == MemberStatus::done) {
    ++done_;
    steps_of_done_ += taken;
  } else if (status == MemberStatus::outclassed) {
    ++outclassed_;
    steps_of_outclassed_ += taken;
  }
}

double SparedSteps::share() const {
  if (outclassed_ == 0 || done_ == 0) return 0.0;
  const double whole = steps_of_done_ / static_cast<double>(done_);
  const double spared = whole * static_cast<double>(outclassed_) - steps_of_outclassed_;
  return spared / (steps_ + spared);
}

std::string SparedSteps::text() const {
  if (outclassed_ == 0) return {};
  char text[96];
  std::snprintf(text, sizeof text, "%llu members outclassed, %.1f %% of all steps spared",
                static_cast<unsigned long long>(outclassed_), 100.0 * share());
  return text;
}

}  // namespace rodeo
