#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <sstream>
#include <vector>

#include "rodeo/models/rows.hpp"
#include "rodeo/rod/rod_properties.hpp"

namespace rodeo::models {

namespace {

constexpr double half_turn = std::numbers::pi;

/// Turn of directors about the rod at a time.
struct Turn {
  double angle = 0.0;  ///< rad
  double rate = 0.0;   ///< rad/s
};

/// Directors that do not turn freely: an entry of InitialShape::frames, and how they turn.
struct HeldFrame {
  std::size_t entry;
  std::function<Turn(double time)> turn;
};

const RodSetup& setup_of(const MemberSpec& spec, int rod) {
  return rod == 0 ? static_cast<const RodSetup&>(spec) : spec.further_rods[static_cast<std::size_t>(rod) - 1];
}

/// Entry of the frame that an end holds; nothing where it holds none.
std::optional<std::size_t> held_entry(EndCondition end, bool last, std::size_t elements) {
  const bool holds_element = end == EndCondition::clamped_element;
  if (!holds_element && end != EndCondition::clamped && end != EndCondition::clamped_sliding)
    return std::nullopt;
  const std::size_t inside = holds_element ? 1 : 0;
  return last ? elements + 1 - inside : inside;
}

/// Held frames of a rod, from its first end to its last. The last end has all of boundary.twist: only
/// differences between turns count.
std::vector<HeldFrame> held_frames(const MemberSpec& spec, int rod, const InitialShape& shape) {
  std::vector<HeldFrame> held;
  const RodSetup& setup = setup_of(spec, rod);
  const BoundarySpec& boundary = setup.boundary;
  const std::size_t elements = shape.rest_lengths.size();
  if (const auto entry = held_entry(boundary.first, false, elements))
    held.push_back({*entry, [](double) { return Turn{}; }});
  if (const auto entry = held_entry(boundary.last, true, elements)) {
    held.push_back({*entry, [&boundary](double time) {
                      const double rate = boundary.twist == 0.0 ? 0.0 : boundary.twist / boundary.motion_time;
                      return Turn{rate * std::min(time, boundary.motion_time), rate};
                    }});
  }
  constexpr double along = 0.9;  // cosine of the angle between a rod and the axis of what twists it
  for (const MotionSpec& motion : spec.motions) {
    if (motion.rod != rod || motion.kind == MotionKind::node) continue;
    std::size_t entry = static_cast<std::size_t>(motion.index) + 1;
    if (motion.kind == MotionKind::first_end) --entry;
    if (motion.kind == MotionKind::last_end) ++entry;
    const double cosine = dot(motion.axis, directors(shape.frames[entry]).d3);
    if (std::abs(cosine) < along) continue;
    const double step = spec.time.step;
    held.push_back({entry, [&motion, cosine, step, live = spec.control.live_at_start()](double time) {
                      const double begins = static_cast<double>(motion.first_step) * step;
                      const double ends = static_cast<double>(motion.last_step) * step;
                      const Rated course =
                          motion.course[0].with_rate(std::clamp(time, begins, ends), 0.0, live);
                      const double sign = cosine > 0.0 ? 1.0 : -1.0;
                      return Turn{sign * course.value, sign * course.rate};
                    }});
  }
  std::ranges::stable_sort(held, {}, &HeldFrame::entry);
  return held;
}

/// The largest angle between directors next to each other where those at both ends of some regions have been
/// turned by so much against each other: where the couple that twists them is one, and where the wave passes
/// that a turn at a rate sends along the rod, which is twisted by rate/c per length, rad.
double largest_twist(const InitialShape& shape, const RodProperties& properties, std::size_t first,
                     std::size_t last, const Turn& turned) {
  double missing = turned.angle;  // of what the regions have by nature
  double compliance = 0.0;
  const auto natural = [&](std::size_t k) { return shape.rest_curvatures[k].z * shape.rest_voronoi[k]; };
  const auto softness = [&](std::size_t k) {
    return shape.rest_voronoi[k] / properties.twist_stiffnesses[k];
  };
  for (std::size_t k = first; k < last; ++k) {
    const Quaternion turn = conjugate(shape.frames[k]) * shape.frames[k + 1];
    missing += std::remainder(2.0 * std::atan2(turn.z, turn.w), 2.0 * half_turn) - natural(k);
    compliance += softness(k);
  }
  double largest = 0.0;
  for (std::size_t k = first; k < last; ++k) {
    const std::size_t element = std::min(k, properties.bend_inertias.size() - 1);
    const double inertia = properties.twist_inertia_ratio * properties.bend_inertias[element];
    const double wave = std::abs(turned.rate) * std::sqrt(inertia * softness(k));
    largest = std::max(largest, wave + std::abs(natural(k) + missing * softness(k) / compliance));
  }
  return largest;
}

}  // namespace

std::optional<StartProblem> twist_beyond_elements(const MemberSpec& spec) {
  constexpr int looks = 256;
  const double end = static_cast<double>(spec.time.steps) * spec.time.step;
  const bool is_moving = spec.method != TimeMethod::equilibrium;
  for (int rod = 0; rod < spec.rod_count(); ++rod) {
    const RodSpec& own = setup_of(spec, rod).rod;
    const bool is_driven = setup_of(spec, rod).boundary.twist != 0.0;
    if (own.closed || (!is_driven && spec.motions.empty())) continue;
    const InitialShape shape = initial_shape(own);
    const RodProperties properties = rod_properties(own, shape);
    const std::vector<HeldFrame> held = held_frames(spec, rod, shape);
    double largest = 0.0;
    for (std::size_t k = 1; k < held.size(); ++k) {
      for (int look = 0; look <= looks; ++look) {
        const double time = end * look / looks;
        const Turn last = held[k].turn(time);
        const Turn first = held[k - 1].turn(time);
        const Turn turned = {last.angle - first.angle, is_moving ? last.rate - first.rate : 0.0};
        if ((turned.angle == 0.0 && turned.rate == 0.0) || held[k].entry == held[k - 1].entry) continue;
        largest =
            std::max(largest, largest_twist(shape, properties, held[k - 1].entry, held[k].entry, turned));
      }
    }
    if (largest < half_turn) continue;
    std::ostringstream text;
    text.precision(3);
    text << "twists elements next to each other by " << largest
         << " rad, and half a turn or more between them is none but one the other way; rod.elements = "
         << static_cast<long>(std::floor(own.elements * largest / half_turn)) + 1 << " has less";
    return StartProblem{is_driven ? "boundary.twist" : "motion.rotation", text.str()};
  }
  return std::nullopt;
}

}  // namespace rodeo::models
