#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/member/rod_batch.hpp"
#include "rodeo/models/rows.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/rod/rod_places.hpp"
#include "rodeo/statics/static_member.hpp"

namespace rodeo::models::statics {

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RodBatch<HostStepperOf<rodeo::statics::make_member>>>(jobs);
}

/// An element takes about 300 nanoseconds in an iteration, and a step ten of these; where rods act on each
/// other ten times as long. A mode takes about as long as a microsecond an element.
double predicted_cost(const MemberSpec& spec) {
  const bool coupled = !spec.connections.empty() || spec.contact.kind != ContactKind::none;
  const double steps = (coupled ? 3e4 : 3e3) * static_cast<double>(spec.time.steps);
  return (steps + 1e3 * spec.modes) * static_cast<double>(rod_elements(spec));
}

std::size_t memory(const MemberSpec& spec) {
  return rod_size(array_elements(spec), spec.has_circular_sections()) * sizeof(double) +
         rodeo::statics::memory(spec) + forces::actuation_memory(spec);
}

std::optional<StartProblem> what_cannot_rest(const MemberSpec& spec) {
  if (spec.contact.kind != ContactKind::none && spec.branch.exists()) {
    return StartProblem{"contact.kind",
                        "steps along a branch are not stopped by what stands in their way, so that rods "
                        "could pass through each other; time.method = static without branch.key stops them"};
  }
  return overlap_of_implicit_contact(spec);
}

}  // namespace rodeo::models::statics
