#include "rodeo/der/der_member.hpp"

#include <algorithm>
#include <utility>

#include "rodeo/member/held_motions.hpp"

namespace rodeo::der {

DerMember::DerMember(const MemberSpec& spec, const MemberArrays& arrays, std::unique_ptr<Scheme> scheme)
    : scheme_(std::move(scheme)),
      rods_(spec, arrays, scheme_->shortest_solve() * spec.time.step),
      elements_(arrays.all.elements),
      step_(arrays.data.step),
      steps_(arrays.data.step, spec.newton.halvings),
      last_step_(spec.time.steps),
      asked_modes_(spec.modes) {
  if (spec.method != TimeMethod::equilibrium) ledger_.emplace(spec);
}

std::int64_t DerMember::advance(const SliceTask& task) {
  // So that a member goes on bit by bit where another process takes it over.
  rods_.forget(static_cast<double>(task.first_step) * step_);
  const std::int64_t before = counts_.iterations;
  was_cut_ = false;
  std::int64_t taken = 0;
  if (task.first_step == 0 && !rods_.contacts()) note_energy(0.0);
  while (taken < task.steps && !counts_.failed) {
    was_cut_ = taken > 0 && are_long(counts_.iterations - before, elements_);
    if (was_cut_) return taken;
    rods_.begin_motions(task.first_step + taken);
    const auto take = [&](double end, double step) {
      if (!turns_little(task.first_step + taken, end, step)) return StepEnd(false);
      std::optional<Sample> first;  // of the energy, to which comes what contact holds with its stiffness
      if (ledger_ && rods_.contacts() && ledger_->begins(end - step, counts_.energy)) first = sample();
      StepEnd step_end(converges(end, step));
      if (step_end.converged && first)
        ledger_->begin(*first, rods_.contacts()->energy_at_start(), counts_.energy);
      if (step_end.converged) note_energy(end);
      step_end.is_last = counts_.gained_energy = ledger_ && ledger_->is_gain(counts_.energy);
      return step_end;
    };
    counts_.failed = !steps_.advance(static_cast<double>(task.first_step + taken), take);
    if (!counts_.failed) ++taken;
  }
  if (taken > 0) stability_ = scheme_->stability(rods_);
  if (taken == 0 || task.first_step + taken != last_step_) return taken;
  if (asked_modes_ > 0) modes_ = scheme_->modes(rods_, asked_modes_);
  if (modes_ && !modes_->has_digits) counts_.failed = true;
  return taken;
}

void DerMember::note_energy(double time) {
  if (ledger_ && ledger_->counts(time)) ledger_->add(rods_.sample(counts_), 0.0, counts_.energy);
}

Sample DerMember::sample() const {
  Sample sample = rods_.sample(counts_);
  sample.unstable_modes = stability_.unstable_modes;
  sample.least_stiffness = stability_.least_stiffness;
  sample.friction_loss = friction_loss_;
  if (modes_) sample.modes = &*modes_;
  return sample;
}

/// Equilibria of rods that do not touch are found from turns that are spread over the rods.
bool DerMember::turns_little(std::int64_t steps, double end, double step) const {
  if (rods_.at_rest() && !rods_.contacts()) return true;
  return driven_turn(rods_.member(), steps, end - step, end) <= most_driven_turn;
}

bool DerMember::converges(double end, double step) {
  const NewtonOutcome outcome = scheme_->advance(rods_, end, step);
  counts_.iterations += outcome.iterations;
  if (outcome.converged) ++counts_.steps;
  if (outcome.converged && rods_.links()) rods_.links()->break_overloaded();
  if (rods_.contacts()) {
    coupling::count_contacts(rods_.contacts()->state(), outcome.converged, outcome.iterations, counts_);
    if (outcome.converged) {
      touches_ = rods_.contacts()->touches();
      friction_loss_ += rods_.contacts()->friction_loss();
    }
  }
  if (rods_.ground()) counts_.passed_through = counts_.passed_through || rods_.ground()->has_passed();
  return outcome.converged;
}

}  // namespace rodeo::der
