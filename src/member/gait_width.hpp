#pragma once

#include "rodeo/observe/envelope.hpp"

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
  std::int64_t first_step_ = 0;               ///< of the last period
  std::vector<observe::Envelope> envelopes_;  ///< of bodies; none without a period
};

}  // namespace rodeo
