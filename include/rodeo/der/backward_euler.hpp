#pragma once

#include "rodeo/der/scheme.hpp"

namespace rodeo::der {

/// One solve with what acts on the rods at its start, but for what depends on time alone: of first order.
class BackwardEuler final : public Scheme {
 public:
  SolveOutcome advance(LoadedRods& rods, double end, double step) override;
  void forget() override {}  // all it keeps is of the rods
};

}  // namespace rodeo::der
