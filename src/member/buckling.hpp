#pragma once

#include <cstdint>
#include <limits>

#include "rodeo/member/seen_steps.hpp"

#include "observer.hpp"

namespace rodeo {

/// Ends a member whose energy exceeds the limit of its deck. Slices of steps that may be seen end with each
/// step then: what they miss they would miss for long.
class Buckling {
 public:
  void start(const MemberJob& job, MemberOutcome&) {
    const MemberSpec& spec = job.spec;
    const bool acts = spec.buckling_energy > 0.0 || spec.buckling_translational_energy > 0.0;
    looks_often_ = acts && are_steps_seen(spec);
  }
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
  std::int64_t next_look(std::int64_t steps) const {
    return looks_often_ ? steps + 1 : std::numeric_limits<std::int64_t>::max();
  }

 private:
  bool looks_often_ = false;
};

}  // namespace rodeo
