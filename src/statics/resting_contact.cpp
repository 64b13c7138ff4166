#include <algorithm>
#include <cmath>

#include "resting_rods.hpp"

// Contact of rods at rest: lengths of steps, elements that touch the ground, forces on the platen.

namespace rodeo::statics {

namespace {

/// Place where a slope along a step that begins below zero comes to zero, within `tolerance` of slope: the
/// first that secants find in which an end that stays counts half (the Illinois method). `most` if the slope
/// is below zero there; where secants end at their limit, the farthest place at which it is known to be.
template <class Slope>
double first_minimum(double most, double tolerance, const Slope& slope) {
  constexpr int most_evaluations = 100;
  double low = 0.0;
  double high = most;
  double at_low = slope(0.0);
  double at_high = slope(most);
  if (at_high <= tolerance) return most;
  int stayed = 0;
  for (int k = 0; k < most_evaluations; ++k) {
    const double part = low + (high - low) * at_low / (at_low - at_high);
    const double here = slope(part);
    if (std::abs(here) <= tolerance) return part;
    if (here > 0.0) {
      high = part;
      at_high = here;
      if (stayed == 1) at_low *= 0.5;
      stayed = 1;
    } else {
      low = part;
      at_low = here;
      if (stayed == -1) at_high *= 0.5;
      stayed = -1;
    }
  }
  return low;
}

}  // namespace

double RestingRods::part_in_contact(const std::vector<double>& pull, std::span<const double> step,
                                    double most) {
  if (!may_touch()) return most;
  std::vector<double> ways(step.begin(), step.end());
  ties_.spread(ways);
  const auto over_rods = [&](const auto& of_rod) {
    double sum = 0.0;
    for (const CosseratRod& r : rods_)
      sum += of_rod(r.rod, std::span<const double>(ways.data() + r.first, r.size()));
    return sum;
  };
  for (const CosseratRod& r : rods_)
    most = std::min(most, ground_.clear_part(r.rod, std::span(ways.data() + r.first, r.size())));
  if (contact_) most = contact_->clear_part(ways, most);
  double work = 0.0;  // of the pull along the whole step
  for (std::size_t i = 0; i < step.size(); ++i) work += pull[i] * step[i];
  if (!(work > 0.0)) return most;
  const auto slope = [&](double part) {
    const double on_ground =
        over_rods([&](const RodView& rod, const auto& way) { return ground_.slope(rod, way, part); });
    return contact_ ? on_ground + contact_->slope(ways, part) : on_ground;
  };
  double curvature =
      over_rods([&](const RodView& rod, const auto& way) { return ground_.curvature(rod, way); });
  if (contact_) curvature += contact_->curvature(ways);
  const double before = slope(0.0);
  return first_minimum(most, 1e-2 * work, [&](double part) {
    return (part - 1.0) * work + (slope(part) - before - part * curvature);
  });
}

std::vector<ConstRodView> RestingRods::views() const {
  std::vector<ConstRodView> views;
  for (const CosseratRod& r : rods_) views.push_back(r.rod);
  return views;
}

void RestingRods::record_platen(double from) {
  const std::size_t elements = record_.size() / forces::platen_array::count;
  const Vec3 way = ground_.platen_displacement(load_time_) - ground_.platen_displacement(from);
  for (const CosseratRod& r : rods_) {
    const std::vector<Vec3> forces = ground_.forces_on_platen(r.rod);
    double* own = record_.data() + r.data->first;
    for (const Vec3& force : forces) {
      const Vec3 before = {own[0], own[elements], own[2 * elements]};
      own[3 * elements] -= 0.5 * dot(before + force, way);
      own[0] = force.x;
      own[elements] = force.y;
      own[2 * elements] = force.z;
      ++own;
    }
  }
}

}  // namespace rodeo::statics
