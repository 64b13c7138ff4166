#include "rodeo/observe/linking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace rodeo::observe {

namespace {

/// Directions of view without any regard to the axes of decks, along which rods lie.
const std::array views = {
    normalized(Vec3{0.4387124, 0.6923871, 0.5726913}),   normalized(Vec3{-0.7712093, 0.2518837, 0.5846119}),
    normalized(Vec3{0.1298311, -0.8391277, 0.5281743}),  normalized(Vec3{0.6172219, -0.3418873, 0.7086521}),
    normalized(Vec3{-0.2871139, -0.4187733, 0.8614937}), normalized(Vec3{0.8817229, 0.4417159, -0.1658371}),
};

struct Segment {
  Vec3 first;
  Vec3 last;
};

/// A closed polygon, whose segments from `own` on were put in to close it.
struct Loop {
  std::vector<Segment> segments;
  std::size_t own = 0;
};

/// Closes a polygon; `aside` tells the far points of two curves apart.
Loop closed_loop(std::span<const Vec3> nodes, bool closed, const Vec3& aside) {
  Loop loop;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) loop.segments.push_back({nodes[i], nodes[i + 1]});
  loop.own = loop.segments.size();
  if (closed) return loop;
  Vec3 lowest = nodes.front();
  Vec3 highest = nodes.front();
  for (const Vec3& r : nodes) {
    lowest = {std::min(lowest.x, r.x), std::min(lowest.y, r.y), std::min(lowest.z, r.z)};
    highest = {std::max(highest.x, r.x), std::max(highest.y, r.y), std::max(highest.z, r.z)};
  }
  const Vec3 far = 0.5 * (lowest + highest) + 2.0 * norm(highest - lowest) * aside;
  loop.segments.push_back({nodes.back(), far});
  loop.segments.push_back({far, nodes.front()});
  return loop;
}

/// View along which no segment lies as nearly as in the others.
Vec3 clearest_view(const Loop& loop) {
  Vec3 best = views.front();
  double widest = -1.0;
  for (const Vec3& view : views) {
    double least = 1.0;
    for (const Segment& s : loop.segments) {
      least = std::min(least, norm(cross(view, s.last - s.first)) / norm(s.last - s.first));
    }
    if (least > widest) {
      widest = least;
      best = view;
    }
  }
  return best;
}

/// A segment as seen in a view, with the rectangle around it.
struct Seen {
  std::array<double, 2> first;
  std::array<double, 2> last;
  std::array<double, 2> lowest;
  std::array<double, 2> highest;
  std::size_t place;  ///< in its loop
  int loop;
};

std::vector<Seen> seen_along(const Vec3& view, std::span<const Loop* const> loops) {
  const Vec3 right = normalized(cross(view, std::abs(view.z) < 0.8 ? Vec3{0, 0, 1} : Vec3{1, 0, 0}));
  const Vec3 up = cross(view, right);
  std::vector<Seen> seen;
  for (std::size_t k = 0; k < loops.size(); ++k) {
    for (std::size_t i = 0; i < loops[k]->segments.size(); ++i) {
      const Segment& s = loops[k]->segments[i];
      Seen one{{dot(s.first, right), dot(s.first, up)},
               {dot(s.last, right), dot(s.last, up)},
               {},
               {},
               i,
               static_cast<int>(k)};
      for (std::size_t c = 0; c < 2; ++c) {
        one.lowest[c] = std::min(one.first[c], one.last[c]);
        one.highest[c] = std::max(one.first[c], one.last[c]);
      }
      seen.push_back(one);
    }
  }
  return seen;
}

/// Whether the ends of b lie on either side of the line through a.
bool parts(const Seen& a, const Seen& b) {
  const auto side = [&](const std::array<double, 2>& p) {
    return (a.last[0] - a.first[0]) * (p[1] - a.first[1]) - (a.last[1] - a.first[1]) * (p[0] - a.first[0]) >
           0.0;
  };
  return side(b.first) != side(b.last);
}

