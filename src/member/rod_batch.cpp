#include "rodeo/member/rod_batch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "rodeo/contact/build_contact.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/team.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/observe/trajectory_fields.hpp"
#include "rodeo/profile/profile.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "rod_precision.hpp"

namespace rodeo {

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

/// More than what rounding of the strains makes of a rod at rest, J.
double rounding_energy(const MemberSpec& spec) {
  const double strain = spec.single_precision ? 1e-6 : 1e-10;
  double energy = 0.0;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    energy += rod.stretch_stiffness * rod.length * strain * strain;
  }
  return energy;
}

/// When perturbation, ramp and prescribed motion have ended, s.
double steady_time(const MemberSpec& spec) {
  double end = spec.load.perturbation > 0.0 ? spec.load.perturbation_duration : 0.0;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const MemberSpec rod = rod_alone(spec, k);
    const bool pushed = norm(rod.load.middle_force) > 0.0;
    end = std::max(
        {end, pushed ? rod.load.perturbation_duration : 0.0, rod.load.ramp_time, rod.boundary.motion_time});
  }
  return end;
}

bool becomes_steady(const MemberSpec& spec) {
  return steady_time(spec) < static_cast<double>(spec.time.steps) * spec.time.step;
}

/// From when on drifts are counted: t = 0 if loads and boundaries never become steady.
double baseline_time(const MemberSpec& spec) { return becomes_steady(spec) ? steady_time(spec) : 0.0; }

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

/// An empty envelope for each body of a member: a rod, or rods that are joined. Forward is where its last
/// rod, the head, points.
std::vector<observe::Envelope> make_envelopes(const MemberSpec& spec) {
  std::vector<observe::Envelope> envelopes;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const MemberSpec rod = rod_alone(spec, k);
    if (rod.joint == JointKind::none) envelopes.emplace_back();
    envelopes.back().across = observe::lateral_direction(rod);
  }
  return envelopes;
}

double gait_width(const std::vector<observe::Envelope>& envelopes) {
  double widest = nan;
  for (const observe::Envelope& envelope : envelopes) widest = std::fmax(widest, envelope.width());
  return widest;
}

/// Visits entries [first, first + count) of a view, in whichever memory it is.
template <class View>
void visit_part(StateArchive& archive, const View& view, std::size_t first, std::size_t count) {
  const auto part = Kokkos::subview(view, std::pair(first, first + count));
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), part);
  archive.visit(std::span(host.data(), count));
  if (archive.restores()) Kokkos::deep_copy(part, host);
}

double element_steps(const MemberSpec& spec, std::int64_t steps) {
  return static_cast<double>(rod_elements(spec)) * static_cast<double>(steps);
}

}  // namespace

template <class Real>
BasicRodBatch<Real>::BasicRodBatch(std::span<const MemberJob> jobs) {
  std::size_t size = 0;
  std::size_t largest = 0;
  std::size_t rods = 0;
  contact::ContactSize contacts;
  for (const MemberJob& job : jobs) {
    Member member;
    member.spec = job.spec;
    member.early_stopping = job.early_stopping;
    member.envelopes = make_envelopes(job.spec);
    member.last_rod = rod_places(job.spec).back().first;
    member.offset = size;
    member.contact = contacts;
    member.contact_size = contact::contact_size(job.spec);
    member.elements = array_elements(job.spec);
    size += rod_size<Real>(member.elements);
    largest = std::max(largest, rod_size<Real>(member.elements));
    rods += static_cast<std::size_t>(job.spec.rod_count());
    contacts.reals += member.contact_size.reals;
    contacts.integers += member.contact_size.integers;
    members_.push_back(std::move(member));
  }
  const auto storage = Kokkos::view_alloc(Kokkos::WithoutInitializing, "rods");
  views_.storage = Kokkos::View<Real*>(storage, size);
  const auto lists = Kokkos::view_alloc(Kokkos::WithoutInitializing, "contacts");
  views_.contact_reals = Kokkos::View<double*>(lists, contacts.reals);
  views_.contact_integers = Kokkos::View<int*>(lists, contacts.integers);
  views_.members = Kokkos::View<MemberData*>("members", jobs.size());
  views_.rods = Kokkos::View<RodData*>("rods of members", rods);
  views_.tasks = Kokkos::View<SliceTask*>("tasks", jobs.size());
  views_.samples = Kokkos::View<Sample*>("samples", jobs.size());
  views_.scratch = scratch_for(largest * sizeof(Real));
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
    const int elements = members_[k].elements;
    std::vector<double> built(rod_size(elements));
    const RodView arrays(built.data(), elements, spec.sections_shrink);
    build_rods(spec, arrays);
    round_rods(arrays,
               BasicRodView<Real>(host_storage.data() + members_[k].offset, elements, spec.sections_shrink));
    host_members(k) = make_member_data(spec, jobs[k].seed, members_[k].offset);
    host_members(k).first_rod = next_rod;
    for (const RodData& rod : make_rod_data(spec, arrays)) host_rods(next_rod++) = rod;
    host_members(k).contact = members_[k].contact;
    if (host_members(k).forces.contact().enabled) {
      contact::ContactView view = host_members(k).forces.contact().view;
      view.reals = host_reals.data() + members_[k].contact.reals;
      view.integers = host_integers.data() + members_[k].contact.integers;
      contact::build_contact(spec, view);
    }

    MemberOutcome outcome;
    outcome.observables.assign(observables.size(), nan);
    outcome.time.assign(static_cast<std::size_t>(spec.frames), nan);
    const std::size_t entries =
        static_cast<std::size_t>(spec.frames) * static_cast<std::size_t>(frame_nodes(spec));
    for (const std::size_t field : spec.fields) {
      outcome.fields.emplace_back(entries * static_cast<std::size_t>(trajectory_fields[field].components),
                                  nan);
    }
    outcome.fields.resize(spec.fields.size() + spec.frame_observables.size(), outcome.time);
    outcomes_.push_back(std::move(outcome));
    running_.push_back(static_cast<int>(k));
  }
  Kokkos::deep_copy(views_.storage, host_storage);
  Kokkos::deep_copy(views_.contact_reals, host_reals);
  Kokkos::deep_copy(views_.contact_integers, host_integers);
  Kokkos::deep_copy(views_.members, host_members);
  Kokkos::deep_copy(views_.rods, host_rods);
}

