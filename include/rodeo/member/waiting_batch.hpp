#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/member/batch.hpp"

namespace rodeo {

/// Members that do nothing but wait, one after the other, and then report what they knew from the start.
class WaitingBatch : public Batch {
 public:
  bool advance() final;
  std::span<const MemberOutcome> outcomes() const final { return outcomes_; }
  void visit_state(std::size_t member, StateArchive& archive) final;
  void time_out(std::size_t member) final;

 protected:
  /// `seconds` is how long each member waits, `measures` how many observables the deck defines.
  explicit WaitingBatch(std::vector<double> seconds, std::size_t measures = 0);

 private:
  /// Sets the status and the observables of a member whose wait is over.
  virtual void finish(std::size_t member, MemberOutcome& outcome) const = 0;

  void next();

  std::vector<double> seconds_;
  std::vector<MemberOutcome> outcomes_;
  std::size_t waiting_ = 0;  ///< the member that waits now
};

}  // namespace rodeo
