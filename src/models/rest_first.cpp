#include "rest_first.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "rodeo/member/state_archive.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/observe/trajectory_fields.hpp"
#include "rodeo/rod/initial_shape.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo::models {

namespace {

constexpr std::array<std::size_t, 2> rest_fields = {0, 2};
static_assert(trajectory_fields[rest_fields[0]].name == "position");
static_assert(trajectory_fields[rest_fields[1]].name == "orientation");

/// The member whose last frame is where this one is at rest at t = 0, without what acts on motion alone.
MemberSpec at_rest(const MemberSpec& moving) {
  constexpr double instant = 1e-9;  // of a time step: loads are those of t = 0
  MemberSpec spec = moving;
  spec.method = TimeMethod::equilibrium;
  spec.scheme = TimeScheme::backward_euler;
  spec.single_precision = false;
  spec.time.from_equilibrium = false;
  spec.time.step *= instant;
  spec.time.steps = 1;
  spec.time.slice_steps = 1;
  spec.fluid = {};
  spec.load.perturbation = 0.0;
  spec.ground.static_friction = {};
  spec.ground.kinetic_friction = {};
  spec.contact.friction = 0.0;
  spec.buckling_energy = 0.0;
  spec.buckling_translational_energy = 0.0;
  spec.modes = 0;
  spec.measures.clear();
  spec.control.interval = 0;  // it begins with the motion
  spec.settle = {};
  spec.data = nullptr;
  spec.reference = AnalyticReference::none;
  spec.frames = 2;
  spec.fields.assign(rest_fields.begin(), rest_fields.end());
  spec.frame_observables.clear();
  spec.frame_rods.clear();
  return spec;
}

RodSpec& rod_of(MemberSpec& spec, std::size_t k) { return k == 0 ? spec.rod : spec.further_rods[k - 1].rod; }

/// A job that begins where the last frame of its equilibrium is.
MemberJob started_at(const MemberJob& job, const MemberOutcome& rest) {
  MemberJob moving = job;
  moving.spec.time.from_equilibrium = false;
  const auto last_frame = [&](std::size_t field) {
    const std::vector<double>& all = rest.fields[field];
    return all.data() + all.size() / 2;
  };
  const double* position = last_frame(0);
  const double* orientation = last_frame(1);
  for (std::size_t k = 0; k < static_cast<std::size_t>(job.spec.rod_count()); ++k) {
    RodSpec& rod = rod_of(moving.spec, k);
    auto start = rod.start ? std::make_shared<RodStart>(*rod.start) : std::make_shared<RodStart>();
    const InitialShape shape = initial_shape(rod);
    const std::array<Quaternion, 2> ends = end_directors(rod, shape);
    start->ends.assign(ends.begin(), ends.end());
    start->positions.clear();
    for (int i = 0; i <= rod.elements; ++i, position += 3)
      start->positions.push_back({position[0], position[1], position[2]});
    std::vector<Quaternion> frames;
    for (int i = 0; i < rod.elements; ++i, orientation += 4)
      frames.push_back({orientation[0], orientation[1], orientation[2], orientation[3]});
    orientation += 4;  // the last node repeats the last element
    if (!start->angular_velocities.empty()) {
      for (std::size_t i = 0; i < frames.size(); ++i) {
        const Quaternion& before = start->orientations.empty() ? shape.frames[i + 1] : start->orientations[i];
        Vec3& spin = start->angular_velocities[i];
        spin = directors(frames[i]).to_body(directors(before).to_laboratory(spin));
      }
    }
    start->orientations = std::move(frames);
    rod.start = std::move(start);
  }
  return moving;
}

class RestFirst final : public Batch {
 public:
  explicit RestFirst(std::span<const MemberJob> jobs)
      : jobs_(jobs.begin(), jobs.end()), outcomes_(jobs.size()), saved_(jobs.size()) {
    for (std::size_t k = 0; k < jobs_.size(); ++k)
      outcomes_[k].observables = unknown_observables(jobs_[k].spec.measures.size());
  }

  bool advance() override {
    if (moving_ == nullptr) {
      if (!begun_) begin();
      if (resting_ != nullptr && resting_->advance()) {
        look(*resting_, rest_members_, false);
        return true;
      }
      if (resting_ != nullptr) look(*resting_, rest_members_, false);
      move();
      return moving_ != nullptr;
    }
    const bool goes_on = moving_->advance();
    look(*moving_, moving_members_, true);
    return goes_on;
  }

  std::span<const MemberOutcome> outcomes() const override { return outcomes_; }

  /// Saves or restores a member that moves: one at rest is found again as fast.
  void visit_state(std::size_t member, StateArchive& archive) override {
    const auto place = std::ranges::find(moving_members_, member);
    bool moves = place != moving_members_.end();
    archive.visit(moves);
    if (!moves) return;
    if (!archive.restores()) {
      StateArchive inner;
      moving_->visit_state(static_cast<std::size_t>(place - moving_members_.begin()), inner);
      std::vector<std::byte> bytes = inner.take();
      archive.visit_list(bytes);
      return;
    }
    std::vector<std::byte> bytes;
    archive.visit_list(bytes);
    MemberJob job = jobs_[member];
    job.spec.time.from_equilibrium = false;
    const std::unique_ptr<Batch> alone = make_batch({&job, 1});
    StateArchive inner(bytes);
    alone->visit_state(0, inner);
    inner.require_end();
    saved_[member] = std::move(bytes);
  }

