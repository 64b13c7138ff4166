#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rodeo/cosserat/stable_step.hpp"

#include "study.hpp"

namespace rodeo {

/// What the specifications of a study's members give cause to warn of before they run: steps above their
/// bounds, and rods that overlap or stand in the ground as they start.
class StartWarnings {
 public:
  /// Looks at all candidates; of a plan whose candidates are not known yet, at its probes.
  explicit StartWarnings(Study& study);

  /// The smallest bounds of all members; infinite without explicit members.
  const cosserat::StepBounds& bounds() const { return least_; }

  /// One sentence each, without a full stop.
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  cosserat::StepBounds least_;
  std::vector<std::string> texts_;
};

}  // namespace rodeo
