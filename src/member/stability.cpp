#include "rodeo/member/stability.hpp"

#include <algorithm>
#include <queue>
#include <utility>

#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

/// Rods that joints and connections join, with their lengths.
class JoinedRods {
 public:
  explicit JoinedRods(const MemberSpec& spec) : beside_(static_cast<std::size_t>(spec.rod_count())) {
    const std::vector<RodPlace> places = rod_places(spec);
    for (std::size_t k = 0; k < places.size(); ++k) {
      lengths_.push_back(rod_alone(spec, static_cast<int>(k)).rod.length);
      if (places[k].joint != JointKind::none) join(k - 1, k);
    }
    for (const ConnectionSpec& c : spec.connections)
      join(static_cast<std::size_t>(c.ends[0].rod), static_cast<std::size_t>(c.ends[1].rod));
  }

  /// For each rod, the length along rods from one end to the other of the assembly it belongs to, m.
  std::vector<double> spans() const {
    std::vector<double> spans(lengths_.size(), 0.0);
    for (std::size_t k = 0; k < spans.size(); ++k) {
      if (spans[k] > 0.0) continue;
      spans[k] = lengths_[k];
      if (beside_[k].empty()) continue;
      const Ways there = ways_from(farthest(ways_from(k)));
      const double span = there[farthest(there)];
      for (std::size_t m = 0; m < spans.size(); ++m) {
        if (std::isfinite(there[m])) spans[m] = span;
      }
    }
    return spans;
  }

 private:
  using Ways = std::vector<double>;

  void join(std::size_t a, std::size_t b) {
    beside_[a].push_back(b);
    beside_[b].push_back(a);
  }

  /// Lengths of the shortest paths from a rod to the far ends of all, m; infinite where none exists.
  Ways ways_from(std::size_t rod) const {
    Ways ways(lengths_.size(), std::numeric_limits<double>::infinity());
    using Step = std::pair<double, std::size_t>;
    std::priority_queue<Step, std::vector<Step>, std::greater<>> next;
    next.push({lengths_[rod], rod});
    while (!next.empty()) {
      const auto [way, at] = next.top();
      next.pop();
      if (way >= ways[at]) continue;
      ways[at] = way;
      for (const std::size_t other : beside_[at]) next.push({way + lengths_[other], other});
    }
    return ways;
  }

  static std::size_t farthest(const Ways& ways) {
    const auto less = [](double a, double b) { return std::isfinite(b) && !(a >= b); };
    return static_cast<std::size_t>(std::ranges::max_element(ways, less) - ways.begin());
  }

  std::vector<double> lengths_;
  std::vector<std::vector<std::size_t>> beside_;
};

}  // namespace

double slowest_rate(const MemberSpec& spec) {
  const std::vector<double> spans = JoinedRods(spec).spans();
  double slowest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    const double line_mass = rod.density * M_PI * rod.radius * rod.radius;
    const double rate = std::pow(M_PI / spans[static_cast<std::size_t>(k)], 4);
    slowest = std::min(slowest, rate * rod.weaker_bend_stiffness() / line_mass);
  }
  return slowest;
}

}  // namespace rodeo
