#include "rodeo/member/held_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "rodeo/member/start_state.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

using connection::PointLink;
using connection::Site;
using contact::ElementPair;

class HeldPairs {
 public:
  HeldPairs(const MemberSpec& spec, const ConstRodView& start, const std::vector<Vec3>& positions)
      : start_(start), positions_(positions) {
    if (spec.contact.kind != ContactKind::penalty) tolerance_ = spec.contact.tolerance;
    const std::vector<RodPlace> places = rod_places(spec);
    for (std::size_t k = 0; k < places.size(); ++k) {
      Rod& rod = rods_.emplace_back(Rod{places[k], rod_alone(spec, static_cast<int>(k)).rod.closed, {0.0}});
      for (int i = rod.place.first; i < rod.place.first + rod.place.elements; ++i) {
        rod.arc.push_back(rod.arc.back() + length(i));
        thickest_ = std::max(thickest_, radius(i));
        longest_ = std::max(longest_, length(i));
      }
    }
  }

  /// Notes the pairs around two places that are held together, or at a distance `apart`.
  void add(const Site& a, const Site& b, double apart, bool side_by_side) {
    const Held first = held(a);
    const Held second = held(b);
    const double thinner = std::min(first.radius, second.radius);
    const double touch = first.radius + second.radius + tolerance_;
    if (apart >= touch - most_start_overlap * thinner) return;
    const double thicker = std::max(first.radius, second.radius);
    double across = 0.0;
    for (const Vec3& way_in : first.ways) {
      for (const Vec3& way_out : second.ways) {
        if (side_by_side) continue;
        across = std::max(across, contact::neighbourhood_of_joint(thicker, -1.0 * way_in, way_out));
      }
    }
    for_each_near(first, across, [&](int i, double to_first) {
      for_each_near(second, across, [&](int j, double to_second) {
        const double near =
            contact::neighbourhood(std::max(radius(i), radius(j)), std::max(length(i), length(j)));
        if (i == j || to_first + to_second >= std::max(near, across)) return;
        pairs_.insert({std::min(i, j), std::max(i, j)});
      });
    });
  }

  std::vector<ElementPair> pairs() const { return {pairs_.begin(), pairs_.end()}; }

 private:
  struct Rod {
    RodPlace place;
    bool closed;
    std::vector<double> arc;  ///< of each node, m
  };

  /// Place at which a rod is held.
  struct Held {
    const Rod* rod;
    double arc;              ///< m
    double radius;           ///< m
    std::vector<Vec3> ways;  ///< unit vectors along the rod from there
  };

  double length(int i) const { return start_.array(field::rest_length)[i]; }
  double radius(int i) const {
    return start_.array(field::contact_radius)[i] * std::sqrt(start_.array(field::inverse_rest_length)[i]);
  }
  Vec3 along(int i) const {
    const auto k = static_cast<std::size_t>(i);
    return normalized(positions_[k + 1] - positions_[k]);
  }

  Held held(const Site& site) const {
    const Rod& rod = *std::ranges::find_if(rods_, [&](const Rod& r) {
      return site.entry >= r.place.first &&
             site.entry < r.place.first + r.place.elements + (site.on_node ? 1 : 0);
    });
    const int i = site.entry - rod.place.first;
    const auto k = static_cast<std::size_t>(i);
    if (!site.on_node) {
      const Vec3 way = along(site.entry);
      return {&rod, rod.arc[k] + site.fraction * length(site.entry), radius(site.entry), {way, -1.0 * way}};
    }
    Held made{&rod, rod.arc[k], 0.0, {}};
    const int n = rod.place.elements;
    const auto go = [&](int element, double sign) {
      made.radius = std::max(made.radius, radius(rod.place.first + element));
      made.ways.push_back(sign * along(rod.place.first + element));
    };
    if (i > 0 || rod.closed) go(i > 0 ? i - 1 : n - 1, -1.0);
    if (i < n || rod.closed) go(i < n ? i : 0, 1.0);
    return made;
  }

