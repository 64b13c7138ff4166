#include "natural_turn.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/initial_shape.hpp"

namespace rodeo::models {

namespace {

constexpr double most_turn = std::numbers::pi;

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
    text << "rod.elements = " << static_cast<long>(std::floor(rod.elements * turn / most_turn)) + 1
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
    if (const double twist = regions.largest_turn(rod.rod.total_twist); twist >= most_turn)
      return StartProblem{"rod.total_twist", turn_text("twists the rod", rod.rod, twist)};
    const double at_rest = has_own ? regions.largest_turn(regions.own_curvatures()) : 0.0;
    const double driven = at_rest < most_turn ? largest_driven_turn(rod, regions) : 0.0;
    const double largest = std::max(at_rest, driven);
    if (largest < most_turn) continue;
    return StartProblem{key_of_natural_turn(rod, at_rest < most_turn),
                        turn_text("turns the natural shape", rod.rod, largest)};
  }
  return std::nullopt;
}

}  // namespace rodeo::models
