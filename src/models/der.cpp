#include "rodeo/connection/build_connections.hpp"
#include "rodeo/der/backward_euler.hpp"
#include "rodeo/der/der_member.hpp"
#include "rodeo/der/generalized_alpha.hpp"
#include "rodeo/der/midpoint.hpp"
#include "rodeo/der/sdirk2.hpp"
#include "rodeo/der/static_member.hpp"
#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/member/rod_batch.hpp"
#include "rodeo/models/rows.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "shared_nodes.hpp"

namespace rodeo::models::der {

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RodBatch<HostStepperOf<rodeo::der::make_member<rodeo::der::BackwardEuler>>>>(jobs);
}

/// An element-step takes about one microsecond or, in contact, two and a half.
double predicted_cost(const MemberSpec& spec) {
  const double element_step = spec.contact.kind == ContactKind::none ? 1e3 : 2.5e3;
  return (element_step * static_cast<double>(rod_elements(spec)) + fluid::stokeslet_cost(spec)) *
         static_cast<double>(spec.time.steps);
}

std::size_t memory(const MemberSpec& spec) {
  return rod_size(array_elements(spec), spec.has_circular_sections()) * sizeof(double) +
         rodeo::der::implicit_memory(spec) + fluid::stokeslet_memory(spec) +
         2 * (forces::actuation_memory(spec) + connection::memory(spec));  // the arrays', and the steps' own
}

std::unique_ptr<Batch> make_sdirk2_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RodBatch<HostStepperOf<rodeo::der::make_member<rodeo::der::Sdirk2>>>>(jobs);
}

double sdirk2_cost(const MemberSpec& spec) { return 2.0 * predicted_cost(spec); }

std::unique_ptr<Batch> make_midpoint_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RodBatch<HostStepperOf<rodeo::der::make_member<rodeo::der::Midpoint>>>>(jobs);
}

std::unique_ptr<Batch> make_generalized_alpha_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RodBatch<HostStepperOf<rodeo::der::make_generalized_alpha_member>>>(jobs);
}

std::unique_ptr<Batch> make_static_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RodBatch<HostStepperOf<rodeo::der::make_static_member>>>(jobs);
}

/// An equilibrium takes as long as some ten steps or, in contact, a hundred, and a mode about three
/// microseconds an element.
double static_cost(const MemberSpec& spec) {
  return (spec.contact.kind == ContactKind::none ? 10.0 : 100.0) * predicted_cost(spec) +
         3e3 * spec.modes * static_cast<double>(rod_elements(spec));
}

/// Memory of a member with the symmetric factors of the band, bytes.
std::size_t static_memory(const MemberSpec& spec) { return memory(spec) + rodeo::der::static_memory(spec); }

/// The frame of an element gives the direction of its edge, so that its nodes are not free of each other.
std::optional<StartProblem> what_cannot_move(const MemberSpec& spec) {
  const bool holds_shared = std::ranges::any_of(spec.motions, [&](const MotionSpec& motion) {
    return motion.kind == MotionKind::element &&
           (is_shared(spec, motion.rod, motion.index) || is_shared(spec, motion.rod, motion.index + 1));
  });
  if (holds_shared) {
    return StartProblem{"motion.rotation",
                        "model.kind = der cannot hold an element with a node that is one with another, at a "
                        "joint or the ends of a closed rod: one farther away, or model.kind = cosserat"};
  }
  return implicit::what_cannot_move(spec);
}

std::optional<StartProblem> what_cannot_rest(const MemberSpec& spec) {
  const std::optional<StartProblem> problem = what_cannot_move(spec);
  return problem ? problem : statics::what_cannot_rest(spec);
}

}  // namespace rodeo::models::der
