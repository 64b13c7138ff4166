#include "rodeo/der/der_member.hpp"

#include <algorithm>
#include <utility>

namespace rodeo::der {

DerMember::DerMember(const MemberSpec& spec, const MemberArrays& arrays, std::unique_ptr<Scheme> scheme)
    : scheme_(std::move(scheme)),
      rods_(spec, arrays, scheme_->shortest_solve() * spec.time.step),
      elements_(arrays.all.elements),
      step_(arrays.data.step),
      steps_(arrays.data.step, spec.newton.halvings),
      last_step_(spec.time.steps),
      asked_modes_(spec.modes) {}

std::int64_t DerMember::advance(const SliceTask& task) {
  // So that a member goes on bit by bit where another process takes it over.
  rods_.forget(static_cast<double>(task.first_step) * step_);
  const std::int64_t before = counts_.iterations;
  was_cut_ = false;
  std::int64_t taken = 0;
  while (taken < task.steps && !counts_.failed) {
    was_cut_ = taken > 0 && are_long(counts_.iterations - before, elements_);
    if (was_cut_) return taken;
    rods_.begin_motions(task.first_step + taken);
    const auto take = [&](double end, double step) { return converges(end, step); };
    counts_.failed = !steps_.advance(static_cast<double>(task.first_step + taken), take);
    if (!counts_.failed) ++taken;
  }
  if (taken > 0) stability_ = scheme_->stability(rods_);
  if (asked_modes_ > 0 && task.first_step + taken == last_step_) modes_ = scheme_->modes(rods_, asked_modes_);
  return taken;
}

Sample DerMember::sample() const {
  Sample sample = rods_.sample(counts_);
  sample.unstable_modes = stability_.unstable_modes;
  sample.least_stiffness = stability_.least_stiffness;
  if (modes_) sample.modes = &*modes_;
  return sample;
}

bool DerMember::converges(double end, double step) {
  const NewtonOutcome outcome = scheme_->advance(rods_, end, step);
  counts_.iterations += outcome.iterations;
  if (outcome.converged) ++counts_.steps;
  if (outcome.converged && rods_.links()) rods_.links()->break_overloaded();
  if (rods_.contacts()) {
    coupling::count_contacts(rods_.contacts()->state(), outcome.converged, outcome.iterations, counts_);
    if (outcome.converged) touches_ = rods_.contacts()->touches();
  }
  return outcome.converged;
}

}  // namespace rodeo::der
