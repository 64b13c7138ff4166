#include "rodeo/connection/build_connections.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

#include "rodeo/rod/natural_ends.hpp"
#include "rodeo/rod/rod_places.hpp"
#include "rodeo/rod/rod_properties.hpp"

namespace rodeo::connection {

namespace {

/// Nodes that stand no farther apart than this, over the length of an element, stand together.
constexpr double together = 1e-6;

std::string metres(double length) {
  std::ostringstream text;
  text.precision(3);
  text << length << " m";
  return text.str();
}

/// Data of a rod that connections read besides its arrays.
struct Rod {
  RodPlace place;
  RodSpec spec;
  BoundarySpec boundary;
  InitialShape shape;
  RodProperties properties;

  double half_length(int element) const {
    return 0.5 * shape.rest_lengths[static_cast<std::size_t>(element)];
  }
  /// Compliances of half an element on one side of a node, 1/N and 1/(N m); region `node` lies around it.
  double stretch_compliance(int element) const {
    return half_length(element) / properties.stretch_stiffnesses[static_cast<std::size_t>(element)];
  }
  double bend_compliance(int element, int node) const {
    return half_length(element) / properties.bend_stiffnesses[static_cast<std::size_t>(node)];
  }
  /// Excess of the compliance about d2 over that about d1, relative to the latter.
  double second_excess() const { return 1.0 / properties.second_bend_ratio - 1.0; }
  double twist_compliance(int element, int node) const {
    return half_length(element) / properties.twist_stiffnesses[static_cast<std::size_t>(node)];
  }
};

std::vector<Rod> rods_of(const MemberSpec& spec) {
  const std::vector<RodPlace> places = rod_places(spec);
  std::vector<Rod> rods;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const MemberSpec one = rod_alone(spec, static_cast<int>(k));
    Rod rod{places[k], one.rod, one.boundary, initial_shape(one.rod), {}};
    rod.properties = rod_properties(rod.spec, rod.shape);
    if (places[k].joint != JointKind::none) rod.boundary.first = EndCondition::free;
    if (k + 1 < places.size() && places[k + 1].joint != JointKind::none)
      rod.boundary.last = EndCondition::free;
    rods.push_back(std::move(rod));
  }
  return rods;
}

class Builder {
 public:
  Builder(const MemberSpec& spec, const RodView& member)
      : spec_(spec), member_(member), rods_(rods_of(spec)), own_positions_(own_positions(spec)) {
    for (int i = 0; i <= member.elements; ++i) group_.push_back(i);
  }

