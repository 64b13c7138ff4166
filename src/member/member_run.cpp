#include "rodeo/member/member_run.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/math/rotation.hpp"
#include "rodeo/observe/energies.hpp"
#include "rodeo/observe/equilibrium.hpp"
#include "rodeo/observe/observable_list.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/profile/profile.hpp"
#include "rodeo/spec/member_spec.hpp"

#include "controller.hpp"
#include "observers.hpp"

namespace rodeo {

namespace {

/// Steps times elements after which a member comes back in any case, for the clock to be looked at: about a
/// second of explicit steps. Those of implicit ones are cut by the work that they turn out to be
/// (HostMember::most_iterations()).
constexpr std::int64_t most_element_steps = 20'000'000;

/// A member has diverged when its energy is not finite, or when in one step a node moves by more than an
/// element or an element turns by more than what the step resolves.
bool has_diverged(const Sample& s) {
  return !std::isfinite(observe::sum_of_energies(s)) || s.largest_move > 1.0 ||
         s.largest_turn > small_rotation_limit;
}

/// Status that a sample alone gives a member; pending if it is healthy.
MemberStatus health(const Sample& sample) {
  if (has_diverged(sample) && !sample.implicit.crushed) return MemberStatus::diverged;
  if (sample.contact.passed_through) return MemberStatus::passed_through;
  return sample.contact.overflowed ? MemberStatus::failed : MemberStatus::pending;
}

/// Status of a member whose last step could not be taken.
MemberStatus failure(const MemberSpec& spec, const Sample& sample) {
  if (sample.implicit.crushed) return MemberStatus::crushed;
  if (sample.implicit.gained_energy) return MemberStatus::gained_energy;
  // The steps of moving rods end early only where two of their elements come to half a turn.
  if (sample.ended && !spec.rests()) return MemberStatus::diverged;
  if (spec.rests()) return MemberStatus::no_equilibrium;
  return sample.implicit.in_contact ? MemberStatus::tangled : MemberStatus::too_stiff;
}

/// Status of a member that has taken its last step.
MemberStatus end_of(const MemberSpec& spec, const Sample& sample) {
  if (spec.branch.exists()) return sample.ended ? MemberStatus::done : MemberStatus::out_of_points;
  return sample.unstable_modes > 0.0 ? MemberStatus::unstable : MemberStatus::done;
}

}  // namespace

Observation Look::observe() const {
  const std::vector<ConstRodView>& each = rods.each();
  Observation observation{last_rod, sample, sample, each.back(), {each.begin(), each.end() - 1}};
  observation.profile_error = profile_error(spec, each.back(), time());
  observation.modes = mode_values(spec, sample.modes);
  observers.finish(*this, observation);
  return observation;
}

MemberRun::MemberRun(const MemberJob& job, MemberOutcome& outcome)
    : spec_(job.spec),
      last_rod_(rod_alone(job.spec, job.spec.rod_count() - 1)),
      branch_value_(job.spec.branch.from),
      places_(rod_places(job.spec)),
      elements_(std::max(1, rod_elements(job.spec))),
      outcome_(&outcome),
      controller_(job.spec.control.exists() ? std::make_unique<Controller>(job) : nullptr),
      observers_(std::make_unique<Observers>(job, outcome)) {
  outcome.observables = unknown_observables(mode_values(job.spec, nullptr).size() + job.spec.measures.size());
}

MemberRun::MemberRun(MemberRun&&) noexcept = default;
MemberRun::~MemberRun() = default;

std::int64_t MemberRun::next_look() const {
  const TimeSpec& time = spec_.time;
  const std::int64_t end = std::min(time.steps, (steps_ / time.slice_steps + 1) * time.slice_steps);
  return observers_->next_look(steps_, end);
}

MemberRun::Slice MemberRun::next_slice(std::int64_t limit) const {
  using End = Slice::End;
  if (!started_) return {};
  const bool samples = controller_ && steps_ < steps_in_time(spec_);
  const std::int64_t sample = samples ? controller_->next_sample(steps_) : no_limit;
  std::int64_t look = next_look();
  if (controller_ && controller_->looks()) look = std::min(look, sample);
  const std::int64_t end = std::min(observers_->next_glance(steps_, look), sample);
  const std::int64_t cut = steps_ + std::max<std::int64_t>(1, most_element_steps / elements_);
  if (cut < std::min(end, limit)) return {cut - steps_, End::cut, false};
  if (limit < end) return {limit - steps_, End::cut, true};
  // Along a branch, a sample tells the value of branch.key at which the rods stand.
  const bool looks = end == look || spec_.branch.exists();
  return {end - steps_, looks ? End::look : End::glance, looks || end == limit};
}

/// Gives the member the spec at a value of its branch.key; its time and branch stay as they are.
void MemberRun::become(double branch_value) {
  if (std::isnan(branch_value) || branch_value == branch_value_) return;
  std::optional<MemberSpec> spec = spec_.branch.family->at(branch_value);
  if (!spec) return;
  branch_value_ = branch_value;
  spec->time = spec_.time;
  spec->branch = spec_.branch;
  spec_ = *std::move(spec);
  last_rod_ = rod_alone(spec_, spec_.rod_count() - 1);
  observers_->become(spec_);
}

bool MemberRun::at_end_of_slice() const {
  return steps_ % spec_.time.slice_steps == 0 || outcome_->status != MemberStatus::pending;
}

double MemberRun::element_steps(std::int64_t steps) const {
  return static_cast<double>(elements_) * static_cast<double>(steps);
}

void MemberRun::look(std::int64_t taken, const Sample& sample, double wall_seconds, HostRods& arrays) {
  started_ = true;
  steps_ += taken;
  outcome_->steps = static_cast<std::uint64_t>(steps_);
  outcome_->wall_seconds += wall_seconds;
  const MemberStatus found = health(sample);
  outcome_->status = found;
  if (found != MemberStatus::pending && found != MemberStatus::passed_through) return;
  if (spec_.branch.exists()) become(sample.branch.value);
  RodsAtLook rods(places_, arrays);
  Look look{glance_at(rods), last_rod_, *observers_, sample, MemberStatus::pending};
  if (controller_) controller_->see(look, &look);
  look.status = observers_->slice(look);
  if (found != MemberStatus::pending) {
    look.status = found;
  } else if (sample.implicit.failed) {
    look.status = failure(spec_, sample);
  } else if (look.status == MemberStatus::pending && (steps_ == spec_.time.steps || sample.ended)) {
    look.status = end_of(spec_, sample);
  }
  if (look.status == MemberStatus::pending) return;
  outcome_->status = look.status;
  outcome_->observables = values_of(look.observe());
  if (sample.modes != nullptr && spec_.frames > 0) {
    outcome_->mode_shapes = framed_shapes(spec_, sample.modes->shapes);
  }
}

bool MemberRun::is_well(const Sample& sample) {
  return health(sample) == MemberStatus::pending && !sample.implicit.failed && !sample.ended;
}

void MemberRun::pass(std::int64_t taken, double wall_seconds) {
  steps_ += taken;
  outcome_->steps = static_cast<std::uint64_t>(steps_);
  outcome_->wall_seconds += wall_seconds;
}

void MemberRun::see_within(std::int64_t steps, const std::function<Sample()>& sample, HostRods& arrays) {
  const Need need = observers_->needs_within(steps);
  if (need == Need::nothing) return;
  RodsAtLook rods(places_, arrays);
  Glance glance = glance_at(rods);
  glance.steps = steps;
  if (need == Need::glance) {
    observers_->within(glance, nullptr);
    return;
  }
  const Sample now = sample();  // which sets the internal forces too
  const Look look{glance, last_rod_, *observers_, now, MemberStatus::pending};
  observers_->within(look, &look);
}

void MemberRun::glance(std::int64_t taken, double wall_seconds, HostRods& arrays) {
  pass(taken, wall_seconds);
  RodsAtLook rods(places_, arrays);
  const Glance glance = glance_at(rods);
  if (controller_) controller_->see(glance, nullptr);
  observers_->glance(glance);
}

Glance MemberRun::glance_at(RodsAtLook& rods) const {
  if (!controller_) return {spec_, places_, steps_, rods};
  return {spec_, places_, steps_, rods, controller_->numbers(), controller_->live()};
}

bool MemberRun::has_to_act() const {
  return controller_ && steps_ < steps_in_time(spec_) && controller_->has_to_act();
}

MemberRun::DriveChange MemberRun::act() {
  const Controller::Change change = controller_->act();
  if (change.jumps || (change.bends && !spec_.motions.empty())) return DriveChange::begins_anew;
  return change.bends ? DriveChange::goes_on : DriveChange::none;
}

std::span<const double> MemberRun::live() const {
  return controller_ ? controller_->live() : std::span<const double>();
}

std::span<double> MemberRun::inputs() { return controller_ ? controller_->inputs() : std::span<double>(); }

std::span<const double> MemberRun::numbers() const {
  return controller_ ? controller_->numbers() : std::span<const double>();
}

bool MemberRun::measures_work() const { return controller_->measures_work(); }

void MemberRun::begin_interval(double jump, HostRods& arrays) {
  RodsAtLook rods(places_, arrays);
  const Glance glance = glance_at(rods);
  controller_->begin_interval(glance, jump);
  observers_->go_on_after_jump(glance, jump);
}

void MemberRun::go_on() {
  outcome_->status = MemberStatus::pending;
  std::ranges::fill(outcome_->observables, std::nan(""));
}

void MemberRun::visit_state(StateArchive& archive) {
  archive.visit(steps_);
  archive.visit(started_);
  archive.visit(outcome_->steps);
  archive.visit(outcome_->wall_seconds);
  if (controller_) controller_->visit(archive);
  observers_->visit(archive);
}

}  // namespace rodeo
