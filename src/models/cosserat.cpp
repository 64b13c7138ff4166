#include <sstream>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/contact/build_contact.hpp"
#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/cosserat/verlet.hpp"
#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/forces/further_ground.hpp"
#include "rodeo/implicit/implicit_member.hpp"
#include "rodeo/member/rod_batch.hpp"
#include "rodeo/member/rod_parts.hpp"
#include "rodeo/member/start_state.hpp"
#include "rodeo/models/rows.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/rod/rod_places.hpp"
#include "rodeo/statics/static_member.hpp"

#include "shared_nodes.hpp"

namespace rodeo::models::cosserat {

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  using rodeo::cosserat::Verlet;
  if (jobs.front().spec.single_precision) return std::make_unique<RodBatch<Verlet<float>>>(jobs);
  return std::make_unique<RodBatch<Verlet<double>>>(jobs);
}

/// Takes about ten nanoseconds an element-step, six in single precision; on a device, whose speed thousands
/// of members share, two hundred. Rods that touch take several times that, always in double precision on a
/// host.
double predicted_cost(const MemberSpec& spec) {
  const double free_step = spec.on_device ? 200.0 : spec.single_precision ? 6.0 : 10.0;
  const double touching_step = spec.contact.friction > 0.0 ? 80.0 : 40.0;
  const double element_step = spec.contact.kind == ContactKind::none ? free_step : touching_step;
  return element_step * static_cast<double>(rod_elements(spec)) * static_cast<double>(spec.time.steps);
}

std::size_t memory(const MemberSpec& spec) {
  const contact::ContactSize contact = contact::contact_size(spec);
  const int elements = array_elements(spec);
  const std::size_t arrays =
      spec.single_precision
          ? (lasting_size<float>(elements) + work_numbers<float>(spec)) * sizeof(float)
          : (lasting_size(elements, spec.has_circular_sections()) + work_numbers<double>(spec)) *
                sizeof(double);
  return arrays + contact.reals * sizeof(double) + contact.integers * sizeof(int) +
         contact::pair_memory(spec) + forces::actuation_memory(spec) + connection::memory(spec) +
         static_cast<std::size_t>(forces::FurtherGround::records(spec.ground)) *
             static_cast<std::size_t>(elements) * sizeof(double);
}

StepBounds step_bounds(const MemberSpec& spec) { return rodeo::cosserat::step_bounds(spec); }

std::optional<StartProblem> overlap(const MemberSpec& spec) {
  const auto overlap = overlap_at_start(spec);
  if (!overlap) return std::nullopt;
  std::ostringstream text;
  text.precision(3);
  const auto name = [&](const ElementPlace& place) {
    text << "element " << place.element << " of rod " << place.rod;
  };
  text << "penalty contact would throw rods apart that overlap at the start: ";
  name(overlap->first);
  text << " and ";
  name(overlap->second);
  text << " by " << overlap->depth << " m, which is more than " << 100.0 * most_start_overlap
       << " % of the radius of " << overlap->radius << " m (rods and elements are counted from 0)";
  return StartProblem{"contact.kind", text.str()};
}

std::optional<StartWarning> sunk_in_ground(const MemberSpec& spec) {
  const auto start = depth_at_start(spec);
  if (!start) return std::nullopt;
  std::ostringstream text;
  text.precision(3);
  text << "element " << start->place.element << " of rod " << start->place.rod << " by " << start->depth
       << " m, with a radius of " << start->radius << " m";
  return StartWarning{"rods stand in the ground as they start, which throws them out of it", text.str()};
}

}  // namespace rodeo::models::cosserat

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
