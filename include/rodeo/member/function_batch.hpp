#pragma once

#include <vector>

#include "rodeo/member/waiting_batch.hpp"

namespace rodeo {

/// The value of a test function at its point, as Hansen et al. use them to measure optimisers; `seed` is that
/// of noise.
double function_value(const FunctionSpec& function, std::uint64_t seed);

/// Members that report a test function of optimisers, each after its wait.
class FunctionBatch final : public WaitingBatch {
 public:
  explicit FunctionBatch(std::span<const MemberJob> jobs);

 private:
  void finish(std::size_t member, MemberOutcome& outcome) const override;

  std::vector<std::vector<double>> values_;  ///< of each member, with its measures behind it
};

}  // namespace rodeo
