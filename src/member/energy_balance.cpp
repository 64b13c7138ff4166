#include "energy_balance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "rodeo/member/seen_steps.hpp"
#include "rodeo/observe/energies.hpp"
#include "rodeo/observe/observables.hpp"

#include "energy_gain.hpp"

namespace rodeo {

namespace {

bool is_of_balance(const OperandSpec& operand) {
  constexpr std::array parts = {
      observable_index(observe::energy_balance.name), observable_index(observe::energy_balance_relative.name),
      observable_index(observe::work_done.name), observable_index(observe::damping_loss.name)};
  return operand.kind == OperandSpec::Kind::observable &&
         std::ranges::find(parts, operand.place) != parts.end();
}

/// Whether all that gives or takes energy is measured.
bool is_measured(const MemberSpec& spec) {
  if (spec.rests() || spec.branch.exists() || spec.load.perturbation > 0.0) return false;
  if (spec.fluid.acts_by(FluidKind::stokeslets)) return false;
  const auto breaks = [](const ConnectionSpec& c) { return c.kind == ConnectionKind::bond; };
  if (std::ranges::any_of(spec.connections, breaks)) return false;
  const auto is_driven = [&](int k) { return rod_alone(spec, k).boundary.motion_time > 0.0; };
  for (int k = 0; k < spec.rod_count(); ++k) {
    if (is_driven(k)) return false;
  }
  if (!spec.has_impacts()) return true;
  const bool answers = spec.ground.exists() && spec.ground.response == GroundResponse::net_force;
  const bool has_dashpots = spec.contact.kind != ContactKind::none && spec.contact.damping > 0.0;
  return !answers && !has_dashpots;
}

double stored(const Look& look) { return observe::stored_energy(look.sample) - energy_excess(look); }

}  // namespace

bool asks_for_balance(const MemberSpec& spec) {
  return std::ranges::any_of(spec.measures, [](const MeasureSpec& measure) {
    return std::ranges::any_of(measure.reductions, [](const ReductionSpec& reduction) {
      return std::ranges::any_of(reduction.operands, is_of_balance);
    });
  });
}

void EnergyBalance::start(const MemberJob& job, MemberOutcome&) {
  if (!asks_for_balance(job.spec) || !is_measured(job.spec)) return;
  powers_ = std::make_unique<LoadPowers>(job.spec);
  rounding_ = rounding_energy(job.spec);
  interval_ = job.spec.measure_steps;
  if (job.spec.control.exists()) jumps_ = job.spec.control.interval;
  within_ = are_steps_seen(job.spec);
}

MemberStatus EnergyBalance::slice(const Look& look) {
  if (powers_ && sums_.steps < 0) start_energy_ = stored(look);
  glance(look);
  return MemberStatus::pending;
}

/// Adds up at samples only, so that a member that goes on for longer has the bits of one that ended here.
void EnergyBalance::glance(const Glance& glance) {
  if (powers_ && is_due(glance.steps) && glance.steps != sums_.steps) sums_ = sums_at(glance);
}

Need EnergyBalance::needs_within(std::int64_t steps) const {
  return powers_ && within_ && is_due(steps) ? Need::glance : Need::nothing;
}

void EnergyBalance::within(const Glance& glance, const Look*) {
  if (needs_within(glance.steps) != Need::nothing) this->glance(glance);
}

std::int64_t EnergyBalance::next_glance(std::int64_t steps) const {
  if (!powers_ || within_) return std::numeric_limits<std::int64_t>::max();
  return (steps / interval_ + 1) * interval_;
}

EnergyBalance::Sampled EnergyBalance::at(const Glance& glance) const {
  powers_->stand_at(glance);
  Sampled now{.time = glance.time()};
  const auto sum = [&](const auto& of) {
    double total = 0.0;
    for (int rod = 0; rod < static_cast<int>(glance.places.size()); ++rod) {
      for (int i = 0; i < glance.places[static_cast<std::size_t>(rod)].elements; ++i) total += of(rod, i);
    }
    return total;
  };
  const auto add = [&](PowerSource source, double& total) {
    total += sum([&](int rod, int i) { return powers_->of(source, rod, i); });
  };
  using enum PowerSource;
  for (const PowerSource source : {gravity, loads, muscles, actuation}) add(source, now.of_sources);
  for (const PowerSource source : {drag, damping, connection_damping}) add(source, now.of_losses);
  now.done = sum([&](int rod, int i) { return powers_->motion_work(rod, i) + powers_->platen_work(rod, i); });
  return now;
}

EnergyBalance::Sums EnergyBalance::sums_at(const Glance& glance) const {
  Sums sums = sums_;
  sums.steps = glance.steps;
  sums.last = at(glance);
  if (sums_.steps < 0) return sums;
  const Sampled& before = sums_.last;
  const Sampled& now = sums.last;
  const double half = 0.5 * (now.time - before.time);
  const double done = now.done - before.done;
  sums.work += half * (before.of_sources + now.of_sources) + done;
  sums.lost -= half * (before.of_losses + now.of_losses);
  sums.turnover += half * (std::abs(before.of_sources) + std::abs(now.of_sources) +
                           std::abs(before.of_losses) + std::abs(now.of_losses)) +
                   std::abs(done);
  return sums;
}

void EnergyBalance::go_on_after_jump(const Glance& glance, double energy) {
  if (!powers_) return;
  sums_.work += energy;
  sums_.turnover += std::abs(energy);
  sums_.last = at(glance);
}

void EnergyBalance::finish(const Look& look, Observation& observation) const {
  if (!powers_) return;
  const Sums sums = look.steps == sums_.steps ? sums_ : sums_at(look);
  observation.measured = {stored(look) - start_energy_, sums.work, sums.lost, sums.turnover + rounding_};
}

void EnergyBalance::visit(StateArchive& archive) {
  archive.visit(sums_);
  archive.visit(start_energy_);
}

}  // namespace rodeo
