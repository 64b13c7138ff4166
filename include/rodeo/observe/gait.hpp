#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/observe/observable.hpp"

namespace rodeo::observe {

/// Direction across the initial axis in the plane of motion, whose normal is the axis of the muscles'
/// couples, else director d1.
inline Vec3 lateral_direction(const MemberSpec& spec) {
  const Vec3 forward = spec.rod.direction;
  const Vec3 d2 = cross(forward, spec.rod.normal);
  if (spec.muscle.kind != MuscleKind::couple) return d2;
  const Vec3 a = spec.muscle.axis;
  const Vec3 normal =
      spec.muscle.in_laboratory ? a : Directors{spec.rod.normal, d2, forward}.to_laboratory(a);
  const Vec3 lateral = cross(forward, normal);
  constexpr double smallest_sine = 1e-6;  // couples about the rod itself twist it and choose no plane
  return norm(lateral) > smallest_sine ? normalized(lateral) : d2;
}

/// Forward is along the initial axis from node 0, the tail, to the last node, the head: a swimmer moves
/// against the wave, which runs from head to tail for a positive muscle.wave_number.
inline constexpr Observable forward_speed = {
    "forward_speed",
    "m/s",
    "of the centre of mass of all rods along rod.direction, of several rods the last one's, mean over the "
    "last muscle.period; NaN without muscle.period",
    [](const Observation& o) { return dot(o.mean_velocity, o.spec.rod.direction); },
    Known::mean_over_period,
    "muscle.period"};
inline constexpr Observable lateral_speed = {
    "lateral_speed",
    "m/s",
    "of the centre of mass of all rods across rod.direction in the plane of motion, mean over the last "
    "muscle.period; NaN without muscle.period",
    [](const Observation& o) { return dot(o.mean_velocity, lateral_direction(o.spec)); },
    Known::mean_over_period,
    "muscle.period"};

/// Interval that the nodes of a body swept across its initial axis in the plane of motion. A body is a rod,
/// or rods that are joined end to end.
struct Envelope {
  Vec3 across;                                                ///< unit vector
  double lowest = std::numeric_limits<double>::infinity();    ///< m
  double highest = -std::numeric_limits<double>::infinity();  ///< m

  void widen(const ConstRodView& rod) {
    for (int i = 0; i < rod.nodes(); ++i) {
      const double place = dot(rod.vec3(field::position, i), across);
      lowest = std::min(lowest, place);
      highest = std::max(highest, place);
    }
  }
  void widen(const Envelope& other) {
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
  }
  /// Width swept, m; NaN if nothing was seen.
  double width() const { return highest >= lowest ? highest - lowest : std::nan(""); }
};

inline constexpr Observable gait_width = {
    "gait_width",
    "m",
    "width that the nodes of a rod (or of rods joined end to end) sweep across rod.direction in the plane of "
    "motion over the last muscle.period, looked at every slice (each implicit step); of several, the "
    "largest; NaN without muscle.period",
    [](const Observation& o) { return o.gait_width; },
    Known::at_end,
    "muscle.period"};

inline constexpr Observable periods_run = {"periods_run",
                                           "1",
                                           "periods that the member took, of muscle.period or "
                                           "observe.settle_interval: less than time.end has if it settled",
                                           [](const Observation& o) { return o.periods; },
                                           Known::always,
                                           "observe.settle"};

}  // namespace rodeo::observe
