#include "rodeo/der/generalized_alpha.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/der/der_member.hpp"

#include "extrapolation.hpp"
#include "node_entries.hpp"
#include "rates.hpp"

namespace rodeo::der {

namespace {

/// Largest turn of an element, or of its frame, on a way, rad.
double largest_turn(LoadedRods& rods, const std::vector<double>& way) {
  double largest = 0.0;
  for (const RodStep& rod : rods.rods()) {
    const double* const own = way.data() + rod.first;
    for (int i = 0; i < rod.rod.elements; ++i) {
      const double across = norm(get(own, i + 1) - get(own, i)) / rod.rod.array(field::rest_length)[i];
      largest = std::max({largest, across, std::abs(own[4 * i + 3])});
    }
  }
  return largest;
}

}  // namespace

double GeneralizedAlpha::shortest_solve() const { return 1.0 / std::sqrt(c_.share_of_forces()); }

SolveOutcome GeneralizedAlpha::advance(LoadedRods& rods, double end, double step) {
  rods.copy_state(start_);
  rates_ = rates_of(rods);
  const std::vector<double> powers = rods.motion_powers();
  const bool is_first = last_step_ == 0.0;
  if (is_first) {
    smooth_.assign(rates_.size(), 0.0);
    acceleration_.assign(rates_.size(), 0.0);
  }
  SolveOutcome push;
  push.converged = true;
  const bool is_pushed = begins_anew_ || is_first;
  if (is_pushed) push = add_push(rods, end - step, step);
  if (!push.converged) return push;
  if (last_step_ != step) smooth_ = acceleration_;
  SolveOutcome outcome = take_step(rods, end, step);
  outcome.iterations += push.iterations;
  if (!outcome.converged) return outcome;
  const std::vector<double> powers_at_end = rods.motion_powers();
  rods.count_motion_work(is_pushed ? powers_at_end : powers, 0.5 * step);
  rods.count_motion_work(powers_at_end, 0.5 * step);
  last_step_ = step;
  begins_anew_ = false;
  return outcome;
}

void GeneralizedAlpha::visit_state(StateArchive& archive) {
  archive.visit(last_step_);
  archive.visit(begins_anew_);
  archive.visit_list(smooth_);
  archive.visit_list(acceleration_);
}

/// Adds the jump of accelerations by forces at the start, where held places are as the jump has left them:
/// loads that come on at first jump from nothing.
SolveOutcome GeneralizedAlpha::add_push(LoadedRods& rods, double start, double step) {
  for (RodStep& rod : rods.rods()) rod.inertia_part = 1.0;
  rods.set_loads(start);
  way_ = rates_;
  rates_before_solve_ = rates_;
  for (std::size_t i = 0; i < way_.size(); ++i) {
    way_[i] *= -step;
    rates_before_solve_[i] -= step * acceleration_[i];
  }
  move_by(rods, way_);
  rods.start();
  for (RodStep& rod : rods.rods()) lead_frames(rod, step);
  set_rates(rods, rates_before_solve_);
  rods.place_ends(start);
  const SolveOutcome outcome = rods.solve(step);
  if (outcome.converged) {
    std::vector<double> jump = rates_of(rods);
    for (std::size_t i = 0; i < jump.size(); ++i) jump[i] = step * (jump[i] - rates_[i]);
    hold(rods, jump);
    const double part = method::part_of_push(largest_turn(rods, jump)) / (step * step);
    for (std::size_t i = 0; i < jump.size(); ++i) {
      acceleration_[i] += part * jump[i];
      smooth_[i] += part * jump[i];
    }
  }
  rods.put_back(start_);
  return outcome;
}

SolveOutcome GeneralizedAlpha::take_step(LoadedRods& rods, double end, double step) {
  set_loads(rods, end, step);
  go_to_start_of_solve(rods, end, step);
  const double solve = part_of_step() * step;
  for (RodStep& rod : rods.rods()) {
    rod.inertia_part = inertia_part();
    lead_frames(rod, solve);
  }
  const RodView& all = rods.member().all;
  const ConstRodView start(start_.data(), all.elements, all.shrink);
  const SolveOutcome outcome = judge_turn(rods.solve(solve), rods.member(), start);
  if (!outcome.converged) {
    rods.put_back(start_);
    return outcome;
  }
  note_accelerations(rods, step);
  rods.stand_at(end);
  return outcome;
}

/// Sets the loads in the predicted state at the end of the step.
void GeneralizedAlpha::set_loads(LoadedRods& rods, double end, double step) {
  way_.resize(rates_.size());
  std::vector<double> rates = rates_;
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    way_[i] = step * (rates_[i] + 0.5 * step * smooth_[i]);
    rates[i] += step * smooth_[i];
  }
  move_by(rods, way_);
  set_rates(rods, rates);
  rods.set_loads(end);
  rods.put_back(start_);
}