template <class Real>
std::int64_t BasicRodBatch<Real>::slice_end(const Member& member) const {
  const TimeSpec& time = member.spec.time;
  const Progress& now = member.progress;
  std::int64_t end = std::min(time.steps, (now.steps / time.slice_steps + 1) * time.slice_steps);
  if (now.next_frame < member.spec.frames) end = std::min(end, frame_step(member.spec, now.next_frame));
  const std::int64_t period = period_steps(member.spec);
  if (period == 0) return end;
  // Periods are counted back from the end; only a member of which one asks what it can still reach stops at
  // each.
  const std::int64_t last_start = time.steps - period;
  const std::int64_t next = member.early_stopping.objective == nullptr
                                ? last_start
                                : time.steps - (time.steps - now.steps - 1) / period * period;
  return now.steps < next ? std::min(end, next) : end;
}

template <class Real>
bool BasicRodBatch<Real>::advance() {
  if (running_.empty()) return false;
  double total = 0.0;
  for (std::size_t k = 0; k < running_.size(); ++k) {
    const Member& member = members_[static_cast<std::size_t>(running_[k])];
    const Progress& now = member.progress;
    // The first look takes no step: it samples t = 0.
    const std::int64_t steps = now.started ? slice_end(member) - now.steps : 0;
    tasks_(k) = {running_[k], now.steps, steps};
    total += element_steps(member.spec, steps);
  }
  const auto start = std::chrono::steady_clock::now();
  run_slice(static_cast<int>(running_.size()));
  const double wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  for (std::size_t k = 0; k < running_.size(); ++k) {
    Member& member = members_[static_cast<std::size_t>(tasks_(k).member)];
    member.progress.started = true;
    member.progress.steps += tasks_(k).steps;
    const double share = total > 0.0 ? element_steps(member.spec, tasks_(k).steps) / total : 0.0;
    digest(tasks_(k).member, samples_(k), share * wall_seconds);
  }
  std::erase_if(running_, [this](int index) {
    return outcomes_[static_cast<std::size_t>(index)].status != MemberStatus::pending;
  });
  return !running_.empty();
}

template <class Real>
void BasicRodBatch<Real>::digest(int index, const Sample& sample, double wall_seconds) {
  Member& member = members_[static_cast<std::size_t>(index)];
  Progress& now = member.progress;
  MemberOutcome& outcome = outcomes_[static_cast<std::size_t>(index)];
  outcome.steps = static_cast<std::uint64_t>(now.steps);
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
  const double time = static_cast<double>(now.steps) * spec.time.step;
  if (!now.has_baseline && time >= baseline_time(spec)) {
    now.has_baseline = true;
    now.baseline = sample;
  }
  if (now.has_baseline && becomes_steady(spec) && observe::has_no_source(spec)) {
    const double excess = spec.sections_shrink * stretch_energy_excess(member);
    now.energy.add(observe::conserved_energy(spec, sample) - excess, observe::stored_energy(sample) - excess,
                   rounding_energy(spec));
  }
  now.end_distance.add(time, norm(sample.end - last_rods_first_node(member)));
  take_frames(index, sample);
  const std::int64_t period = period_steps(spec);
  if (period > 0 && now.steps >= spec.time.steps - period) widen_envelopes(member);
  if (sample.implicit.failed) {
    finish(index, sample.implicit.in_contact ? MemberStatus::tangled : MemberStatus::too_stiff, sample);
  } else if (has_buckled(spec, sample)) {
    finish(index, MemberStatus::stopped_early, sample);
  } else if (now.steps == spec.time.steps) {
    finish(index, MemberStatus::done, sample);
  } else {
    end_period(index, sample);
  }
}

