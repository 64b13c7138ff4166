#include "rodeo/der/sdirk2.hpp"

#include <cmath>
#include <numbers>

#include "extrapolation.hpp"

namespace rodeo::der {

namespace {

constexpr double gamma = 1.0 - 0.5 * std::numbers::sqrt2;

/// Extrapolation of the state after the first solve, per change in it: (1 - gamma)/gamma - 1.
constexpr double state_extrapolation = std::numbers::sqrt2;
/// Extrapolation of the loads after the first solve: 1/(2 gamma^2) - 1.
constexpr double load_extrapolation = 2.0 + 2.0 * std::numbers::sqrt2;

/// Forces on the nodes and couples on the elements of all rods.
std::vector<Vec3> loads_of(LoadedRods& rods) {
  std::vector<Vec3> loads;
  for (const RodStep& rod : rods.rods()) {
    for (int i = 0; i <= rod.rod.elements; ++i) loads.push_back(rod.rod.vec3(field::external_force, i));
    loads.insert(loads.end(), rod.couple.begin(), rod.couple.end());
  }
  return loads;
}

void set_loads(LoadedRods& rods, const std::vector<Vec3>& loads) {
  auto load = loads.begin();
  for (RodStep& rod : rods.rods()) {
    for (int i = 0; i <= rod.rod.elements; ++i) rod.rod.set_vec3(field::external_force, i, *load++);
    for (Vec3& couple : rod.couple) couple = *load++;
  }
}

/// Sets the loads of the second solve; those of the first were `first`, and the arrays hold its result.
void extrapolate_loads(LoadedRods& rods, const std::vector<Vec3>& first, double middle, double end) {
  rods.update_fluid();
  rods.set_loads(middle);
  const std::vector<Vec3> now = loads_of(rods);
  rods.set_loads(end);
  std::vector<Vec3> loads = loads_of(rods);
  for (std::size_t k = 0; k < loads.size(); ++k) {
    loads[k] = loads[k] + load_extrapolation * (now[k] - first[k]);
  }
  set_loads(rods, loads);
}

SolveOutcome solve(LoadedRods& rods, double end, double step) {
  rods.start();
  rods.place_ends(end);
  for (RodStep& rod : rods.rods()) lead_frames(rod, step);
  return rods.solve(step);
}

}  // namespace

double Sdirk2::shortest_solve() const { return gamma; }

SolveOutcome Sdirk2::advance(LoadedRods& rods, double end, double step) {
  const RodView& all = rods.member().all;
  const double stage = gamma * step;
  const double middle = end - (step - stage);
  rods.copy_state(start_);
  rods.update_fluid();
  rods.set_loads(middle);
  const std::vector<Vec3> loads = loads_of(rods);
  SolveOutcome outcome = solve(rods, middle, stage);
  const std::vector<double> powers = rods.motion_powers();
  if (outcome.converged) {
    extrapolate_loads(rods, loads, middle, end);
    const ConstRodView start(start_.data(), all.elements, all.shrink);
    extrapolate_state(rods.member(), start, stage, state_extrapolation);
    const SolveOutcome second = solve(rods, end, stage);
    const int iterations = outcome.iterations + second.iterations;
    outcome = judge_turn({second.converged, iterations}, rods.member(), start);
    if (outcome.converged) {
      rods.count_motion_work(powers, step - stage);
      rods.count_motion_work(rods.motion_powers(), stage);
    }
  }
  if (!outcome.converged) rods.put_back(start_);
  return outcome;
}

}  // namespace rodeo::der
