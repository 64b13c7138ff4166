#pragma once

#include <vector>

#include "rodeo/member/batch.hpp"
#include "rodeo/member/waits.hpp"

namespace rodeo {

/// Members that wait noop.seconds one after the other and report nothing: what is measured is dispatch and
/// output.
class NoopBatch final : public Batch {
 public:
  explicit NoopBatch(std::span<const MemberJob> jobs);
  bool advance() override;
  std::span<const MemberOutcome> outcomes() const override { return outcomes_; }

 private:
  Waits waits_;
  std::vector<MemberOutcome> outcomes_;
  std::size_t ended_ = 0;
};

}  // namespace rodeo
