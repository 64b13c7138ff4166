#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/implicit/implicit_member.hpp"
#include "rodeo/member/rod_batch.hpp"
#include "rodeo/models/rows.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo::models::implicit {

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RodBatch<HostStepperOf<rodeo::implicit::make_member>>>(jobs);
}

/// An iteration takes about 200 nanoseconds an element, and 850 where energy is conserved; a step takes
/// two or three.
double predicted_cost(const MemberSpec& spec) {
  const double free_step = spec.scheme == TimeScheme::energy_momentum ? 2.5e3 : 500.0;
  const double element_step = spec.has_impacts() || !spec.connections.empty() ? 1.5e3 : free_step;
  return element_step * static_cast<double>(rod_elements(spec)) * static_cast<double>(spec.time.steps);
}

std::size_t memory(const MemberSpec& spec) {
  return rod_size(array_elements(spec)) * sizeof(double) + rodeo::implicit::memory(spec) +
         forces::actuation_memory(spec);
}

std::optional<StartProblem> what_scheme_lacks(const MemberSpec& spec) {
  if (!spec.motions.empty() && spec.scheme == TimeScheme::energy_momentum) {
    return StartProblem{"time.scheme",
                        "energy_momentum conserves energy, which places that are held or moved take or give; "
                        "generalized_alpha has them"};
  }
  if ((spec.has_impacts() || !spec.connections.empty()) && spec.scheme == TimeScheme::energy_momentum) {
    return StartProblem{
        "time.scheme",
        "energy_momentum solves for each rod alone, and conserves energy, which impacts take; "
        "generalized_alpha has contact, ground and connections"};
  }
  return crossed_barrier(spec);
}

}  // namespace rodeo::models::implicit
