#include "rodeo/der/midpoint.hpp"

#include <algorithm>

#include "extrapolation.hpp"

namespace rodeo::der {

namespace {

/// Of ends that are held or driven those of the middle of the step: extrapolated they would swing about the
/// rate of the course for ever.
void keep_rates(const RodData& data, const RodView& rod, const ConstRodView& start) {
  const int n = rod.elements;
  const auto keep = [&](int f, int i) { rod.set_vec3(f, i, 0.5 * (rod.vec3(f, i) + start.vec3(f, i))); };
  for (const int node : {0, n}) {
    if (rod.array(field::velocity_gain)[node] == 0.0) keep(field::velocity, node);
  }
  if (data.held_elements.first) {
    keep(field::velocity, 1);
    keep(field::angular_velocity, 0);
  }
  if (data.held_elements.last) {
    keep(field::velocity, n - 1);
    keep(field::angular_velocity, n - 1);
  }
}

}  // namespace

SolveOutcome Midpoint::advance(LoadedRods& rods, double end, double step) {
  const RodView& all = rods.member().all;
  const double half = 0.5 * step;
  const double middle = end - half;
  start_.assign(all.base, all.base + static_cast<std::ptrdiff_t>(field::state_count) * all.pitch);
  set_loads(rods, middle, half);
  rods.start();
  rods.place_ends(middle);
  for (RodStep& rod : rods.rods()) lead_frames(rod, half);
  const SolveOutcome outcome = rods.solve(half);
  if (!outcome.converged) {
    std::ranges::copy(start_, all.base);
    return outcome;
  }
  rods.count_motion_work(rods.motion_powers(), step);
  const ConstRodView start(start_.data(), all.elements, all.shrink);
  extrapolate_state(rods.member(), start, half, 1.0);
  for (const RodData& rod : rods.member().rods) keep_rates(rod, rod.part(all), rod.part(start));
  rods.stand_at(end);
  return outcome;
}

/// Of the state in the middle of the step, as far as it is known before.
void Midpoint::set_loads(LoadedRods& rods, double time, double half) {
  const RodView& all = rods.member().all;
  move_on(rods.member(), half);
  rods.set_loads(time);
  std::ranges::copy(start_, all.base);
}

}  // namespace rodeo::der
