#pragma once

#include "observer.hpp"

namespace rodeo {

/// Ends a member of which two elements next to each other are twisted or bent by so much against each other
/// that a little more would count as a turn the other way. Implicit steps see to that by themselves, after
/// each step (RegionTurns).
class TwistLimit {
 public:
  void start(const MemberJob& job, MemberOutcome&);
  void become(const MemberSpec& spec);
  MemberStatus slice(const Look& look);
  void finish(const Look&, Observation&) const {}
  void visit(StateArchive&) {}

 private:
  double safe_energy_ = 0.0;        ///< of bending and twist, J: with less no element is turned that far
  bool bends_without_end_ = false;  ///< bending has no largest turn
};

}  // namespace rodeo
