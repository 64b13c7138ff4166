#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "rodeo/member/steady.hpp"

#include "observer.hpp"

namespace rodeo {

/// The sample from which drifts are counted: after the first step at which loads and boundaries are steady,
/// or at t = 0 if they never are.
class Baseline {
 public:
  void start(const MemberJob& job, MemberOutcome&) {
    const double step = job.spec.time.step;
    const double time = steady_from(job.spec).value_or(0.0);
    from_ = static_cast<std::int64_t>(time / step);
    while (static_cast<double>(from_) * step < time) ++from_;
  }
  MemberStatus slice(const Look& look) {
    if (!found_.exists && look.steps >= from_) found_ = {true, look.sample};
    return MemberStatus::pending;
  }
  std::int64_t next_look(std::int64_t steps) const {
    return from_ > steps ? from_ : std::numeric_limits<std::int64_t>::max();
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

  std::int64_t from_ = 0;  ///< steps
  Found found_;
};

}  // namespace rodeo