/// Goes to a start from which held parts reach their places and velocities at the end of the step.
void GeneralizedAlpha::go_to_start_of_solve(LoadedRods& rods, double end, double step) {
  const double part = part_of_step();
  const double solve = part * step;
  const std::vector<double> places = places_of(rods);
  rods.stand_at(end);
  rods.solver().constraints().set_edges();
  std::vector<double> held_way = places_of(rods);
  std::vector<double> held_rates = rates_of(rods);
  rods.put_back(start_);
  for (const RodStep& rod : rods.rods()) {
    for (int i = 0; i < rod.rod.elements; ++i) {
      const auto angle = static_cast<std::size_t>(rod.first + 4 * i + 3);
      held_way[angle] = 0.5 * step * (rates_[angle] + held_rates[angle]);
    }
  }
  rates_before_solve_.resize(rates_.size());
  const double of_inertia = part / inertia_part();
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    const double a = smooth_[i];
    const double known = (c_.force * acceleration_[i] - c_.mass * a) / (1.0 - c_.mass);
    held_way[i] -= places[i] + solve * held_rates[i];
    held_rates[i] -= of_inertia * (held_rates[i] - rates_[i]);
    way_[i] = step * ((1.0 - part) * rates_[i] + step * (0.5 - part) * a) - held_way[i];
    rates_before_solve_[i] =
        rates_[i] + step * ((1.0 - c_.velocity) * a + c_.velocity * known) - held_rates[i];
  }
  hold(rods, way_);
  hold(rods, rates_before_solve_);
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    way_[i] += held_way[i];
    rates_before_solve_[i] += held_rates[i];
  }
  rods.solver().ties().spread(way_);
  rods.solver().ties().spread(rates_before_solve_);
  move_by(rods, way_);
  set_rates(rods, rates_before_solve_);
  rods.start();
  rods.place_ends(end);
}

/// Notes the accelerations after a solve by part_of_step() of a step of so many seconds.
void GeneralizedAlpha::note_accelerations(LoadedRods& rods, double step) {
  const double of_change = inertia_part() / (part_of_step() * step);
  const std::vector<double> rates = rates_of(rods);
  std::vector<double> mean(rates.size());    // of v'
  std::vector<double> gained(rates.size());  // v1 - v0
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double now = of_change * (rates[i] - rates_before_solve_[i]);
    const double smooth =
        ((1.0 - c_.force) * now + c_.force * acceleration_[i] - c_.mass * smooth_[i]) / (1.0 - c_.mass);
    gained[i] = step * ((1.0 - c_.velocity) * smooth_[i] + c_.velocity * smooth);
    way_[i] = step * (rates_[i] + step * ((0.5 - c_.position) * smooth_[i] + c_.position * smooth));
    mean[i] = 0.5 * (acceleration_[i] + now);
    smooth_[i] = smooth;
    acceleration_[i] = now;
  }
  hold(rods, smooth_);
  hold(rods, acceleration_);
  hold(rods, mean);
  hold(rods, gained);
  const std::vector<double> inertia = rods.solver().inertia();
  loss_ = 0.0;
  for (std::size_t i = 0; i < inertia.size(); ++i)
    loss_ += inertia[i] * (mean[i] * way_[i] - (rates_[i] + 0.5 * gained[i]) * gained[i]);
}

std::unique_ptr<HostMember> make_generalized_alpha_member(const MemberSpec& spec,
                                                          const MemberArrays& arrays) {
  return make_member(spec, arrays,
                     std::make_unique<GeneralizedAlpha>(method::AlphaNumbers(spec.time.spectral_radius)));
}

}  // namespace rodeo::der
