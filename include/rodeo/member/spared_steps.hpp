#pragma once

#include <cstdint>
#include <string>

#include "rodeo/member/status.hpp"

namespace rodeo {

/// Adds up the steps that members were spared which were stopped as outclassed.
class SparedSteps {
 public:
  void add(MemberStatus status, std::uint64_t steps);

  std::uint64_t members() const { return outclassed_; }

  /// Steps spared, over those that would have been taken had no member been stopped. A member would have
  /// taken as many as those that ended took in the mean: exact where no parameter changes their number.
  double share() const;

  /// For people; empty if no member was stopped.
  std::string text() const;

 private:
  std::uint64_t done_ = 0;
  std::uint64_t outclassed_ = 0;
  double steps_of_done_ = 0.0;
  double steps_of_outclassed_ = 0.0;
  double steps_ = 0.0;
};

}  // namespace rodeo