  Parts build() {
    for (number_ = 0; number_ < spec_.connections.size(); ++number_) add(spec_.connections[number_]);
    const auto starts_elsewhere = [](const Rod& r) {
      return r.spec.start && !r.spec.start->positions.empty();
    };
    if (std::ranges::any_of(rods_, starts_elsewhere)) parts_.break_overloaded(member_);
    add_targets();
    add_joints();
    return std::move(parts_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw Impossible(number_, why); }

  const Rod& rod(const ConnectionEnd& end) const { return rods_[static_cast<std::size_t>(end.rod)]; }

  /// Entry of a node in the arrays; the last one of a closed rod has that of the first.
  int node(const ConnectionEnd& end) const {
    const Rod& r = rod(end);
    return r.place.first + (r.spec.closed && end.node == r.place.elements ? 0 : end.node);
  }
  int element(const ConnectionEnd& end) const { return rod(end).place.first + end.element; }

  /// Position by the rods' own shapes, as all that connections measure: a state that motion starts from may
  /// be under stress.
  Vec3 position(int entry) const { return own_positions_[static_cast<std::size_t>(entry)]; }
  /// Frame of an element; at -1 and after the last element the directors of the end.
  static Quaternion orientation(const Rod& r, int element) {
    return r.shape.frames[static_cast<std::size_t>(element + 1)];
  }

  Vec3 point(const ConnectionEnd& end) const {
    if (end.node >= 0) return position(node(end));
    const int i = element(end);
    return (1.0 - end.fraction) * position(i) + end.fraction * position(i + 1);
  }

  Site site(const ConnectionEnd& end) const {
    if (end.node >= 0) return {node(end), true, 0.0, {}};
    return {element(end), false, end.fraction, {}};
  }

  /// Site whose arm reaches to `to`.
  Site reaching(const ConnectionEnd& end, const Vec3& to) const {
    Site made = site(end);
    if (!made.on_node) made.arm = directors(orientation(rod(end), end.element)).to_body(to - point(end));
    return made;
  }

  void add(const ConnectionSpec& c) {
    if (c.kind == ConnectionKind::bond) return add_bond(c);
    const Site a = site(c.ends[0]);
    const Site b = site(c.ends[1]);
    if (a.on_node == b.on_node && a.entry == b.entry && (a.on_node || a.fraction == b.fraction))
      refuse("both places are the same");
    if (c.kind == ConnectionKind::spring) return add_spring(c);
    hold_together(c);
    if (c.kind != ConnectionKind::ball) hold_angle(c);
  }

  void add_spring(const ConnectionSpec& c) {
    PointLink link;
    link.sites[0] = site(c.ends[0]);
    link.sites[1] = site(c.ends[1]);
    link.stiffness = *c.stiffness;
    link.length = c.length.value_or(norm(point(c.ends[1]) - point(c.ends[0])));
    link.damping = c.damping;
    parts_.points.push_back(link);
  }

  /// Default stiffness of the spring that holds a joint.
  double own_stiffness(const ConnectionSpec& c) const {
    return 1.0 / (stretch_compliance(c.ends[0]) + stretch_compliance(c.ends[1]));
  }

  /// Holds the two places of a joint together.
  void hold_together(const ConnectionSpec& c) {
    const Vec3 a = point(c.ends[0]);
    const Vec3 b = point(c.ends[1]);
    const bool nodes = c.ends[0].node >= 0 && c.ends[1].node >= 0;
    if (nodes) {
      const double apart = norm(member_.vec3(field::position, node(c.ends[1])) -
                                member_.vec3(field::position, node(c.ends[0])));  // at the start
      if (apart > together * std::max(element_length(c.ends[0]), element_length(c.ends[1]))) {
        refuse("these nodes stand " + metres(apart) +
               " apart, and a joint takes nodes that stand together; an element carries a joint over a "
               "distance, and connection.spring with length 0 draws nodes together");
      }
      if (!c.stiffness) {
        if (c.damping > 0.0)
          refuse("two nodes that move as one have nothing to damp: damping takes a stiffness");
        return join(node(c.ends[0]), node(c.ends[1]));
      }
    }
    const Vec3 meet = c.ends[0].node >= 0 ? a : c.ends[1].node >= 0 ? b : 0.5 * (a + b);
    PointLink link;
    link.central = nodes;
    link.sites[0] = reaching(c.ends[0], meet);
    link.sites[1] = reaching(c.ends[1], meet);
    link.stiffness = c.stiffness.value_or(own_stiffness(c));
    link.damping = c.damping;
    parts_.points.push_back(link);
  }

  /// Joins two nodes, and with them all nodes of both their groups.
  void join(int a, int b) {
    const int from = group_[static_cast<std::size_t>(b)];
    const int to = group_[static_cast<std::size_t>(a)];
    for (std::size_t i = 0; i < group_.size(); ++i) {
      if (group_[i] == from) group_[i] = to;
    }
    joined_by_.try_emplace(a, number_);
    joined_by_.try_emplace(b, number_);
  }

  double element_length(const ConnectionEnd& end) const {
    return rod(end).shape.rest_lengths[static_cast<std::size_t>(next_to(end).front().element)];
  }

  double stretch_compliance(const ConnectionEnd& end) const {
    return rod(end).stretch_compliance(next_to(end).front().element);
  }

  /// An element next to a place, and which of its nodes the place is, if it is one.
  struct Neighbour {
    int element;
    int node;
  };

  std::vector<Neighbour> next_to(const ConnectionEnd& end) const {
    const Rod& r = rod(end);
    const int n = r.place.elements;
    if (end.node < 0) return {{end.element, -1}};
    const int i = r.spec.closed && end.node == n ? 0 : end.node;
    if (i == 0 && !r.spec.closed) return {{0, 0}};
    if (i == n) return {{n - 1, n}};
    return {{i == 0 ? n - 1 : i - 1, i == 0 ? n : i}, {i, i}};
  }

  /// Frames that a joint turns with on one side: that of an element, those on both sides of an inner node, of
  /// which it holds the mean, or the directors of a clamp.
  struct Side {
    struct Frame {
      int entry;
      double weight;   ///< in the mean
      Quaternion own;  ///< if what lies between it and the place had its natural curvature
    };
    std::vector<Frame> frames;
    bool clamped = false;
    double bend = 0.0;    ///< compliance about d1 from there to the place, rad/(N m)
    double twist = 0.0;   ///< about d3
    double excess = 0.0;  ///< Rod::second_excess()
  };

  /// Makes a side. At an inner node both halves bear, side by side: the node turns with the mean of its
  /// elements by the stiffness of their halves. The directors of a clamp, and held elements, stand still.
  Side side_of(const ConnectionEnd& end) const {
    const Rod& r = rod(end);
    const std::vector<Neighbour> near = next_to(end);
    Side side;
    side.excess = r.second_excess();
    const auto add_as = [&](int element, double weight, const Quaternion& own) {
      side.frames.push_back({r.place.first + element, weight, own});
    };
    const auto add = [&](int element, double weight) { add_as(element, weight, orientation(r, element)); };
    const Neighbour& only = near.front();
    if (near.size() == 2) {
      const double first = r.bend_compliance(near[0].element, near[0].node);
      const double second = r.bend_compliance(near[1].element, near[1].node);
      const double weight = second / (first + second);
      side.bend = weight * first;
      side.twist = weight * r.twist_compliance(near[0].element, near[0].node);
      const auto [before, after] = natural_frames(r, near[0].element, near[1].element);
      add_as(near[0].element, weight, before);
      add_as(near[1].element, first / (first + second), after);
      return side;
    }
    const bool at_first = only.element == 0;
    const bool at_last = only.element == r.place.elements - 1;
    const auto holds_element = [](EndCondition held) { return held == EndCondition::clamped_element; };
    if ((at_first && holds_element(r.boundary.first)) || (at_last && holds_element(r.boundary.last))) {
      add(only.element, 1.0);
      return side;
    }
    if (end.node >= 0 && has_still_directors(r, end.node == 0)) {
      side.clamped = true;
      add(end.node == 0 ? -1 : r.place.elements, 1.0);
      return side;
    }
    if (end.node >= 0) {
      side.bend = r.bend_compliance(only.element, only.node);
      side.twist = r.twist_compliance(only.element, only.node);
      add_as(only.element, 1.0, end.node == 0 ? natural_first_frame(r.shape) : natural_last_frame(r.shape));
    } else {  // between the nodes of an element, whose stiffnesses differ where the rod tapers
      const int i = only.element;
      const double f = end.fraction;
      side.bend = (1.0 - f) * r.bend_compliance(i, i) + f * r.bend_compliance(i, i + 1);
      side.twist = (1.0 - f) * r.twist_compliance(i, i) + f * r.twist_compliance(i, i + 1);
      add(only.element, 1.0);
    }
    return side;
  }

  /// Frames of the elements beside a node as natural curvature makes them from its directors in between.
  static std::pair<Quaternion, Quaternion> natural_frames(const Rod& r, int before, int after) {
    const Quaternion first = orientation(r, before);
    const double all = r.half_length(before) + r.half_length(after);
    const Vec3 turn = rotation_vector(conjugate(first) * orientation(r, before + 1));
    const Quaternion node = first * rotation((r.half_length(before) / all) * turn);
    const Vec3 natural = r.shape.rest_curvatures[static_cast<std::size_t>(after)];
    const Quaternion second = node * rotation(r.half_length(after) * natural);
    return {node * rotation(-r.half_length(before) * natural),
            after > before ? second : second * conjugate(r.shape.seam)};
  }

  /// Whether a clamp holds the directors of an end, which no boundary.twist turns, or a motion that holds
  /// them still and for good.
  bool has_still_directors(const Rod& r, bool first) const {
    const EndCondition end = first ? r.boundary.first : r.boundary.last;
    const bool clamped = end == EndCondition::clamped || end == EndCondition::clamped_sliding;
    const auto number = &r - rods_.data();
    const MotionKind kind = first ? MotionKind::first_end : MotionKind::last_end;
    return (r.boundary.twist == 0.0 && clamped) ||
           std::ranges::any_of(spec_.motions, [&](const MotionSpec& motion) {
             return motion.rod == number && motion.kind == kind && !motion.alone && motion.first_step == 0 &&
                    motion.last_step == MotionSpec::forever && motion.course.front().constant();
           });
  }

  /// K/2 |mean of one side - mean of the other|^2 as springs between any two frames: those between the sides,
  /// each with both weights, less those between the two of a side, which would stiffen the rod itself.
  void hold_angle(const ConnectionSpec& c) {
    const Side sides[2] = {side_of(c.ends[0]), side_of(c.ends[1])};
    const Vec3 axis = c.axis.value_or(directors(sides[0].frames.front().own).d1);
    for (const Side::Frame& first : sides[0].frames) {
      for (const Side::Frame& second : sides[1].frames) {
        if (first.entry == second.entry) refuse("an element always keeps its angle with itself");
      }
    }
    const auto is_still = [](const Side& side) { return side.clamped || side.bend == 0.0; };
    if (is_still(sides[0]) && is_still(sides[1])) return;
    const auto add = [&](int base, const Side::Frame& first, int other, const Side::Frame& second,
                         const Quaternion& to_other, double share) {
      TurnLink link;
      link.elements[0] = first.entry;
      link.elements[1] = second.entry;
      if (base != other) {
        link.clamped[0] = sides[base].clamped;
        link.clamped[1] = sides[other].clamped;
      }
      link.hinge = c.kind == ConnectionKind::hinge;
      link.damping = share * c.rotational_damping;
      link.rest = conjugate(first.own) * second.own;
      link.axes[0] = directors(first.own).to_body(axis);
      link.axes[1] = directors(second.own).to_body(axis);
      set_stiffness(c, sides[base], sides[1 - base], conjugate(first.own) * to_other, link);
      for (Vec3& row : link.stiffness) row = share * row;
      parts_.turns.push_back(link);
    };
    for (const Side::Frame& first : sides[0].frames) {
      for (const Side::Frame& second : sides[1].frames)
        add(0, first, 1, second, second.own, first.weight * second.weight);
    }
    for (const int k : {0, 1}) {
      const std::vector<Side::Frame>& own = sides[k].frames;
      if (own.size() == 2)
        add(k, own[0], k, own[1], sides[1 - k].frames.front().own, -own[0].weight * own[1].weight);
    }
  }

  /// The compliances of both sides and of the joint itself add, each side's 1/B1 (I - d3 d3') + 1/B3 d3 d3'
  /// with its own d3, and more about d2; a hinge takes the part across its axis. In the frame of `a`, from
  /// which `turn` leads to that of `b`.
  static void set_stiffness(const ConnectionSpec& c, const Side& a, const Side& b, const Quaternion& turn,
                            TurnLink& link) {
    const double of_joint = c.rotational_stiffness ? 1.0 / *c.rotational_stiffness : 0.0;
    const double bend = a.bend + b.bend + of_joint;
    const double twist_a = a.twist - a.bend;
    const double twist_b = b.twist - b.bend;
    const auto [d1, v, u] = directors(turn);
    const double second_a = a.excess * a.bend;
    const double second_b = b.excess * b.bend;
    const Vec3 compliance[3] = {Vec3{bend, 0, 0} + (twist_b * u.x) * u + (second_b * v.x) * v,
                                Vec3{0, bend + second_a, 0} + (twist_b * u.y) * u + (second_b * v.y) * v,
                                Vec3{0, 0, bend + twist_a} + (twist_b * u.z) * u + (second_b * v.z) * v};
    if (link.hinge) return set_across(compliance, link);
    const double scale = 1.0 / dot(compliance[0], cross(compliance[1], compliance[2]));
    for (int i = 0; i < 3; ++i)
      link.stiffness[i] = scale * cross(compliance[(i + 1) % 3], compliance[(i + 2) % 3]);
  }

  /// A turn t across the axis moves the axis by t x a: so the energy t.K t/2, where K is the inverse of the
  /// compliance C across the axis, is d.(C/det C) d/2 by the way d that the axis moves. Along the axis, where
  /// d is of second order, the mean makes the energy that of k (1 - a_1.a_2) where all directions are alike.
  static void set_across(const Vec3 (&compliance)[3], TurnLink& link) {
    const Vec3& a = link.axes[0];
    const Vec3 some = std::abs(a.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 p = normalized(cross(a, some));
    const Vec3 q = cross(a, p);
    const auto times = [&](const Vec3& t) {
      return Vec3{dot(compliance[0], t), dot(compliance[1], t), dot(compliance[2], t)};
    };
    const double pp = dot(p, times(p));
    const double pq = dot(p, times(q));
    const double qq = dot(q, times(q));
    const double scale = 1.0 / (pp * qq - pq * pq);
    const auto row = [&](double px, double qx, double ax) {
      return scale * ((pp * px + pq * qx) * p + (pq * px + qq * qx) * q + (0.5 * (pp + qq) * ax) * a);
    };
    link.stiffness[0] = row(p.x, q.x, a.x);
    link.stiffness[1] = row(p.y, q.y, a.y);
    link.stiffness[2] = row(p.z, q.z, a.z);
  }

  /// Point of a rod nearest to a given one.
  struct Facing {
    int element = 0;
    double fraction = 0.0;
    Vec3 point;
    double distance = 0.0;  ///< m
    double beyond = 0.0;    ///< an end of the rod, along it, m
  };

  Facing facing(const Rod& other, const Vec3& from) const {
    Facing nearest;
    nearest.distance = std::numeric_limits<double>::infinity();
    for (int i = 0; i < other.place.elements; ++i) {
      const Vec3 begin = position(other.place.first + i);
      const Vec3 edge = position(other.place.first + i + 1) - begin;
      const double along = dot(from - begin, edge) / dot(edge, edge);
      const double fraction = std::clamp(along, 0.0, 1.0);
      const Vec3 point = begin + fraction * edge;
      const double distance = norm(from - point);
      if (distance >= nearest.distance) continue;
      const bool end =
          !other.spec.closed && ((i == 0 && along < 0.0) || (i + 1 == other.place.elements && along > 1.0));
      nearest = {i, fraction, point, distance, end ? std::abs(along - fraction) * norm(edge) : 0.0};
    }
    return nearest;
  }

  void add_bond(const ConnectionSpec& c) {
    const Rod& a = rod(c.ends[0]);
    const Rod& b = rod(c.ends[1]);
    if (&a == &b) refuse("a bond takes two rods");
    const bool everywhere = c.arc[0] == 0.0 && c.arc[1] == 1.0;
    const double begin = c.arc[0] * a.shape.arc_lengths.back();
    const double end = c.arc[1] * a.shape.arc_lengths.back();
    std::size_t bonded = 0;
    for (int i = 0; i < a.place.elements; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double low = std::max(a.shape.arc_lengths[k], begin);
      const double high = std::min(a.shape.arc_lengths[k + 1], end);
      const double length = high - low;
      if (length <= 1e-9 * a.shape.rest_lengths[k]) continue;
      const double fraction = (0.5 * (high + low) - a.shape.arc_lengths[k]) / a.shape.rest_lengths[k];
      const ConnectionEnd here = {c.ends[0].rod, -1, i, fraction};
      const Vec3 from = point(here);
      const Facing there = facing(b, from);
      if (there.beyond > 1e-6 * a.shape.rest_lengths[k]) {
        if (everywhere) continue;
        refuse("element " + std::to_string(i) + " of rod " + std::to_string(c.ends[0].rod) + " stands " +
               metres(there.beyond) + " beyond an end of rod " + std::to_string(c.ends[1].rod));
      }
      ++bonded;
      const ConnectionEnd opposite = {c.ends[1].rod, -1, there.element, there.fraction};
      const double own = a.properties.radii[k];
      const double other = b.properties.radii[static_cast<std::size_t>(there.element)];
      const Vec3 meet = from + (own / (own + other)) * (there.point - from);
      PointLink link;
      link.central = false;
      link.of_bond = true;
      link.sites[0] = reaching(here, meet);
      link.sites[1] = reaching(opposite, meet);
      link.stiffness = *c.stiffness * length;
      link.damping = c.damping * length;
      if (std::isfinite(c.strength)) link.strength = c.strength * length;
      parts_.points.push_back(link);
    }
    if (bonded == 0) refuse("no element of the first rod faces the second");
  }

  /// Lists the shares of loads that each node and element sums up, in the order of the links.
  void add_targets() {
    std::map<int, std::vector<Share>> nodes;
    std::map<int, std::vector<Share>> elements;
    for (std::size_t k = 0; k < parts_.points.size(); ++k) {
      const int load = 3 * static_cast<int>(k);
      for (int side = 0; side < 2; ++side) {
        const Site& s = parts_.points[k].sites[side];
        const double sign = side == 0 ? 1.0 : -1.0;
        nodes[s.entry].push_back({load, s.on_node ? sign : sign * (1.0 - s.fraction)});
        if (s.on_node) continue;
        nodes[s.entry + 1].push_back({load, sign * s.fraction});
        if (!parts_.points[k].central) elements[s.entry].push_back({load + 1 + side, 1.0});
      }
    }
    const int couples = 3 * static_cast<int>(parts_.points.size());
    for (std::size_t k = 0; k < parts_.turns.size(); ++k) {
      for (int side = 0; side < 2; ++side) {
        if (parts_.turns[k].clamped[side]) continue;
        elements[parts_.turns[k].elements[side]].push_back({couples + 2 * static_cast<int>(k) + side, 1.0});
      }
    }
    parts_.node_targets = static_cast<int>(nodes.size());
    for (const auto* const list : {&nodes, &elements}) {
      for (const auto& [entry, shares] : *list) {
        parts_.targets.push_back(
            {entry, static_cast<int>(parts_.shares.size()), static_cast<int>(shares.size())});
        parts_.shares.insert(parts_.shares.end(), shares.begin(), shares.end());
      }
    }
  }

  /// How a node may move.
  struct Freedom {
    bool held = false;
    std::optional<Vec3> slides;
  };

  Freedom freedom(int entry) const {
    Freedom found;
    found.held = member_.array(field::velocity_gain)[entry] == 0.0;
    for (const Rod& r : rods_) {
      const auto slides = [](EndCondition end) {
        return end == EndCondition::pinned_sliding || end == EndCondition::clamped_sliding;
      };
      if ((entry == r.place.first && slides(r.boundary.first)) ||
          (entry == r.place.first + r.place.elements && slides(r.boundary.last)))
        found.slides = r.spec.direction;
    }
    return found;
  }

  /// Refuses motions of a joined node, as what motions hold is one node, with its own mass.
  void refuse_motion(int entry) const {
    for (const MotionSpec& motion : spec_.motions) {
      const RodPlace& place = rods_[static_cast<std::size_t>(motion.rod)].place;
      if (motion.kind != MotionKind::node || place.first + motion.index != entry) continue;
      refuse("node " + std::to_string(motion.index) + " of rod " + std::to_string(motion.rod) +
             " is held by motion.position, which a node that is one with another cannot be: with a "
             "stiffness a spring holds this joint");
    }
  }

  void add_joints() {
    std::map<int, std::vector<int>> groups;
    for (int i = 0; i <= member_.elements; ++i) {
      if (joined_by_.contains(i)) groups[group_[static_cast<std::size_t>(i)]].push_back(i);
    }
    for (const auto& [group, nodes] : groups) {
      NodeJoint joint;
      joint.first = static_cast<int>(parts_.shares.size());
      double mass = 0.0;
      for (const int i : nodes) mass += member_.array(field::mass)[i];
      for (const int i : nodes) {
        number_ = joined_by_.at(i);
        refuse_motion(i);
        const Freedom may = freedom(i);
        if (may.held && (joint.leader >= 0 || joint.slides)) refuse(held_twice);
        if (may.slides && joint.leader >= 0) refuse(held_twice);
        if (may.slides && joint.slides && norm(cross(*may.slides, joint.axis)) > 1e-9) refuse(held_twice);
        if (may.held) joint.leader = i;
        if (may.slides) {
          joint.slides = true;
          joint.axis = *may.slides;
        }
        parts_.shares.push_back({i, member_.array(field::mass)[i] / mass});
      }
      for (const Rod& r : rods_) {  // the ghost of a closed rod's first node
        if (r.spec.closed && std::ranges::find(nodes, r.place.first) != nodes.end())
          parts_.shares.push_back({r.place.first + r.place.elements, 0.0});
      }
      joint.count = static_cast<int>(parts_.shares.size()) - joint.first;
      const Vec3 place = member_.vec3(field::position, joint.leader >= 0 ? joint.leader : nodes.front());
      for (int i = joint.first; i < joint.first + joint.count; ++i)
        member_.set_vec3(field::position, parts_.shares[static_cast<std::size_t>(i)].from, place);
      share_velocity(joint);
      parts_.joints.push_back(joint);
    }
  }

  /// Gives the nodes of a joint their common velocity at the start.
  void share_velocity(const NodeJoint& joint) {
    std::vector<Vec3> none;
    parts_.joints.push_back(joint);
    Connections all = parts_.view(none);
    all.joints += all.joint_count - 1;
    all.joint_count = 1;
    all.constrain_joints(OneThread{}, member_);
    parts_.joints.pop_back();
  }

  static constexpr const char* held_twice =
      "the nodes that this joins are held by two boundary conditions, of which one is enough";

  const MemberSpec& spec_;
  const RodView& member_;
  std::vector<Rod> rods_;
  std::vector<Vec3> own_positions_;
  Parts parts_;
  std::vector<int> group_;                ///< of each node: those with the same number are one
  std::map<int, std::size_t> joined_by_;  ///< nodes and the first connection that joins each
  std::size_t number_ = 0;                ///< of the connection
};

}  // namespace

void Parts::break_overloaded(const RodView& member) {
  for (PointLink& link : points) {
    if (link.is_overloaded(member)) link.broken = 1;
  }
}

double Parts::energy(const RodView& member) const {
  double sum = 0.0;
  for (const PointLink& link : points) sum += link.energy(member);
  for (const TurnLink& link : turns) sum += link.energy(member);
  return sum;
}

double Parts::broken() const {
  return static_cast<double>(std::ranges::count(points, 1, &PointLink::broken));
}

Connections Parts::counted() const {
  Connections all;
  all.point_count = static_cast<int>(points.size());
  all.turn_count = static_cast<int>(turns.size());
  all.joint_count = static_cast<int>(joints.size());
  all.node_targets = node_targets;
  all.element_targets = static_cast<int>(targets.size()) - node_targets;
  return all;
}

Connections Parts::view(std::vector<Vec3>& loads) {
  Connections all = counted();
  all.points = points.data();
  all.turns = turns.data();
  all.joints = joints.data();
  all.targets = targets.data();
  all.shares = shares.data();
  loads.resize(load_count());
  all.loads = loads.data();
  return all;
}

Parts build_connections(const MemberSpec& spec, const RodView& member) {
  if (spec.connections.empty()) return {};
  return Builder(spec, member).build();
}

/// A link has a share in four nodes and two elements, a joint in the nodes at its ends.
std::size_t memory(const MemberSpec& spec) {
  constexpr std::size_t link = sizeof(PointLink) + 3 * sizeof(Vec3) + 6 * (sizeof(Target) + sizeof(Share));
  constexpr std::size_t turn = sizeof(TurnLink) + 2 * sizeof(Vec3) + 2 * (sizeof(Target) + sizeof(Share));
  constexpr std::size_t turns = 6;  // between any two of the elements on both sides of two nodes
  std::size_t sum = 0;
  for (const ConnectionSpec& c : spec.connections) {
    const auto elements = static_cast<std::size_t>(rod_alone(spec, c.ends[0].rod).rod.elements);
    sum += c.kind == ConnectionKind::bond ? elements * link : link + turns * turn + sizeof(NodeJoint);
  }
  return sum;
}

StepRates step_rates(const Parts& parts, const ConstRodView& member) {
  /// Link that moves a node or element, and how far for a unit of the link's stretch.
  struct Moved {
    std::size_t link;
    double amount;
  };
  std::map<int, std::vector<Moved>> nodes;
  std::map<int, std::vector<Moved>> elements;
  std::vector<double> stiffness;
  std::vector<double> damping;
  for (const PointLink& link : parts.points) {
    for (const Site& s : link.sites) {
      nodes[s.entry].push_back({stiffness.size(), s.on_node ? 1.0 : 1.0 - s.fraction});
      if (s.on_node) continue;
      nodes[s.entry + 1].push_back({stiffness.size(), s.fraction});
      if (!link.central) elements[s.entry].push_back({stiffness.size(), norm(s.arm)});
    }
    stiffness.push_back(link.stiffness);
    damping.push_back(link.damping);
  }
  for (const TurnLink& link : parts.turns) {
    if (link.takes()) continue;  // negative stiffness makes nothing stiffer
    for (const int side : {0, 1}) {
      if (!link.clamped[side]) elements[link.elements[side]].push_back({stiffness.size(), 1.0});
    }
    double largest = 0.0;  // a bound of the largest eigenvalue
    for (const Vec3& row : link.stiffness)
      largest = std::max(largest, std::abs(row.x) + std::abs(row.y) + std::abs(row.z));
    stiffness.push_back(largest);
    damping.push_back(link.damping);
  }
  std::vector<StepRates> rows(stiffness.size());
  const auto add = [&](const std::vector<Moved>& list, double inertia) {
    for (const Moved& a : list) {
      for (const Moved& b : list) {
        const double coupling = a.amount * b.amount / inertia;
        rows[a.link].springs += coupling * std::sqrt(stiffness[a.link] * stiffness[b.link]);
        rows[a.link].dashpots += coupling * std::sqrt(damping[a.link] * damping[b.link]);
      }
    }
  };
  for (const auto& [i, list] : nodes) add(list, member.array(field::mass)[i]);
  for (const auto& [i, list] : elements) {
    const Vec3 inertia = member.inertia(i);
    add(list, std::min(inertia.x, inertia.y));
  }
  StepRates most;
  for (const StepRates& row : rows)
    most = {std::max(most.springs, row.springs), std::max(most.dashpots, row.dashpots)};
  return most;
}

}  // namespace rodeo::connection
