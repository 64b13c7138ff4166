#pragma once

#include "observer.hpp"

namespace rodeo {

/// Ends a member whose energy exceeds the limit of its deck.
class Buckling {
 public:
  void start(const MemberJob&, MemberOutcome&) {}
  MemberStatus slice(const Look& look) {
    const MemberSpec& spec = look.spec;
    const Sample& s = look.sample;
    const bool bent = spec.buckling_energy > 0.0 && s.bend_energy + s.twist_energy > spec.buckling_energy;
    const bool fast = spec.buckling_translational_energy > 0.0 &&
                      s.translational_energy > spec.buckling_translational_energy;
    return bent || fast ? MemberStatus::stopped_early : MemberStatus::pending;
  }
  void finish(const Look& look, Observation& observation) const {
    observation.buckled = look.status == MemberStatus::stopped_early;
    observation.buckling_time = observation.buckled ? look.time() : std::nan("");
  }
  void visit(StateArchive&) {}
};

}  // namespace rodeo