  /// Calls visit(element, distance along the rod from the place to it).
  template <class Visit>
  void for_each_near(const Held& held, double across, const Visit& visit) const {
    const Rod& rod = *held.rod;
    const double whole = rod.arc.back();
    for (int i = 0; i < rod.place.elements; ++i) {
      const double begin = rod.arc[static_cast<std::size_t>(i)];
      const double end = rod.arc[static_cast<std::size_t>(i) + 1];
      double distance = std::max({begin - held.arc, held.arc - end, 0.0});
      if (rod.closed) distance = std::min({distance, begin + whole - held.arc, held.arc + whole - end});
      const int element = rod.place.first + i;
      if (distance < std::max(across, contact::neighbourhood(thickest_, longest_))) visit(element, distance);
    }
  }

  const ConstRodView& start_;
  const std::vector<Vec3>& positions_;  ///< of nodes by the rods' own shapes, m
  double tolerance_ = 0.0;              ///< m
  double thickest_ = 0.0;               ///< of the radii, m
  double longest_ = 0.0;                ///< element, m
  std::vector<Rod> rods_;
  std::set<ElementPair> pairs_;
};

/// Places that joints hold in one point, some of them by way of others.
class MeetingPoints {
 public:
  struct Point {
    std::vector<Site> sites;
    bool in_one = true;  ///< none is carried by an arm
  };

  void join(const Site& a, const Site& b, bool in_one) {
    Point joined = take(a);
    const bool already = std::ranges::any_of(joined.sites, [&](const Site& s) { return is_same(s, b); });
    Point other = already ? Point{} : take(b);
    joined.sites.insert(joined.sites.end(), other.sites.begin(), other.sites.end());
    joined.in_one = joined.in_one && other.in_one && in_one;
    points_.push_back(std::move(joined));
  }

  const std::vector<Point>& all() const { return points_; }

 private:
  static bool is_same(const Site& a, const Site& b) {
    return a.entry == b.entry && a.on_node == b.on_node && a.fraction == b.fraction;
  }

  /// The point at which a place is so far, taken from the list; a new one if there is none.
  Point take(const Site& site) {
    const auto found = std::ranges::find_if(points_, [&](const Point& point) {
      return std::ranges::any_of(point.sites, [&](const Site& s) { return is_same(s, site); });
    });
    if (found == points_.end()) return {{site}, true};
    Point point = std::move(*found);
    points_.erase(found);
    return point;
  }

  std::vector<Point> points_;
};

}  // namespace

std::vector<ElementPair> held_pairs(const MemberSpec& spec, const ConstRodView& start,
                                    const connection::Parts& parts) {
  if (spec.contact.kind == ContactKind::none || spec.connections.empty()) return {};
  const std::vector<Vec3> positions = own_positions(spec);
  const auto centre = [&](const Site& site) {
    const auto k = static_cast<std::size_t>(site.entry);
    const Vec3 from = positions[k];
    if (site.on_node) return from;
    return from + site.fraction * (positions[k + 1] - from);
  };
  HeldPairs held(spec, start, positions);
  MeetingPoints points;
  for (const connection::NodeJoint& joint : parts.joints) {
    const auto node = [&](int share) {
      return Site{parts.shares[static_cast<std::size_t>(share)].from, true, 0.0, {}};
    };
    for (int k = joint.first + 1; k < joint.first + joint.count; ++k) {
      const bool is_ghost = parts.shares[static_cast<std::size_t>(k)].weight == 0.0;
      if (!is_ghost) points.join(node(joint.first), node(k), true);
    }
  }
  for (const PointLink& link : parts.points) {
    if (link.central && link.length > 0.0) continue;
    const auto& [a, b] = link.sites;
    if (link.of_bond) {
      held.add(a, b, norm(centre(b) - centre(a)), true);
    } else {
      points.join(a, b, link.central);
    }
  }
  for (const MeetingPoints::Point& point : points.all()) {
    for (std::size_t k = 0; k < point.sites.size(); ++k) {
      for (std::size_t m = 0; m < k; ++m) {
        const Site& a = point.sites[m];
        const Site& b = point.sites[k];
        held.add(a, b, point.in_one ? 0.0 : norm(centre(b) - centre(a)), false);
      }
    }
  }
  return held.pairs();
}

}  // namespace rodeo
