#include "rodeo/member/rod_batch.hpp"
#include "rodeo/models/rows.hpp"
#include "rodeo/rigid/rigid_member.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo::models::rigid {

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RodBatch<HostStepperOf<rodeo::rigid::make_member>>>(jobs);
}

/// A step takes about 150 nanoseconds an element, and a microsecond a rod.
double predicted_cost(const MemberSpec& spec) {
  return (150.0 * static_cast<double>(rod_elements(spec)) + 1e3 * spec.rod_count()) *
         static_cast<double>(spec.time.steps);
}

std::size_t memory(const MemberSpec& spec) {
  return rod_size(array_elements(spec), spec.has_circular_sections()) * sizeof(double) +
         rodeo::rigid::memory(spec);
}

StepBounds step_bounds(const MemberSpec& spec) { return rodeo::rigid::step_bounds(spec); }

}  // namespace rodeo::models::rigid
