#pragma once

#include "rodeo/observe/envelope.hpp"

#include "last_period.hpp"
#include "observer.hpp"

namespace rodeo {

/// What the bodies of a member sweep over the last muscle.period.
class GaitWidth {
 public:
  void start(const MemberJob& job, MemberOutcome&);
  MemberStatus slice(const Look& look);
  void finish(const Look& look, Observation& observation) const;
  void visit(StateArchive& archive) { archive.visit(std::span(envelopes_)); }

 private:
  void widen(const Look& look);

  LastPeriod period_;
  std::vector<OfPeriod<observe::Envelope>> envelopes_;  ///< of bodies; none without a period
};

}  // namespace rodeo
