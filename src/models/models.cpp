#include "rodeo/models/models.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <utility>
#include <vector>

#include "rodeo/member/function_batch.hpp"
#include "rodeo/member/noop_batch.hpp"
#include "rodeo/member/steady.hpp"
#include "rodeo/observe/trajectory_fields.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "rest_first.hpp"
#include "start_doubts.hpp"

namespace rodeo {

namespace {

/// Steps that a deck had for motion, and that are equilibria now, each like the one before.
std::optional<StartWarning> equilibria_again(const MemberSpec& spec) {
  constexpr std::int64_t many = 100;
  if (!spec.rests() || spec.branch.exists() || spec.time.steps <= many) return std::nullopt;
  const std::optional<double> steady = steady_from(spec);
  if (!steady) return std::nullopt;
  const double again = static_cast<double>(spec.time.steps) - *steady / spec.time.step - 1.0;
  if (!(again > static_cast<double>(many))) return std::nullopt;
  std::ostringstream details;
  details << "loads change no more for " << std::ceil(again) << " of " << spec.time.steps
          << " steps; without time.step there is one";
  return StartWarning{"time.method = static finds an equilibrium in each step of time.step", details.str()};
}

}  // namespace

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  const bool rests =
      std::ranges::any_of(jobs, [](const MemberJob& job) { return job.spec.time.from_equilibrium; });
  return rests ? models::make_rest_first_batch(jobs) : model_of(jobs.front().spec).make_batch(jobs);
}

std::vector<MemberJob> begun_at_rest(std::span<const MemberJob> jobs, std::vector<MemberStatus>& found) {
  return models::begun_at_rest(jobs, found);
}

std::string schemes_of(ModelKind kind, TimeMethod method) {
  std::string text;
  for (const Model& model : model_table) {
    if (model.kind == kind && model.method == method && model.scheme)
      text.append(text.empty() ? "" : ", ").append(word_of(*model.scheme));
  }
  return text;
}

double predicted_cost(const MemberSpec& spec) { return model_of(spec).predicted_cost(spec); }

StepBounds step_bounds(const MemberSpec& spec) {
  const auto bounds = model_of(spec).step_bounds;
  return bounds != nullptr ? bounds(spec) : StepBounds{};
}

std::optional<StartProblem> refusal_at_start(const MemberSpec& spec) {
  const Model& model = model_of(spec);
  if (!model.has_rods) return std::nullopt;
  if (const auto turn = models::natural_turn_beyond_elements(spec)) return turn;
  if (const auto twist = models::twist_beyond_elements(spec)) return twist;
  if (spec.time.from_equilibrium) {
    if (auto problem = models::what_cannot_rest_first(spec)) return problem;
  }
  return model.refusal != nullptr ? model.refusal(spec) : std::nullopt;
}

std::optional<StartProblem> failure_at_start(const MemberSpec& spec) {
  const auto failure = model_of(spec).failure;
  return failure != nullptr ? failure(spec) : std::nullopt;
}

std::vector<StartWarning> warnings_at_start(const MemberSpec& spec) {
  std::vector<StartWarning> found = models::start_doubts(spec);
  const auto warning = model_of(spec).warning;
  if (auto of_model = warning != nullptr ? warning(spec) : std::nullopt)
    found.push_back(*std::move(of_model));
  if (auto again = equilibria_again(spec)) found.push_back(*std::move(again));
  return found;
}

double member_memory(const MemberSpec& spec) {
  const Model& model = model_of(spec);
  if (!model.has_rods) return 0.0;
  double numbers_per_node = 0.0;
  for (const std::size_t field : spec.fields) numbers_per_node += trajectory_fields[field].components;
  const double frames =
      static_cast<double>(spec.frames) * sizeof(double) *
      (numbers_per_node * frame_nodes(spec) + static_cast<double>(spec.frame_observables.size()));
  return static_cast<double>(model.memory(spec)) + frames;
}

double machine_memory() {
  // Asked of the system once, for every member that starts wants to know.
  static const double least = [] {
    const double machine =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    // A container may have less; "max", which is no number, means that it has all.
    std::ifstream limit("/sys/fs/cgroup/memory.max");
    double bytes = 0.0;
    return limit >> bytes ? std::min(bytes, machine) : machine;
  }();
  return least;
}

}  // namespace rodeo

namespace rodeo::models {

namespace {

/// A member takes its wait and a microsecond.
double cost_of_wait(double seconds) { return 1e9 * seconds + 1e3; }

}  // namespace

namespace noop {

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<NoopBatch>(jobs);
}

double predicted_cost(const MemberSpec& spec) { return cost_of_wait(spec.noop_seconds); }

}  // namespace noop

namespace function {

std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<FunctionBatch>(jobs);
}

double predicted_cost(const MemberSpec& spec) {
  return cost_of_wait(spec.function.seconds * 0.5 * (1.0 + spec.function.slowest));
}

}  // namespace function

}  // namespace rodeo::models
