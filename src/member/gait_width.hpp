#pragma once

#include <cstdint>

#include "rodeo/observe/gait.hpp"

#include "last_period.hpp"
#include "observer.hpp"

namespace rodeo {

/// Width that the bodies of a member sweep over the last muscle.period.
class GaitWidth {
 public:
  void start(const MemberJob& job, MemberOutcome&);
  MemberStatus slice(const Look& look);
  Need needs_within(std::int64_t steps) const {
    return !envelopes_.empty() && steps >= period_.first() ? Need::glance : Need::nothing;
  }
  void within(const Glance& glance, const Look*) {
    if (needs_within(glance.steps) != Need::nothing) widen(glance);
  }
  void finish(const Look& look, Observation& observation) const;
  void visit(StateArchive& archive) { archive.visit(std::span(envelopes_)); }

 private:
  void widen(const Glance& look);

  LastPeriod period_;
  std::vector<OfPeriod<observe::Envelope>> envelopes_;  ///< of bodies; none without a period
};

}  // namespace rodeo
