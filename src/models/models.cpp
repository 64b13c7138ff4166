#include "rodeo/models/models.hpp"

#include "rodeo/cosserat/verlet.hpp"
#include "rodeo/der/implicit_stepper.hpp"
#include "rodeo/member/function_batch.hpp"
#include "rodeo/member/noop_batch.hpp"
#include "rodeo/member/rod_batch.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  switch (jobs.front().spec.model) {
    case ModelKind::noop:
      return std::make_unique<NoopBatch>(jobs);
    case ModelKind::function:
      return std::make_unique<FunctionBatch>(jobs);
    case ModelKind::der:
      return std::make_unique<RodBatch<der::ImplicitStepper>>(jobs);
    case ModelKind::cosserat:
      break;
  }
  if (jobs.front().spec.single_precision) return std::make_unique<RodBatch<cosserat::Verlet<float>>>(jobs);
  return std::make_unique<RodBatch<cosserat::Verlet<double>>>(jobs);
}

double predicted_cost(const MemberSpec& spec) {
  // An element-step of a Cosserat rod takes about ten nanoseconds, in single precision six, several times
  // that where it coils up and touches itself, which is in double precision always, and one of an implicit
  // rod one or, in contact, two and a half microseconds, to which Stokeslets add for every pair of nodes; a
  // no-op member takes its wait and a microsecond.
  if (spec.model == ModelKind::noop) return 1e9 * spec.noop_seconds + 1e3;
  if (spec.model == ModelKind::function) {
    const double mean_wait = spec.function.seconds * 0.5 * (1.0 + spec.function.slowest);
    return 1e9 * mean_wait + 1e3;
  }
  const double free_step = spec.single_precision ? 6.0 : 10.0;
  const double explicit_step = spec.contact.kind == ContactKind::none ? free_step : 40.0;
  const double implicit_step = spec.contact.kind == ContactKind::none ? 1e3 : 2.5e3;
  const double element_step = spec.model == ModelKind::der ? implicit_step : explicit_step;
  const auto nodes = static_cast<double>(rod_elements(spec) + spec.rod_count());
  const double fluid = spec.fluid.acts_by(FluidKind::stokeslets) ? 11.0 * nodes * nodes : 0.0;
  return (element_step * static_cast<double>(rod_elements(spec)) + fluid) *
         static_cast<double>(spec.time.steps);
}

}  // namespace rodeo
