#include "rodeo/member/early_stopping.hpp"

namespace rodeo {

std::int64_t period_steps(const MemberSpec& spec) {
  const double steps = std::round(spec.muscle.period / spec.time.step);
  return steps <= static_cast<double>(spec.time.steps) ? static_cast<std::int64_t>(steps) : 0;
}

bool bounds_objective(const MemberSpec& spec, const EarlyStopping& early_stopping, std::int64_t first_step) {
  constexpr double rounding = 1e-9;  // of a step: decimal times are seldom whole multiples of it
  const bool has_settled =
      static_cast<double>(first_step) >= (1.0 - rounding) * early_stopping.settled / spec.time.step;
  return first_step >= 0 && has_settled && first_step + period_steps(spec) < spec.time.steps;
}

}  // namespace rodeo
