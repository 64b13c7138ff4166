#include "start_warnings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "rodeo/models/models.hpp"
#include "rodeo/rod/initial_shape.hpp"

namespace rodeo {

namespace {

/// Reaches of a rod beyond which a point counts as far from it.
constexpr double far_share = 20.0;
/// Share of their distances at the start below which points of a rod count as too near to one another.
constexpr double small_share = 0.02;

std::array<double, 3> entries(const Vec3& v) { return {v.x, v.y, v.z}; }

int known_coordinates(const Vec3& measured) {
  return static_cast<int>(std::ranges::count_if(entries(measured), [](double x) { return !std::isnan(x); }));
}

/// Distance from a measured point to another one, in the known coordinates of the first.
double known_distance(const Vec3& measured, const Vec3& other) {
  double square = 0.0;
  for (std::size_t c = 0; c < 3; ++c) {
    const double way = entries(measured)[c] - entries(other)[c];
    if (!std::isnan(way)) square += way * way;
  }
  return std::sqrt(square);
}

/// A rod as it starts.
class StartingRod {
 public:
  explicit StartingRod(const MemberSpec& alone)
      : shape_(initial_shape(alone.rod)),
        length_(shape_.arc_lengths.back()),
        velocity_(norm(alone.rod.velocity)),
        acceleration_(norm(alone.load.gravity)),
        moves_freely_(!alone.rests() && alone.boundary.first == EndCondition::free &&
                      alone.boundary.last == EndCondition::free) {
    if (alone.rod.start && !alone.rod.start->positions.empty()) shape_.nodes = alone.rod.start->positions;
  }

  double length() const { return length_; }

  Vec3 position(const Place& at) const {
    const std::vector<Vec3>& nodes = shape_.nodes;
    if (at.kind == Place::Kind::node) return nodes[static_cast<std::size_t>(at.index)];
    if (at.kind == Place::Kind::start) return nodes.front();
    if (at.kind == Place::Kind::end) return nodes.back();
    const double arc = (at.kind == Place::Kind::middle ? 0.5 : at.arc) * length_;
    const auto beyond = std::ranges::upper_bound(shape_.arc_lengths, arc);
    if (beyond == shape_.arc_lengths.end()) return nodes.back();
    const auto next = static_cast<std::size_t>(beyond - shape_.arc_lengths.begin());
    const double fraction = (arc - shape_.arc_lengths[next - 1]) / shape_.rest_lengths[next - 1];
    return (1.0 - fraction) * nodes[next - 1] + fraction * nodes[next];
  }

  /// Distance that a point of the rod can well have come until a time, m.
  double reach(double time) const {
    return length_ + (moves_freely_ ? (velocity_ + 0.5 * acceleration_ * time) * time : 0.0);
  }

 private:
  InitialShape shape_;
  double length_;
  double velocity_;
  double acceleration_;
  bool moves_freely_;
};

/// Diagonal of the box around points, in the coordinates that are known of all.
class Extent {
 public:
  void add(const Vec3& point) {
    for (std::size_t c = 0; c < 3; ++c) {
      // A coordinate that one of them lacks is NaN from then on, and left out.
      const double x = entries(point)[c];
      lower_[c] = std::isnan(x) || x < lower_[c] ? x : lower_[c];
      upper_[c] = std::isnan(x) || x > upper_[c] ? x : upper_[c];
    }
  }

  double diagonal() const {
    double square = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double side = upper_[c] - lower_[c];
      if (!std::isnan(side)) square += side * side;
    }
    return std::sqrt(square);
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  std::array<double, 3> lower_ = {infinity, infinity, infinity};
  std::array<double, 3> upper_ = {-infinity, -infinity, -infinity};
};

class Doubts {
 public:
  Doubts(const MemberSpec& spec, const std::vector<std::string>& places)
      : data_(*spec.data), places_(places) {
    for (int k = 0; k < spec.rod_count(); ++k) rods_.emplace_back(rod_alone(spec, k));
  }

  std::optional<StartWarning> far() const {
    double largest = far_share;
    const DataPoint* farthest = nullptr;
    for (const DataPoint& point : data_) {
      if (point.weight == 0.0) continue;
      const StartingRod& rod = rod_of(point);
      const double share = known_distance(point.position, rod.position(point.at)) / rod.reach(point.time);
      if (share <= largest) continue;
      largest = share;
      farthest = &point;
    }
    if (farthest == nullptr) return std::nullopt;
    const StartingRod& rod = rod_of(*farthest);
    std::ostringstream text;
    text.precision(3);
    text << "at " << place(*farthest) << " they are "
         << known_distance(farthest->position, rod.position(farthest->at)) << " m from where a rod of "
         << rod.length() << " m starts there; are they in m, and is their origin that of the deck?";
    return StartWarning{"measured data are far from the rods", text.str()};
  }