  void time_out(std::size_t member) override {
    const std::vector<std::size_t>& members = moving_ != nullptr ? moving_members_ : rest_members_;
    Batch* const batch = moving_ != nullptr ? moving_.get() : resting_.get();
    const auto place = std::ranges::find(members, member);
    if (batch != nullptr && place != members.end())
      batch->time_out(static_cast<std::size_t>(place - members.begin()));
    outcomes_[member].status = MemberStatus::timed_out;
  }

 private:
  void begin() {
    begun_ = true;
    std::vector<MemberJob> jobs;
    for (std::size_t k = 0; k < jobs_.size(); ++k) {
      if (!saved_[k].empty() || !jobs_[k].spec.time.from_equilibrium) continue;
      MemberJob& job = jobs.emplace_back(jobs_[k]);
      job.spec = at_rest(job.spec);
      rest_members_.push_back(k);
    }
    if (!jobs.empty()) resting_ = make_batch(jobs);
  }

  void move() {
    std::vector<MemberJob> jobs;
    for (std::size_t k = 0; k < jobs_.size(); ++k) {
      const auto place = std::ranges::find(rest_members_, k);
      if (place == rest_members_.end()) {
        jobs.push_back(jobs_[k]);
        jobs.back().spec.time.from_equilibrium = false;
      } else {
        const MemberOutcome& rest =
            resting_->outcomes()[static_cast<std::size_t>(place - rest_members_.begin())];
        if (outcomes_[k].status != MemberStatus::pending) continue;  // it timed out
        if (!ended_well(rest.status)) {
          outcomes_[k].status = rest.status;
          continue;
        }
        jobs.push_back(started_at(jobs_[k], rest));
      }
      moving_members_.push_back(k);
    }
    resting_.reset();
    if (jobs.empty()) return;
    moving_ = make_batch(jobs);
    for (std::size_t k = 0; k < moving_members_.size(); ++k) {
      const std::vector<std::byte>& bytes = saved_[moving_members_[k]];
      if (bytes.empty()) continue;
      StateArchive archive(bytes);
      moving_->visit_state(k, archive);
    }
  }

  /// Takes over the outcomes of members; a member that has come to rest has not ended.
  void look(const Batch& batch, const std::vector<std::size_t>& members, bool ends) {
    for (std::size_t k = 0; k < members.size(); ++k) {
      MemberOutcome& outcome = outcomes_[members[k]];
      const MemberOutcome& inner = batch.outcomes()[k];
      if (outcome.status != MemberStatus::pending) continue;
      if (ends && inner.status != MemberStatus::pending) {
        const double at_rest = rest_seconds_.empty() ? 0.0 : rest_seconds_[members[k]];
        outcome = inner;
        outcome.wall_seconds += at_rest;
        continue;
      }
      if (!ends) {
        rest_seconds_.resize(jobs_.size());
        rest_seconds_[members[k]] = inner.wall_seconds;
      }
      outcome.steps = ends ? inner.steps : 0;
      outcome.wall_seconds =
          inner.wall_seconds + (ends && !rest_seconds_.empty() ? rest_seconds_[members[k]] : 0.0);
    }
  }

  std::vector<MemberJob> jobs_;
  std::vector<MemberOutcome> outcomes_;
  std::vector<std::vector<std::byte>> saved_;  ///< states of those that move already
  bool begun_ = false;
  std::unique_ptr<Batch> resting_;
  std::vector<std::size_t> rest_members_;
  std::vector<double> rest_seconds_;  ///< wall time at rest, s
  std::unique_ptr<Batch> moving_;
  std::vector<std::size_t> moving_members_;
};

}  // namespace

std::unique_ptr<Batch> make_rest_first_batch(std::span<const MemberJob> jobs) {
  return std::make_unique<RestFirst>(jobs);
}

std::vector<MemberJob> begun_at_rest(std::span<const MemberJob> jobs, std::vector<MemberStatus>& found) {
  found.assign(jobs.size(), MemberStatus::pending);
  std::vector<MemberJob> begun(jobs.begin(), jobs.end());
  std::vector<MemberJob> resting;
  std::vector<std::size_t> members;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (!jobs[k].spec.time.from_equilibrium) continue;
    begun[k].spec.time.from_equilibrium = false;
    members.push_back(k);
    resting.push_back(jobs[k]);
    resting.back().spec = at_rest(jobs[k].spec);
  }
  if (resting.empty()) return begun;
  const std::unique_ptr<Batch> batch = make_batch(resting);
  while (batch->advance()) {
  }
  for (std::size_t k = 0; k < members.size(); ++k) {
    const MemberOutcome& rest = batch->outcomes()[k];
    if (ended_well(rest.status)) {
      begun[members[k]] = started_at(jobs[members[k]], rest);
    } else {
      found[members[k]] = rest.status;
    }
  }
  return begun;
}

std::optional<StartProblem> what_cannot_rest_first(const MemberSpec& spec) {
  const auto lacks = [](const std::string& what) {
    return StartProblem{"time.from", "= equilibrium is not possible with " + what};
  };
  if (find_model(spec.model, TimeMethod::equilibrium) == nullptr)
    return lacks("model.kind = " + std::string(word_of(spec.model)) + ", which has no equilibria");
  if (spec.model == ModelKind::cosserat && spec.sections_shrink != 0.0) {
    return lacks(
        "sections that narrow as rods stretch, whose forces are those of no energy; give "
        "model.section = rigid");
  }
  if (spec.contact.kind == ContactKind::penalty) {
    return lacks(
        "contact.kind = penalty, whose springs are for explicit steps; give time.method = implicit "
        "and contact.kind = imc");
  }
  if (spec.ground.exists() && spec.ground.response == GroundResponse::net_force) {
    return lacks("ground.response = net_force, which what is at rest has none of; give springs");
  }
  return refusal_at_start(at_rest(spec));
}

}  // namespace rodeo::models
