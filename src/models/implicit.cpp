#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/implicit/implicit_member.hpp"
#include "rodeo/member/rod_batch.hpp"
#include "rodeo/models/rows.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "shared_nodes.hpp"

namespace rodeo::models::implicit {

namespace {

/// The time of a member on one core, ns, where a step of a free rod takes so long an element. A coupled one
/// takes longer.
double cost_of(const MemberSpec& spec, double free_step) {
  const bool are_coupled = spec.has_impacts() || !spec.connections.empty() || has_joints(spec);
  const double element_step = are_coupled ? 1.5e3 : free_step;
  return (element_step * static_cast<double>(rod_elements(spec)) + fluid::stokeslet_cost(spec)) *
         static_cast<double>(spec.time.steps);
}

std::size_t memory_with(const MemberSpec& spec, std::size_t of_method) {
  return rod_size(array_elements(spec), spec.has_circular_sections()) * sizeof(double) + of_method +
         fluid::stokeslet_memory(spec) + forces::actuation_memory(spec);
}

}  // namespace

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RodBatch<HostStepperOf<rodeo::implicit::make_member>>>(jobs);
}

/// An iteration takes about 200 nanoseconds an element; a step takes two or three.
double predicted_cost(const MemberSpec& spec) { return cost_of(spec, 500.0); }

std::size_t memory(const MemberSpec& spec) { return memory_with(spec, rodeo::implicit::memory(spec)); }

/// Bounds the step by the forces of Stokeslets; all else is implicit.
StepBounds step_bounds(const MemberSpec& spec) {
  StepBounds bounds;
  bounds.all = {fluid::stable_stokeslet_step(spec), "fluid.viscosity"};
  return bounds;
}

std::optional<StartProblem> what_cannot_move(const MemberSpec& spec) {
  if (auto problem = stokeslets_of_shared_nodes(spec)) return problem;
  return overlap_of_implicit_contact(spec);
}

std::unique_ptr<Batch> make_damped_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RodBatch<HostStepperOf<rodeo::implicit::make_damped_member>>>(jobs);
}

std::unique_ptr<Batch> make_conserving_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RodBatch<HostStepperOf<rodeo::implicit::make_conserving_member>>>(jobs);
}

/// An iteration takes about 850 nanoseconds an element.
double conserving_cost(const MemberSpec& spec) { return cost_of(spec, 2.5e3); }

std::size_t conserving_memory(const MemberSpec& spec) {
  return memory_with(spec, rodeo::implicit::conserving_memory(spec));
}

}  // namespace rodeo::models::implicit
