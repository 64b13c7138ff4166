#include "data_doubts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

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

}  // namespace rodeo
