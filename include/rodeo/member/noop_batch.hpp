#pragma once

#include "rodeo/member/waiting_batch.hpp"

namespace rodeo {

/// Members that wait noop.seconds and report nothing: what is measured is dispatch and output.
class NoopBatch final : public WaitingBatch {
 public:
  explicit NoopBatch(std::span<const MemberJob> jobs);

 private:
  void finish(std::size_t member, MemberOutcome& outcome) const override;
};

}  // namespace rodeo