  std::optional<StartWarning> small() const {
    std::map<std::pair<int, double>, std::pair<Extent, Extent>> extents;  // by rod and time
    for (const DataPoint& point : data_) {
      auto& [measured, start] = extents[{point.at.rod, point.time}];
      const Vec3 at = rod_of(point).position(point.at);
      measured.add(point.position);
      // In the coordinates that are known of the measured points.
      start.add(at + 0.0 * point.position);
    }
    double largest = 0.0;
    double apart = 0.0;
    bool any = false;
    for (const auto& [of, extent] : extents) {
      const double here = extent.second.diagonal();
      if (here < 0.1 * rods_[static_cast<std::size_t>(of.first)].length()) continue;
      any = true;
      largest = std::max(largest, extent.first.diagonal());
      apart = std::max(apart, here);
    }
    if (!any || largest >= small_share * apart) return std::nullopt;
    std::ostringstream text;
    text.precision(3);
    text << "points on one rod are measured within " << largest << " m of one another, and are up to "
         << apart << " m apart as it starts; are the data in m, and the lengths of the deck?";
    return StartWarning{"measured data are small for the rods", text.str()};
  }

  std::optional<StartWarning> zeros() const {
    std::size_t count = 0;
    const DataPoint* first = nullptr;
    for (const DataPoint& point : data_) {
      const StartingRod& rod = rod_of(point);
      const Vec3 start = rod.position(point.at);
      const bool is_zero = known_coordinates(point.position) > 1 && known_distance(point.position, {}) == 0.0;
      const bool starts_there = known_distance(point.position, start) < 1e-3 * rod.length();
      if (point.weight == 0.0 || !is_zero || starts_there) continue;
      if (count++ == 0) first = &point;
    }
    if (count == 0 || count == data_.size()) return std::nullopt;
    std::ostringstream text;
    text << "first at " << place(*first) << "; where these are gaps, leave the fields empty";
    return StartWarning{"some measured data are exactly 0 in all coordinates, away from where the rod starts",
                        text.str()};
  }

 private:
  const StartingRod& rod_of(const DataPoint& point) const {
    return rods_[static_cast<std::size_t>(point.at.rod)];
  }
  const std::string& place(const DataPoint& point) const {
    return places_.at(static_cast<std::size_t>(&point - data_.data()));
  }

  const MeasuredData& data_;
  const std::vector<std::string>& places_;
  std::vector<StartingRod> rods_;
};

/// Number of candidates that something holds for, and what is said of the first.
struct Affected {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::string text;

  void add(std::uint64_t candidate, std::string about) {
    if (count++ > 0) return;
    first = candidate;
    text = std::move(about);
  }

  /// `what` is said of some of them, all of which `whole` counts.
  std::string sentence(const std::string& what, std::uint64_t whole, bool adaptive) const {
    std::ostringstream sentence;
    sentence << what;
    if (whole == 1) {
      sentence << ": " << text;
      return sentence.str();
    }
    sentence << ", in " << count << " of " << whole
             << (adaptive ? " points at the parameters' bounds" : " candidates") << "; in "
             << (adaptive ? "point " : "candidate ") << first << ' ' << text;
    return sentence.str();
  }
};

void lessen(StepBound& least, const StepBound& bound) {
  if (bound.step < least.step) least = bound;
}

std::string step_text(double step, const StepBound& bound) {
  std::ostringstream text;
  text.precision(3);
  text << "the step is " << step << " s, and " << bound.by << " allows " << bound.step << " s";
  return text.str();
}

}  // namespace

std::vector<StartWarning> data_doubts(const MemberSpec& spec, const std::vector<std::string>& places) {
  std::vector<StartWarning> found;
  if (!spec.data) return found;
  const Doubts doubts(spec, places);
  for (auto& doubt : {doubts.far(), doubts.small(), doubts.zeros()}) {
    if (doubt) found.push_back(*doubt);
  }
  return found;
}

StartWarnings::StartWarnings(Study& study, const Look& look) {
  const bool adaptive = study.plan().adaptive();
  const std::vector<std::vector<double>> probes = study.probes();
  const std::uint64_t candidates = adaptive ? probes.size() : study.plan().candidates();
  Affected unstable;
  std::map<std::string_view, Affected> of_start;
  for (std::uint64_t k = 0; k < candidates; ++k) {
    const std::vector<double> point = adaptive ? probes[k] : study.plan().point(k);
    std::optional<MemberSpec> changed;
    if (study.has_reruns()) changed = study.job(k * study.members_of_candidate(), point).spec;
    const MemberSpec& spec = changed ? *changed : study.spec(point);
    if (look) look(k, point, spec);
    const StepBounds bounds = step_bounds(spec);
    lessen(least_.internal, bounds.internal);
    lessen(least_.contact, bounds.contact);
    lessen(least_.ground, bounds.ground);
    lessen(least_.connections, bounds.connections);
    lessen(least_.loads, bounds.loads);
    lessen(least_.all, bounds.all);
    if (spec.time.step > bounds.all.step) unstable.add(k, step_text(spec.time.step, bounds.all));
    for (const StartWarning& warning : warnings_at_start(spec))
      of_start[warning.what].add(k, warning.details);
    for (const StartWarning& doubt : data_doubts(spec, study.deck().places("measure.point"_key))) {
      of_start[doubt.what].add(k, doubt.details);
    }
  }
  if (unstable.count > 0) {
    texts_.push_back(unstable.sentence(
        "time.step is above its stability bound, so that members may diverge or gain energy", candidates,
        adaptive));
  }
  if (!study.start_note().empty()) texts_.push_back(study.start_note());
  for (const auto& [what, affected] : of_start) {
    texts_.push_back(affected.sentence(std::string(what), candidates, adaptive));
  }
}

}  // namespace rodeo
