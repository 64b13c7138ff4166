#include "rodeo/member/function_batch.hpp"
#include "rodeo/member/noop_batch.hpp"
#include "rodeo/models/rows.hpp"

namespace rodeo::models {

namespace {

/// A member takes its wait and a microsecond.
double cost_of_wait(double seconds) { return 1e9 * seconds + 1e3; }

}  // namespace

namespace noop {

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<NoopBatch>(jobs);
}

double predicted_cost(const MemberSpec& spec) { return cost_of_wait(spec.noop_seconds); }

}  // namespace noop

namespace function {

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<FunctionBatch>(jobs);
}

double predicted_cost(const MemberSpec& spec) {
  return cost_of_wait(spec.function.seconds * 0.5 * (1.0 + spec.function.slowest));
}

}  // namespace function

}  // namespace rodeo::models
