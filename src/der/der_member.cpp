#include "rodeo/der/der_member.hpp"

#include <algorithm>
#include <utility>

namespace rodeo::der {

namespace {

/// Steps that have to converge before a halved step is doubled again.
constexpr int steps_before_growth = 4;

}  // namespace

DerMember::DerMember(const MemberSpec& spec, const MemberArrays& arrays, std::unique_ptr<Scheme> scheme)
    : scheme_(std::move(scheme)),
      rods_(spec, arrays, scheme_->shortest_solve() * spec.time.step),
      step_(arrays.data.step),
      most_halvings_(spec.newton.halvings) {}

std::int64_t DerMember::advance(const SliceTask& task) {
  // So that a member goes on bit by bit where another process takes it over.
  rods_.forget(static_cast<double>(task.first_step) * step_);
  for (std::int64_t k = 0; k < task.steps; ++k) {
    rods_.begin_motions(task.first_step + k);
    if (advance_step(static_cast<double>(task.first_step + k))) continue;
    control_.counts.failed = true;
    return k;
  }
  return task.steps;
}

/// The deck's step from `index` to index + 1, in units of its length.
bool DerMember::advance_step(double index) {
  const std::int64_t parts = std::int64_t{1} << most_halvings_;  // the smallest that the step may fall into
  const double part_step = step_ / static_cast<double>(parts);
  for (std::int64_t done = 0; done < parts;) {
    const std::int64_t length = parts >> control_.halvings;
    const double end = index * step_ + static_cast<double>(done + length) * part_step;
    if (converges(end, static_cast<double>(length) * part_step)) {
      done += length;
      ++control_.since_change;
      const bool fits = done % (2 * length) == 0;
      if (control_.halvings > 0 && control_.since_change >= steps_before_growth && fits) change_halvings(-1);
    } else if (control_.halvings < most_halvings_) {
      change_halvings(1);
    } else {
      return false;
    }
  }
  return true;
}

bool DerMember::converges(double end, double step) {
  const NewtonOutcome outcome = scheme_->advance(rods_, end, step);
  control_.counts.iterations += outcome.iterations;
  if (outcome.converged) ++control_.counts.steps;
  if (outcome.converged && rods_.links()) rods_.links()->break_overloaded();
  if (rods_.contacts()) count_contacts(outcome);
  return outcome.converged;
}

void DerMember::count_contacts(const NewtonOutcome& outcome) {
  const ContactState contacts = rods_.contacts()->state();
  ImplicitSample& counts = control_.counts;
  counts.in_contact = contacts.pairs > 0 || outcome.iterations == 0;  // or driven ends are in the way
  if (!outcome.converged) return;
  counts.contact_pairs = contacts.pairs;
  counts.smallest_gap = std::min(counts.smallest_gap, contacts.smallest_gap);
  counts.deepest_overlap = std::max(counts.deepest_overlap, contacts.deepest);
  if (contacts.pairs == 0) return;
  ++counts.contact_steps;
  counts.contact_iterations += outcome.iterations;
}

void DerMember::change_halvings(int by) {
  control_.halvings += by;
  control_.since_change = 0;
}

}  // namespace rodeo::der
