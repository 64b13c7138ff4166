#include "cost_trial.hpp"

#include <algorithm>
#include <ctime>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "rodeo/models/models.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

using Clock = std::chrono::steady_clock;

/// Members of more elements take longer than a trial may take: to be made, or, where rods may touch, for an
/// implicit step, which takes up to 100 microseconds an element then.
int most_elements(const MemberSpec& spec) {
  const bool may_touch = spec.contact.kind != ContactKind::none && spec.rod_count() > 1;
  return may_touch && !spec.steps_explicitly() ? 10'000 : 100'000;
}

/// Seconds of one core since it was made: no more than have passed, and less where others had the core.
/// Threads that have nothing to do may turn in circles, so that the processor's time alone would count them
/// too.
class Stopwatch {
 public:
  double passed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double taken() const {
    return std::min(passed(), static_cast<double>(std::clock() - processor_) / CLOCKS_PER_SEC);
  }

 private:
  Clock::time_point start_ = Clock::now();
  std::clock_t processor_ = std::clock();
};

/// Seconds that steps took, and seconds that they were predicted to take.
struct Timing {
  double measured = 0.0;
  double predicted = 0.0;
  std::int64_t steps = 0;
};

/// Predicted time of a step of the member, s.
double cost_of_step(const MemberSpec& spec) {
  return 1e-9 * predicted_cost(spec) / static_cast<double>(spec.time.steps);
}

/// The member's steps from its start on, in slices as long as its own, or shorter ones where these took too
/// long. A member that ends meanwhile, which may be long before its last step, counts as a whole; but the
/// first branch of a study ends where others go farther.
Timing time_steps(MemberJob job, double patience, bool is_first_branch) {
  MemberSpec& spec = job.spec;
  const double step_cost = cost_of_step(spec);
  constexpr double slices = 8.0;  // at least, if the prediction is right
  const double affordable = std::clamp(patience / (slices * step_cost), 1.0, 1e9);
  const std::int64_t whole_slice = spec.time.slice_steps;
  spec.time.slice_steps = std::min(whole_slice, static_cast<std::int64_t>(affordable));
  spec.frames = 0;
  spec.fields.clear();
  spec.frame_observables.clear();
  // Most branches end long before their last point.
  if (spec.branch.exists()) patience *= 4.0;
  const Stopwatch whole;
  const auto batch = make_batch({&job, 1});
  const Stopwatch first_look;
  bool running = batch->advance();  // takes no step
  const double sample = first_look.taken();
  // The first slice does not count: memory that is touched for the first time is slow.
  running = running && batch->advance();
  const auto steps = [&] { return static_cast<std::int64_t>(batch->outcomes()[0].steps); };
  const std::int64_t first = steps();
  std::int64_t sampled = 0;
  const Stopwatch watch;
  while (running && (sampled == 0 || watch.passed() < patience)) {
    running = batch->advance();
    ++sampled;
  }
  Timing timing;
  timing.steps = running ? steps() - first : steps();
  timing.measured = running ? watch.taken() : whole.taken();
  const bool counts_as_whole = !running && !is_first_branch;
  timing.predicted = step_cost * static_cast<double>(counts_as_whole ? spec.time.steps : timing.steps);
  // Shorter slices look at the member more often than it will be looked at. The first look at a large one is
  // far slower than later ones, as it finds nothing in the cache.
  const double spared = 1.0 - static_cast<double>(spec.time.slice_steps) / static_cast<double>(whole_slice);
  timing.measured -= std::min(0.5 * timing.measured, spared * sample * static_cast<double>(sampled));
  return timing;
}

}  // namespace

CostTrial run_cost_trial(Study& study, std::chrono::duration<double> patience) {
  CostTrial trial;
  if constexpr (!std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>)
    return trial;
  const std::vector<std::vector<double>> points = study.representatives();
  const double patience_of_each = patience.count() / static_cast<double>(points.size());
  double measured = 0.0;
  double predicted = 0.0;
  bool rods_may_meet = false;
  for (const std::vector<double>& point : points) {
    const MemberJob job = study.job(0, point);
    if (!model_of(job.spec).has_rods || job.spec.on_device) continue;
    if (rod_elements(job.spec) > most_elements(job.spec)) continue;
    if (cost_of_step(job.spec) > patience_of_each) continue;  // a slice has one step at least
    const bool is_first_branch = job.spec.branch.exists() && study.plan().expected_members();
    const Timing timing = time_steps(job, patience_of_each, is_first_branch);
    if (timing.steps == 0) continue;
    measured += timing.measured;
    predicted += timing.predicted;
    trial.steps += timing.steps;
    ++trial.members;
    const bool touches = job.spec.contact.kind != ContactKind::none;
    trial.contact = trial.contact || touches;
    rods_may_meet = rods_may_meet || (touches && job.spec.rod_count() > 1);
  }
  if (!(measured > 0.0)) return {};
  trial.slowness = measured / predicted;
  // Rods that are about to meet are faster than they will be.
  if (rods_may_meet) trial.slowness = std::max(trial.slowness, 1.0);
  return trial;
}

}  // namespace rodeo
