#include <algorithm>

#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/implicit/implicit_member.hpp"
#include "rodeo/member/rod_batch.hpp"
#include "rodeo/models/rows.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "shared_nodes.hpp"

namespace rodeo::models::implicit {

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RodBatch<HostStepperOf<rodeo::implicit::make_member>>>(jobs);
}

namespace {

/// Whether rods act on each other by more than nodes that are one.
bool has_springs(const MemberSpec& spec) {
  return std::ranges::any_of(spec.further_rods,
                             [](const RodSetup& rod) { return rod.joint == JointKind::rigid; }) ||
         std::ranges::any_of(spec.connections, [](const ConnectionSpec& c) {
           return c.kind != ConnectionKind::ball || !makes_one_node(c);
         });
}

}  // namespace

/// An iteration takes about 200 nanoseconds an element, and 850 where energy is conserved; a step takes
/// two or three.
double predicted_cost(const MemberSpec& spec) {
  const double free_step = spec.scheme == TimeScheme::energy_momentum ? 2.5e3 : 500.0;
  const bool are_coupled = spec.has_impacts() || !spec.connections.empty() || has_joints(spec);
  const double element_step = are_coupled ? 1.5e3 : free_step;
  return (element_step * static_cast<double>(rod_elements(spec)) + fluid::stokeslet_cost(spec)) *
         static_cast<double>(spec.time.steps);
}

std::size_t memory(const MemberSpec& spec) {
  return rod_size(array_elements(spec), spec.has_circular_sections()) * sizeof(double) +
         rodeo::implicit::memory(spec) + fluid::stokeslet_memory(spec) + forces::actuation_memory(spec);
}

/// Implicit but for the forces of Stokeslets.
StepBounds step_bounds(const MemberSpec& spec) {
  StepBounds bounds;
  bounds.all = {fluid::stable_stokeslet_step(spec), "fluid.viscosity"};
  return bounds;
}

std::optional<StartProblem> what_scheme_lacks(const MemberSpec& spec) {
  if (!spec.motions.empty() && spec.scheme == TimeScheme::energy_momentum) {
    return StartProblem{"time.scheme",
                        "energy_momentum conserves energy, which places that are held or moved take or give; "
                        "generalized_alpha has them"};
  }
  if ((spec.has_impacts() || has_springs(spec)) && spec.scheme == TimeScheme::energy_momentum) {
    return StartProblem{"time.scheme",
                        "energy_momentum conserves energy, which impacts take, and has no springs between "
                        "rods: they may be closed and share nodes on balls; generalized_alpha has contact, "
                        "ground, rigid joints and connections"};
  }
  if (auto problem = stokeslets_of_shared_nodes(spec)) return problem;
  return overlap_of_implicit_contact(spec);
}

}  // namespace rodeo::models::implicit
