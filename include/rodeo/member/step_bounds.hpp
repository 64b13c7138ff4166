#pragma once

#include <limits>
#include <string_view>

namespace rodeo {

/// A time step below which steps are stable, and what of the deck it mostly comes from.
struct StepBound {
  double step = std::numeric_limits<double>::infinity();  ///< s; infinite for what a member does not have
  std::string_view by;                                    ///< a key of the deck, or "the rods' elasticity"
};

struct StepBounds {
  StepBound internal;     ///< the elasticity of the rods
  StepBound contact;      ///< springs and dashpots of penalty contact
  StepBound ground;       ///< those of the plane, the spheres and the cylinders
  StepBound connections;  ///< springs, joints and bonds
  StepBound loads;        ///< laws that hold nodes
  StepBound all;          ///< everything at once, and the fluid of implicit rods; `by` is the smallest one's
};

}  // namespace rodeo
