#include "rodeo/member/member_run.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/math/rotation.hpp"
#include "rodeo/observe/energies.hpp"
#include "rodeo/observe/observable_list.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/profile/profile.hpp"

#include "observers.hpp"

namespace rodeo {

namespace {

/// A member has diverged when its energy is not finite, or when in one step a node moves by more than an
/// element or an element turns by more than what the step resolves.
bool has_diverged(const Sample& s) {
  return !std::isfinite(observe::sum_of_energies(s)) || s.largest_move > 1.0 ||
         s.largest_turn > small_rotation_limit;
}

/// What a sample alone says of a member; pending if it is well.
MemberStatus health(const Sample& sample) {
  if (has_diverged(sample)) return MemberStatus::diverged;
  return sample.contact.overflowed ? MemberStatus::failed : MemberStatus::pending;
}

}  // namespace

Observation Look::observe() const {
  const std::vector<ConstRodView>& each = rods.each();
  Observation observation{last_rod, sample, sample, each.back(), {each.begin(), each.end() - 1}};
  observers.finish(*this, observation);
  observation.profile_error = profile_error(spec, each.back(), time());
  return observation;
}

MemberRun::MemberRun(const MemberJob& job, MemberOutcome& outcome)
    : spec_(job.spec),
      last_rod_(rod_alone(job.spec, job.spec.rod_count() - 1)),
      places_(rod_places(job.spec)),
      outcome_(&outcome),
      observers_(std::make_unique<Observers>(job, outcome)) {
  outcome.observables = unknown_observables();
}

MemberRun::MemberRun(MemberRun&&) noexcept = default;
MemberRun::~MemberRun() = default;

std::int64_t MemberRun::next_steps() const {
  if (!started_) return 0;
  const TimeSpec& time = spec_.time;
  const std::int64_t end = std::min(time.steps, (steps_ / time.slice_steps + 1) * time.slice_steps);
  return observers_->next_look(steps_, end) - steps_;
}

double MemberRun::element_steps(std::int64_t steps) const {
  return static_cast<double>(rod_elements(spec_)) * static_cast<double>(steps);
}

void MemberRun::look(std::int64_t taken, const Sample& sample, double wall_seconds, HostRods& arrays) {
  started_ = true;
  steps_ += taken;
  outcome_->steps = static_cast<std::uint64_t>(steps_);
  outcome_->wall_seconds += wall_seconds;
  outcome_->status = health(sample);
  if (outcome_->status != MemberStatus::pending) return;
  RodsAtLook rods(places_, arrays);
  Look look{spec_, last_rod_, places_, *observers_, sample, steps_, MemberStatus::pending, rods};
  look.status = observers_->slice(look);
  if (sample.implicit.failed) {
    look.status = sample.implicit.in_contact ? MemberStatus::tangled : MemberStatus::too_stiff;
  } else if (look.status == MemberStatus::pending && steps_ == spec_.time.steps) {
    look.status = MemberStatus::done;
  }
  if (look.status == MemberStatus::pending) return;
  outcome_->status = look.status;
  outcome_->observables = values_of(look.observe());
}

void MemberRun::visit_state(StateArchive& archive) {
  archive.visit(steps_);
  archive.visit(started_);
  archive.visit(outcome_->steps);
  archive.visit(outcome_->wall_seconds);
  observers_->visit(archive);
}

}  // namespace rodeo