template <class Real>
Vec3 BasicRodBatch<Real>::last_rods_first_node(const Member& member) const {
  const std::size_t size = rod_size<Real>(member.elements);
  const auto arrays = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), Kokkos::subview(views_.storage, std::pair(member.offset, member.offset + size)));
  const BasicRodView<Real> rods(arrays.data(), member.elements, member.spec.sections_shrink);
  return rods.vec3(field::position, member.last_rod);
}

template <class Real>
double BasicRodBatch<Real>::stretch_energy_excess(const Member& member) const {
  const std::size_t size = rod_size<Real>(member.elements);
  const auto arrays = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), Kokkos::subview(views_.storage, std::pair(member.offset, member.offset + size)));
  const BasicRodView<Real> rods(arrays.data(), member.elements, member.spec.sections_shrink);
  double sum = 0.0;
  for (const RodPlace& place : rod_places(member.spec)) {
    sum += observe::stretch_energy_excess(rods.part(place.first, place.elements));
  }
  return sum;
}

template <class Real>
void BasicRodBatch<Real>::widen_envelopes(Member& member) {
  const auto arrays = host_arrays(member);
  const RodView rods = member.rods(arrays.data());
  std::size_t bodies = 0;
  for (const RodPlace& place : rod_places(member.spec)) {
    if (place.joint == JointKind::none) ++bodies;
    member.envelopes[bodies - 1].widen(rods.part(place.first, place.elements));
  }
}

/// Where one period ends and the next begins: looks at what the member can still reach.
template <class Real>
void BasicRodBatch<Real>::end_period(int index, const Sample& sample) {
  Member& member = members_[static_cast<std::size_t>(index)];
  Progress& now = member.progress;
  const MemberSpec& spec = member.spec;
  const EarlyStopping& early_stopping = member.early_stopping;
  const std::int64_t period = period_steps(spec);
  if (period == 0 || (spec.time.steps - now.steps) % period != 0) return;
  const Vec3 start = std::exchange(now.period_start, centre_of_mass(sample));
  if (early_stopping.objective == nullptr || !bounds_objective(spec, early_stopping, now.steps - period))
    return;
  const double value = objective_over(member, sample, mean_velocity(spec, start, now.period_start));
  if (!(early_stopping.better_by(value, now.worst_objective) >= 0.0)) now.worst_objective = value;
  if (early_stopping.better_by(early_stopping.limit, early_stopping.bound(value)) > 0.0) {
    finish(index, MemberStatus::pruned, sample, early_stopping.bound(value));
  }
}

template <class Real>
Observation BasicRodBatch<Real>::observe_now(const Member& member, const MemberSpec& last_rod,
                                             const Sample& sample, double* arrays) {
  const Progress& now = member.progress;
  const RodView all = member.rods(arrays);
  std::vector<RodView> rods;
  for (const RodPlace& place : rod_places(member.spec)) {
    rods.push_back(all.part(place.first, place.elements));
  }
  const RodView last = rods.back();
  rods.pop_back();
  Observation observation{
      last_rod, now.has_baseline ? now.baseline : sample, sample, last, std::move(rods), now.end_distance};
  observation.energy = now.energy;
  return observation;
}

template <class Real>
double BasicRodBatch<Real>::objective_over(const Member& member, const Sample& sample,
                                           const Vec3& mean_velocity) const {
  const auto arrays = host_arrays(member);
  const MemberSpec last_rod = member.last_spec();
  Observation observation = observe_now(member, last_rod, sample, arrays.data());
  observation.mean_velocity = mean_velocity;
  return member.early_stopping.objective->value(observation);
}

template <class Real>
Kokkos::View<double*, Kokkos::HostSpace> BasicRodBatch<Real>::host_arrays(const Member& member) const {
  const std::size_t size = rod_size<Real>(member.elements);
  const auto arrays = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), Kokkos::subview(views_.storage, std::pair(member.offset, member.offset + size)));
  if constexpr (std::is_same_v<Real, double>) {
    return arrays;
  } else {
    Kokkos::View<double*, Kokkos::HostSpace> wide("rods", rod_size(member.elements));
    widen_rods({arrays.data(), member.elements, member.spec.sections_shrink}, member.rods(wide.data()));
    return wide;
  }
}

