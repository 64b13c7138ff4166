#pragma once

#include <chrono>
#include <vector>

#include "rodeo/member/batch.hpp"

namespace rodeo {

/// Members that wait noop.seconds one after the other and report nothing: what is measured is dispatch and
/// output.
class NoopBatch final : public Batch {
 public:
  explicit NoopBatch(std::span<const MemberJob> jobs);
  bool advance() override;
  std::span<const MemberOutcome> outcomes() const override { return outcomes_; }

 private:
  std::vector<double> seconds_;
  std::vector<MemberOutcome> outcomes_;
  std::size_t next_ = 0;
  double waited_ = 0.0;  ///< of the member in turn, s
};

}  // namespace rodeo
