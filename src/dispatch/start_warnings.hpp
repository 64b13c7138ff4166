#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rodeo/member/step_bounds.hpp"
#include "rodeo/models/rows.hpp"

#include "study.hpp"

namespace rodeo {

/// Doubts about the data that a member's rods are compared with: these rods cannot have their size or place,
/// or points are 0 in all coordinates. `places` says where each point stands.
std::vector<StartWarning> data_doubts(const MemberSpec& spec, const std::vector<std::string>& places);

/// Warnings about a study's members before they run: steps above their bounds, rods that overlap or stand in
/// the ground as they start, and data that hardly belong to these rods.
class StartWarnings {
 public:
  /// Called with each candidate or probe that is looked at: its number, point and specification.
  using Look = std::function<void(std::uint64_t k, const std::vector<double>& point, const MemberSpec& spec)>;

  /// Looks at all candidates; of a plan whose candidates are not known yet, at its probes.
  explicit StartWarnings(Study& study, const Look& look = {});

  /// The smallest bounds of all members; infinite where none has any.
  const StepBounds& bounds() const { return least_; }

  /// One sentence each, without a full stop.
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  StepBounds least_;
  std::vector<std::string> texts_;
};

}  // namespace rodeo
