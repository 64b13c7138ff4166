#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/models/rows.hpp"
#include "rodeo/rod/initial_shape.hpp"
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
    const std::vector<double>& bending = properties.bend_inertias;
    const double inertia = 0.5 * properties.twist_inertia_ratio *
                           (bending[k == 0 ? 0 : k - 1] + bending[std::min(k, bending.size() - 1)]);
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

namespace {

bool turns_with_end(EndCondition end) {
  return end == EndCondition::clamped || end == EndCondition::clamped_sliding;
}

/// The regions of a rod that resist bending: between elements, and at ends that are held or joined by a seam.
class BentRegions {
 public:
  explicit BentRegions(const RodSetup& setup) : shape_(initial_shape(setup.rod)) {
    const std::size_t last = shape_.rest_curvatures.size() - 1;
    const bool closed = setup.rod.closed;
    first_ = !closed && turns_with_end(setup.boundary.first) ? 0 : 1;
    last_ = closed || turns_with_end(setup.boundary.last) ? last : last - 1;
  }

  /// Largest turn from one element to the next by rod.total_twist, which is even along the rod, rad.
  double largest_turn(double total_twist) const {
    double longest = 0.0;
    for (std::size_t k = first_; k <= last_; ++k) longest = std::max(longest, shape_.rest_voronoi[k]);
    return std::abs(total_twist) * longest / shape_.arc_lengths.back();
  }

  const std::vector<Vec3>& own_curvatures() const { return shape_.rest_curvatures; }

  /// Largest turn from one element to the next by such curvatures, rad; those that are not finite are
  /// ignored.
  double largest_turn(const std::vector<Vec3>& curvatures) const {
    double largest = 0.0;
    for (std::size_t k = first_; k <= last_; ++k) {
      const double here = shape_.rest_voronoi[k] * norm(curvatures[k]);
      if (std::isfinite(here)) largest = std::max(largest, here);
    }
    return largest;
  }

 private:
  InitialShape shape_;
  std::size_t first_;
  std::size_t last_;
};

/// Largest natural turn between two elements while formulas change it, by samples, rad.
double largest_driven_turn(const MemberSpec& rod, const BentRegions& regions) {
  const auto sets_curvature = [](const ActuationSpec& one) { return one.kind == ActuationKind::curvature; };
  if (!std::ranges::any_of(rod.actuation, sets_curvature)) return 0.0;
  constexpr int looks = 256;
  const double end = static_cast<double>(rod.time.steps) * rod.time.step;
  forces::ActuationTable table(rod);
  double largest = 0.0;
  std::vector<Vec3> curvatures;
  for (const std::vector<double>& live : rod.control.live_at_extremes()) {
    table.set_live(live);
    const forces::Actuation actuation = table.of_rod(0);
    for (int look = 0; look <= looks; ++look) {
      curvatures = regions.own_curvatures();
      for (int k = 0; k < actuation.count; ++k) {
        const forces::Actuator& actuator = actuation.actuators[k];
        if (actuator.kind != ActuationKind::curvature) continue;
        if (!actuator.is_steady) actuation.evaluate(OneThread{}, actuator, end * look / looks);
        for (std::size_t i = 0; i < curvatures.size(); ++i) {
          const double size = actuation.numbers[actuator.share + i] * actuation.numbers[actuator.size + i];
          curvatures[i] = curvatures[i] + size * actuator.axis;
        }
      }
      largest = std::max(largest, regions.largest_turn(curvatures));
    }
  }
  return largest;
}

/// Key that asks for most of the natural turn of a rod at rest.
std::string_view key_of_natural_turn(const RodSetup& setup, bool driven) {
  const auto bends = [](const ActuationSpec& one) {
    return one.kind == ActuationKind::curvature && one.axis.z == 0.0;
  };
  if (driven) return std::ranges::any_of(setup.actuation, bends) ? "actuation.curvature" : "actuation.twist";
  const Vec3& own = setup.rod.intrinsic_curvature;
  return std::abs(own.z) >= std::hypot(own.x, own.y) && own.z != 0.0 ? "rod.intrinsic_twist"
                                                                     : "rod.intrinsic_curvature";
}

std::string turn_text(std::string_view what, const RodSpec& rod, double turn) {
  std::ostringstream text;
  text.precision(3);
  text << what << " by " << turn
       << " rad from an element to the next, and half a turn or more is none but one the other way; ";
  if (rod.shape == RodShape::file) {
    text << "more nodes turn by less";
  } else {
    text << "rod.elements = " << static_cast<long>(std::floor(rod.elements * turn / half_turn)) + 1
         << " turns by less";
  }
  return text.str();
}

}  // namespace

std::optional<StartProblem> natural_turn_beyond_elements(const MemberSpec& spec) {
  if (spec.model != ModelKind::cosserat && spec.model != ModelKind::der) return std::nullopt;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const MemberSpec rod = rod_alone(spec, k);
    const bool has_own = norm(rod.rod.intrinsic_curvature) > 0.0;
    if (!has_own && rod.actuation.empty() && rod.rod.total_twist == 0.0) continue;
    const BentRegions regions(rod);
    if (const double twist = regions.largest_turn(rod.rod.total_twist); twist >= half_turn)
      return StartProblem{"rod.total_twist", turn_text("twists the rod", rod.rod, twist)};
    const double at_rest = has_own ? regions.largest_turn(regions.own_curvatures()) : 0.0;
    const double driven = at_rest < half_turn ? largest_driven_turn(rod, regions) : 0.0;
    const double largest = std::max(at_rest, driven);
    if (largest < half_turn) continue;
    return StartProblem{key_of_natural_turn(rod, at_rest < half_turn),
                        turn_text("turns the natural shape", rod.rod, largest)};
  }
  return std::nullopt;
}

}  // namespace rodeo::models
