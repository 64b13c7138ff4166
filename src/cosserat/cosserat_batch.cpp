#include "rodeo/cosserat/cosserat_batch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "rodeo/contact/build_contact.hpp"
#include "rodeo/cosserat/build_rod.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/profile/profile.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo::cosserat {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The step at which a frame stands: frames are spread evenly from the first to the last step.
std::int64_t frame_step(const MemberSpec& spec, int frame) {
  const double share = static_cast<double>(frame) / (spec.frames - 1);
  return std::llround(share * static_cast<double>(spec.time.steps));
}

/// A member has diverged when its energy is not finite, or when in one step a node moves by more than an
/// element or an element turns by more than what the step resolves.
bool has_diverged(const Sample& s) {
  return !std::isfinite(observe::sum_of_energies(s)) || s.largest_move > 1.0 ||
         s.largest_turn > small_rotation_limit;
}

/// From when on drifts are counted: the end of perturbation, ramp and prescribed motion, or t = 0 if one
/// never ends.
double baseline_time(const MemberSpec& spec) {
  double end = spec.load.perturbation > 0.0 ? spec.load.perturbation_duration : 0.0;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const MemberSpec rod = rod_alone(spec, k);
    const bool pushed = norm(rod.load.middle_force) > 0.0;
    end = std::max(
        {end, pushed ? rod.load.perturbation_duration : 0.0, rod.load.ramp_time, rod.boundary.motion_time});
  }
  return end < static_cast<double>(spec.time.steps) * spec.time.step ? end : 0.0;
}

/// The steps of the last muscle.period, to the nearest; 0 if there is none or time.end is less than a period.
std::int64_t period_steps(const MemberSpec& spec) {
  const double steps = std::round(spec.muscle.period / spec.time.step);
  return steps <= static_cast<double>(spec.time.steps) ? static_cast<std::int64_t>(steps) : 0;
}

Vec3 centre_of_mass(const Sample& s) { return (1.0 / s.mass) * s.first_moment; }

Vec3 mean_velocity(const MemberSpec& spec, const Vec3& period_start, const Vec3& period_end) {
  const std::int64_t steps = period_steps(spec);
  if (steps == 0) return {nan, nan, nan};
  return (1.0 / (static_cast<double>(steps) * spec.time.step)) * (period_end - period_start);
}

bool has_buckled(const MemberSpec& spec, const Sample& s) {
  const bool bent = spec.buckling_energy > 0.0 && s.bend_energy + s.twist_energy > spec.buckling_energy;
  const bool fast =
      spec.buckling_translational_energy > 0.0 && s.translational_energy > spec.buckling_translational_energy;
  return bent || fast;
}

double element_steps(const MemberSpec& spec, std::int64_t steps) {
  return static_cast<double>(rod_elements(spec)) * static_cast<double>(steps);
}

}  // namespace

