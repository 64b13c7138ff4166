#pragma once

#include <vector>

#include "rodeo/member/batch.hpp"
#include "rodeo/member/waits.hpp"

namespace rodeo {

/// The value of a test function at its point, as Hansen et al. use them to measure optimisers; `seed` is that
/// of noise.
double function_value(const FunctionSpec& function, std::uint64_t seed);

/// Members that report a test function of optimisers, one after the other, each after its wait.
class FunctionBatch final : public Batch {
 public:
  explicit FunctionBatch(std::span<const MemberJob> jobs);
  bool advance() override;
  std::span<const MemberOutcome> outcomes() const override { return outcomes_; }

 private:
  std::vector<double> values_;
  Waits waits_;
  std::vector<MemberOutcome> outcomes_;
  std::size_t ended_ = 0;
};

}  // namespace rodeo
