#pragma once

#include "observer.hpp"

namespace rodeo {

/// Ends a member of which two elements next to each other are twisted by so much against each other that a
/// little more would count as a twist the other way.
class TwistLimit {
 public:
  void start(const MemberJob& job, MemberOutcome&) { become(job.spec); }
  void become(const MemberSpec& spec);
  MemberStatus slice(const Look& look);
  void finish(const Look&, Observation&) const {}
  void visit(StateArchive&) {}

 private:
  double safe_energy_ = 0.0;  ///< of twist, J: with less no element is twisted that far
};

}  // namespace rodeo
