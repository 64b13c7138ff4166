#pragma once

#include <cstdint>
#include <string>

#include "rodeo/member/status.hpp"

namespace rodeo {

/// Adds up the steps that early stopping saved.
class SavedSteps {
 public:
  void add(MemberStatus status, std::uint64_t steps);

  std::uint64_t members() const { return pruned_; }

  /// Steps saved, over those that would have been taken had no member been pruned. A pruned member counts
  /// as if it had taken as many as the mean of those that ended: exact where no parameter changes their
  /// number.
  double share() const;

  /// For people; empty if no member was pruned.
  std::string text() const;

 private:
  std::uint64_t done_ = 0;
  std::uint64_t pruned_ = 0;
  double steps_of_done_ = 0.0;
  double steps_of_pruned_ = 0.0;
  double steps_ = 0.0;
};

}  // namespace rodeo
