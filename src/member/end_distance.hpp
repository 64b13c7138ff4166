#pragma once

#include "observer.hpp"

namespace rodeo {

/// How the distance between the ends of the last rod oscillates.
class EndDistance {
 public:
  void start(const MemberJob&, MemberOutcome&) {}
  MemberStatus slice(const Look& look) {
    distance_.add(look.time(), norm(look.sample.end - look.rods.position(look.places.back().first)));
    return MemberStatus::pending;
  }
  void finish(const Look&, Observation& observation) const { observation.end_distance = distance_; }
  void visit(StateArchive& archive) { archive.visit(distance_); }

 private:
  observe::Oscillation distance_;
};

}  // namespace rodeo