template <class Real>
void BasicRodBatch<Real>::take_frames(int index, const Sample& sample) {
  Member& member = members_[static_cast<std::size_t>(index)];
  Progress& now = member.progress;
  MemberOutcome& outcome = outcomes_[static_cast<std::size_t>(index)];
  const auto nodes = static_cast<std::size_t>(frame_nodes(member.spec));
  const std::vector<RodPlace> places = rod_places(member.spec);
  while (now.next_frame < member.spec.frames && frame_step(member.spec, now.next_frame) == now.steps) {
    const auto frame = static_cast<std::size_t>(now.next_frame++);
    outcome.time[frame] = static_cast<double>(now.steps) * member.spec.time.step;
    const auto arrays = host_arrays(member);
    const RodView rods = member.rods(arrays.data());
    for (std::size_t k = 0; k < member.spec.fields.size(); ++k) {
      const TrajectoryField& format = trajectory_fields[member.spec.fields[k]];
      double* out = outcome.fields[k].data() + frame * nodes * static_cast<std::size_t>(format.components);
      for (const RodPlace& place : places) {
        const RodView rod = rods.part(place.first, place.elements);
        for (int i = 0; i < rod.nodes(); ++i, out += format.components) format.value(rod, i, out);
      }
    }
    if (member.spec.frame_observables.empty()) continue;
    const MemberSpec last_rod = member.last_spec();
    Observation observation = observe_now(member, last_rod, sample, arrays.data());
    observation.profile_error = profile_error(member.spec, observation.state, outcome.time[frame]);
    for (std::size_t k = 0; k < member.spec.frame_observables.size(); ++k) {
      outcome.fields[member.spec.fields.size() + k][frame] =
          observables[member.spec.frame_observables[k]].value(observation);
    }
  }
}

template <class Real>
void BasicRodBatch<Real>::finish(int index, MemberStatus status, const Sample& sample,
                                 double objective_bound) {
  const Member& member = members_[static_cast<std::size_t>(index)];
  const Progress& now = member.progress;
  const double time = static_cast<double>(now.steps) * member.spec.time.step;
  MemberOutcome& outcome = outcomes_[static_cast<std::size_t>(index)];
  outcome.status = status;
  const auto arrays = host_arrays(member);
  const MemberSpec last_rod = member.last_spec();
  Observation observation = observe_now(member, last_rod, sample, arrays.data());
  if (status == MemberStatus::done) {
    observation.mean_velocity = mean_velocity(member.spec, now.period_start, centre_of_mass(sample));
    observation.gait_width = gait_width(member.envelopes);
    if (member.early_stopping.objective != nullptr) {
      observation.objective_gain = member.early_stopping.better_by(
          member.early_stopping.objective->value(observation), now.worst_objective);
    }
  }
  observation.objective_bound = objective_bound;
  observation.buckled = status == MemberStatus::stopped_early;
  observation.buckling_time = observation.buckled ? time : nan;
  observation.profile_error = profile_error(member.spec, observation.state, time);
  for (std::size_t k = 0; k < observables.size(); ++k)
    outcome.observables[k] = observables[k].value(observation);
}

template <class Real>
void BasicRodBatch<Real>::visit_state(std::size_t index, StateArchive& archive) {
  Member& member = members_[index];
  MemberOutcome& outcome = outcomes_[index];
  archive.visit(member.progress);
  archive.visit(std::span(member.envelopes));
  const int frames = member.progress.next_frame;
  if (frames < 0 || frames > member.spec.frames) throw StateError("a saved state has a wrong frame");
  archive.visit(outcome.steps);
  archive.visit(outcome.wall_seconds);
  const auto taken = static_cast<std::size_t>(frames);
  archive.visit(std::span(outcome.time).first(taken));
  const std::size_t nodes = taken * static_cast<std::size_t>(frame_nodes(member.spec));
  for (std::size_t k = 0; k < outcome.fields.size(); ++k) {
    const bool of_nodes = k < member.spec.fields.size();
    const auto components =
        of_nodes ? static_cast<std::size_t>(trajectory_fields[member.spec.fields[k]].components) : 0;
    archive.visit(std::span(outcome.fields[k]).first(of_nodes ? nodes * components : taken));
  }
  visit_part(archive, views_.storage, member.offset, rod_size<Real>(member.elements));
  visit_part(archive, views_.contact_reals, member.contact.reals, member.contact_size.reals);
  visit_part(archive, views_.contact_integers, member.contact.integers, member.contact_size.integers);
}

template <class Real>
void BasicRodBatch<Real>::time_out(std::size_t index) {
  outcomes_[index].status = MemberStatus::timed_out;
  std::erase(running_, static_cast<int>(index));
}

template class BasicRodBatch<double>;
template class BasicRodBatch<float>;

}  // namespace rodeo