CosseratBatch::CosseratBatch(std::span<const MemberJob> jobs) {
  std::size_t size = 0;
  std::size_t rods = 0;
  contact::ContactSize contacts;
  for (const MemberJob& job : jobs) {
    Progress progress;
    progress.spec = job.spec;
    progress.origin = rod_alone(job.spec, job.spec.rod_count() - 1).rod.origin;
    progress.offset = size;
    progress.contact = contacts;
    progress.elements = array_elements(job.spec);
    size += rod_size(progress.elements);
    rods += static_cast<std::size_t>(job.spec.rod_count());
    const contact::ContactSize added = contact::contact_size(job.spec);
    contacts.reals += added.reals;
    contacts.integers += added.integers;
    members_.push_back(progress);
  }
  const auto storage = Kokkos::view_alloc(Kokkos::WithoutInitializing, "rods");
  views_.storage = Kokkos::View<double*>(storage, size);
  const auto lists = Kokkos::view_alloc(Kokkos::WithoutInitializing, "contacts");
  views_.contact_reals = Kokkos::View<double*>(lists, contacts.reals);
  views_.contact_integers = Kokkos::View<int*>(lists, contacts.integers);
  views_.members = Kokkos::View<MemberData*>("members", jobs.size());
  views_.rods = Kokkos::View<RodData*>("rods of members", rods);
  views_.tasks = Kokkos::View<SliceTask*>("tasks", jobs.size());
  views_.samples = Kokkos::View<Sample*>("samples", jobs.size());
  tasks_ = Kokkos::create_mirror_view(views_.tasks);
  samples_ = Kokkos::create_mirror_view(views_.samples);

  const auto host_storage = Kokkos::create_mirror_view(views_.storage);
  const auto host_reals = Kokkos::create_mirror_view(views_.contact_reals);
  const auto host_integers = Kokkos::create_mirror_view(views_.contact_integers);
  const auto host_members = Kokkos::create_mirror_view(views_.members);
  const auto host_rods = Kokkos::create_mirror_view(views_.rods);
  int next_rod = 0;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const MemberSpec& spec = jobs[k].spec;
    const RodView arrays(host_storage.data() + members_[k].offset, members_[k].elements);
    build_rods(spec, arrays);
    host_members(k) = make_member_data(spec, jobs[k].seed, members_[k].offset);
    host_members(k).first_rod = next_rod;
    for (const RodData& rod : make_rod_data(spec, arrays)) host_rods(next_rod++) = rod;
    host_members(k).contact = members_[k].contact;
    if (host_members(k).forces.contact.enabled) {
      contact::ContactView view = host_members(k).forces.contact.view;
      view.reals = host_reals.data() + members_[k].contact.reals;
      view.integers = host_integers.data() + members_[k].contact.integers;
      contact::build_contact(spec, view);
    }

    MemberOutcome outcome;
    outcome.observables.assign(observables.size(), nan);
    outcome.time.assign(static_cast<std::size_t>(spec.frames), nan);
    outcome.position.assign(
        static_cast<std::size_t>(spec.frames) * static_cast<std::size_t>(frame_nodes(spec)) * 3, nan);
    outcomes_.push_back(std::move(outcome));
    running_.push_back(static_cast<int>(k));
  }
  Kokkos::deep_copy(views_.storage, host_storage);
  Kokkos::deep_copy(views_.contact_reals, host_reals);
  Kokkos::deep_copy(views_.contact_integers, host_integers);
  Kokkos::deep_copy(views_.members, host_members);
  Kokkos::deep_copy(views_.rods, host_rods);
}

std::int64_t CosseratBatch::slice_end(const Progress& member) const {
  const TimeSpec& time = member.spec.time;
  std::int64_t end = std::min(time.steps, (member.steps / time.slice_steps + 1) * time.slice_steps);
  if (member.next_frame < member.spec.frames) end = std::min(end, frame_step(member.spec, member.next_frame));
  const std::int64_t period_start = time.steps - period_steps(member.spec);
  return member.steps < period_start ? std::min(end, period_start) : end;
}

bool CosseratBatch::advance() {
  if (running_.empty()) return false;
  double total = 0.0;
  for (std::size_t k = 0; k < running_.size(); ++k) {
    const Progress& member = members_[static_cast<std::size_t>(running_[k])];
    // The first look takes no step: it samples t = 0.
    const std::int64_t steps = member.started ? slice_end(member) - member.steps : 0;
    tasks_(k) = {running_[k], member.steps, steps};
    total += element_steps(member.spec, steps);
  }
  const auto start = std::chrono::steady_clock::now();
  run_slice(static_cast<int>(running_.size()));
  const double wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  for (std::size_t k = 0; k < running_.size(); ++k) {
    Progress& member = members_[static_cast<std::size_t>(tasks_(k).member)];
    member.started = true;
    member.steps += tasks_(k).steps;
    const double share = total > 0.0 ? element_steps(member.spec, tasks_(k).steps) / total : 0.0;
    digest(tasks_(k).member, samples_(k), share * wall_seconds);
  }
  std::erase_if(running_, [this](int index) {
    return outcomes_[static_cast<std::size_t>(index)].status != MemberStatus::pending;
  });
  return !running_.empty();
}

void CosseratBatch::run_slice(int count) {
  Kokkos::deep_copy(views_.tasks, tasks_);
  advance_slice(views_, count);
  Kokkos::deep_copy(samples_, views_.samples);
}

