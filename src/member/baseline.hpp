#pragma once

#include "rodeo/member/steady.hpp"

#include "observer.hpp"

namespace rodeo {

/// The sample from which drifts are counted: when loads and boundaries have become steady, or at t = 0 if
/// they never do.
class Baseline {
 public:
  void start(const MemberJob& job, MemberOutcome&) { from_ = steady_from(job.spec).value_or(0.0); }
  MemberStatus slice(const Look& look) {
    if (!found_.exists && look.time() >= from_) found_ = {true, look.sample};
    return MemberStatus::pending;
  }
  void finish(const Look&, Observation& observation) const {
    if (found_.exists) observation.baseline = found_.sample;
  }
  void visit(StateArchive& archive) { archive.visit(found_); }

 private:
  struct Found {
    bool exists = false;
    Sample sample;
  };

  double from_ = 0.0;  ///< s
  Found found_;
};

}  // namespace rodeo