/// Sorts the segments along the direction in which they are spread out most, and visits pairs whose
/// rectangles overlap.
template <class Visit>
void for_each_overlap(std::vector<Seen> seen, const Visit& visit) {
  const auto spread = [&](std::size_t c) {
    const auto [least, greatest] =
        std::ranges::minmax_element(seen, {}, [c](const Seen& s) { return s.lowest[c]; });
    return greatest->lowest[c] - least->lowest[c];
  };
  const std::size_t along = spread(0) >= spread(1) ? 0 : 1;
  const std::size_t across = 1 - along;
  std::ranges::sort(seen, {}, [&](const Seen& s) { return std::pair(s.lowest[along], s.place); });
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Seen& a = seen[i];
    for (std::size_t j = i + 1; j < seen.size() && seen[j].lowest[along] <= a.highest[along]; ++j) {
      const Seen& b = seen[j];
      if (b.lowest[across] <= a.highest[across] && a.lowest[across] <= b.highest[across]) visit(a, b);
    }
  }
}

/// The sign of the crossing of two segments that are seen to cross, the same from every side.
int crossing_sign(const Segment& a, const Segment& b) {
  const double volume = dot(b.first - a.first, cross(b.last - b.first, a.last - a.first));
  return static_cast<int>(volume > 0.0) - static_cast<int>(volume < 0.0);
}

double share(const Segment& a, const Segment& b) { return segment_writhe(a.first, a.last, b.first, b.last); }

/// Turns of a fixed direction about the polygon.
double twist_of(const Vec3& view, const Loop& loop) {
  const std::size_t count = loop.segments.size();
  const auto tangent = [&](std::size_t i) {
    const Segment& s = loop.segments[i % count];
    return normalized(s.last - s.first);
  };
  const auto side = [&](const Vec3& t) { return normalized(view - dot(view, t) * t); };
  double twist = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 before = tangent(i);
    const Vec3 after = tangent(i + 1);
    twist += angle_about_tangents(side(before), before, side(after), after);
  }
  return twist / (2.0 * std::numbers::pi);
}

const Vec3 first_aside = normalized(Vec3{0.5318297, -0.6427731, 0.5513907});
const Vec3 second_aside = normalized(Vec3{-0.4728119, 0.3719427, 0.7987541});

}  // namespace

double writhe_by_crossings(std::span<const Vec3> nodes, bool closed) {
  const Loop loop = closed_loop(nodes, closed, first_aside);
  const std::size_t count = loop.segments.size();
  const Vec3 view = clearest_view(loop);
  const Loop* const loops[] = {&loop};
  int crossings = 0;
  for_each_overlap(seen_along(view, loops), [&](const Seen& a, const Seen& b) {
    const std::size_t apart = a.place > b.place ? a.place - b.place : b.place - a.place;
    if (apart == 1 || apart == count - 1) return;
    if (parts(a, b) && parts(b, a))
      crossings += crossing_sign(loop.segments[a.place], loop.segments[b.place]);
  });
  double closing = 0.0;
  for (std::size_t k = loop.own; k < count; ++k) {
    for (std::size_t i = 0; i < loop.own; ++i) closing += share(loop.segments[k], loop.segments[i]);
  }
  return crossings - twist_of(view, loop) - closing;
}

bool meet_at_ends(std::span<const Vec3> a, std::span<const Vec3> b) {
  const auto lies_on = [](const Vec3& end, std::span<const Vec3> nodes) {
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      if (have_common_point(end, end, nodes[i], nodes[i + 1])) return true;
    }
    return false;
  };
  return lies_on(a.front(), b) || lies_on(a.back(), b) || lies_on(b.front(), a) || lies_on(b.back(), a);
}

double gauss_integral_by_crossings(std::span<const Vec3> a, std::span<const Vec3> b) {
  const Loop first = closed_loop(a, false, first_aside);
  const Loop second = closed_loop(b, false, second_aside);
  const Loop* const loops[] = {&first, &second};
  int crossings = 0;
  for_each_overlap(seen_along(views.front(), loops), [&](const Seen& s, const Seen& t) {
    if (s.loop == t.loop || !parts(s, t) || !parts(t, s)) return;
    crossings += crossing_sign(loops[s.loop]->segments[s.place], loops[t.loop]->segments[t.place]);
  });
  double closing = 0.0;
  for (std::size_t k = first.own; k < first.segments.size(); ++k) {
    for (const Segment& s : second.segments) closing += share(first.segments[k], s);
  }
  for (std::size_t k = second.own; k < second.segments.size(); ++k) {
    for (std::size_t i = 0; i < first.own; ++i) closing += share(first.segments[i], second.segments[k]);
  }
  return 0.5 * (crossings - closing);
}

}  // namespace rodeo::observe