void CosseratBatch::digest(int index, const Sample& sample, double wall_seconds) {
  Progress& member = members_[static_cast<std::size_t>(index)];
  MemberOutcome& outcome = outcomes_[static_cast<std::size_t>(index)];
  outcome.steps = static_cast<std::uint64_t>(member.steps);
  outcome.wall_seconds += wall_seconds;
  if (has_diverged(sample)) {
    outcome.status = MemberStatus::diverged;
    return;
  }
  if (sample.contact.overflowed) {
    outcome.status = MemberStatus::failed;
    return;
  }
  const MemberSpec& spec = member.spec;
  const double time = static_cast<double>(member.steps) * spec.time.step;
  if (!member.has_baseline && time >= baseline_time(spec)) {
    member.has_baseline = true;
    member.baseline = sample;
  }
  if (member.steps == spec.time.steps - period_steps(spec)) member.period_start = centre_of_mass(sample);
  member.length.add(time, norm(sample.end - member.origin));
  take_frames(index);
  if (sample.implicit.failed) {
    finish(index, sample.implicit.in_contact ? MemberStatus::tangled : MemberStatus::too_stiff, sample);
  } else if (has_buckled(spec, sample)) {
    finish(index, MemberStatus::stopped_early, sample);
  } else if (member.steps == spec.time.steps) {
    finish(index, MemberStatus::done, sample);
  }
}

Kokkos::View<double*, Kokkos::HostSpace> CosseratBatch::host_arrays(const Progress& member) const {
  const std::size_t size = rod_size(member.elements);
  return Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), Kokkos::subview(views_.storage, std::pair(member.offset, member.offset + size)));
}

void CosseratBatch::take_frames(int index) {
  Progress& member = members_[static_cast<std::size_t>(index)];
  MemberOutcome& outcome = outcomes_[static_cast<std::size_t>(index)];
  const auto nodes = static_cast<std::size_t>(frame_nodes(member.spec));
  const std::vector<RodPlace> places = rod_places(member.spec);
  while (member.next_frame < member.spec.frames &&
         frame_step(member.spec, member.next_frame) == member.steps) {
    const auto frame = static_cast<std::size_t>(member.next_frame++);
    outcome.time[frame] = static_cast<double>(member.steps) * member.spec.time.step;
    const auto arrays = host_arrays(member);
    const RodView rods(arrays.data(), member.elements);
    double* out = outcome.position.data() + frame * nodes * 3;
    for (const RodPlace& place : places) {
      const RodView rod = rods.part(place.first, place.elements);
      for (int i = 0; i < rod.nodes(); ++i) {
        const Vec3 r = rod.vec3(field::position, i);
        *out++ = r.x;
        *out++ = r.y;
        *out++ = r.z;
      }
    }
  }
}

void CosseratBatch::finish(int index, MemberStatus status, const Sample& sample) {
  const Progress& member = members_[static_cast<std::size_t>(index)];
  MemberOutcome& outcome = outcomes_[static_cast<std::size_t>(index)];
  outcome.status = status;
  const auto arrays = host_arrays(member);
  const RodPlace place = rod_places(member.spec).back();
  const MemberSpec last_rod = rod_alone(member.spec, member.spec.rod_count() - 1);
  Observation observation{last_rod, member.has_baseline ? member.baseline : sample, sample,
                          RodView(arrays.data(), member.elements).part(place.first, place.elements),
                          member.length};
  if (status == MemberStatus::done) {
    observation.mean_velocity = mean_velocity(member.spec, member.period_start, centre_of_mass(sample));
  }
  observation.buckled = status == MemberStatus::stopped_early;
  observation.buckling_time =
      observation.buckled ? static_cast<double>(member.steps) * member.spec.time.step : nan;
  observation.profile_error = profile_error(member.spec, observation.state,
                                            static_cast<double>(member.steps) * member.spec.time.step);
  for (std::size_t k = 0; k < observables.size(); ++k)
    outcome.observables[k] = observables[k].value(observation);
}

}  // namespace rodeo::cosserat
