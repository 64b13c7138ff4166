#include "conserving_links.hpp"

#include <array>
#include <cmath>
#include <type_traits>

#include "rodeo/math/dual.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo::implicit {

namespace {

using connection::PointLink;
using connection::Site;
using connection::TurnLink;
using std::sqrt;

constexpr int side_size = 9;  ///< of an element with both its nodes
using Number = Dual<2 * side_size>;

/// A vector whose components are variables from `first` on, where they are numbers with derivatives.
template <class T>
BasicVec3<T> varied(const Vec3& v, int first, double factor = 1.0) {
  BasicVec3<T> numbers = {T(v.x), T(v.y), T(v.z)};
  if constexpr (std::is_same_v<T, Number>) {
    numbers.x.slope[first] = factor;
    numbers.y.slope[first + 1] = factor;
    numbers.z.slope[first + 2] = factor;
  }
  return numbers;
}

template <class T>
BasicVec3<T> widened(const Vec3& v) {
  return {T(v.x), T(v.y), T(v.z)};
}

/// A frame in a step. Variables of its turn at the end stand from `first` on.
template <class T>
struct TurningFrame {
  Directors start;
  BasicDirectors<T> end;
  BasicVec3<T> cayley;  ///< eta, body
  BasicVec3<T> turn;    ///< eta in the laboratory frame

  /// `from`, and the frame in the middle of the step, each turned by `last` in its own components.
  TurningFrame(const Quaternion& from, const Quaternion& middle, const Quaternion& last, int first) {
    const Quaternion to = middle * conjugate(from) * middle;
    const BasicVec3<T> half = varied<T>({}, first, 0.5);
    const BasicQuaternion<T> moved = BasicQuaternion<T>{T(to.w), T(to.x), T(to.y), T(to.z)} *
                                     BasicQuaternion<T>{T(1.0), half.x, half.y, half.z};
    const Quaternion own_start = from * last;
    const BasicQuaternion<T> own_end = moved * BasicQuaternion<T>{T(last.w), T(last.x), T(last.y), T(last.z)};
    const BasicQuaternion<T> back = {T(own_start.w), T(-own_start.x), T(-own_start.y), T(-own_start.z)};
    const BasicQuaternion<T> q = back * own_end;
    const T scale = T(2.0) / q.w;
    start_orientation = own_start;
    end_orientation = own_end;
    start = directors(own_start);
    end = directors(own_end);
    cayley = {scale * q.x, scale * q.y, scale * q.z};
    turn = to_laboratory(cayley);
  }

  /// Converts body components to laboratory components by the frame at the start.
  BasicVec3<T> to_laboratory(const BasicVec3<T>& body) const {
    const auto row = [&](double a, double b, double c) {
      return T(a) * body.x + T(b) * body.y + T(c) * body.z;
    };
    return {row(start.d1.x, start.d2.x, start.d3.x), row(start.d1.y, start.d2.y, start.d3.y),
            row(start.d1.z, start.d2.z, start.d3.z)};
  }

  /// Mean of a frame-fixed vector at the start and end of the step, in the laboratory frame.
  BasicVec3<T> mean(const Vec3& body) const {
    return T(0.5) * (widened<T>(start.to_laboratory(body)) + end.to_laboratory(widened<T>(body)));
  }
  BasicVec3<T> mean_of(const BasicVec3<T>& body) const {
    return T(0.5) * (to_laboratory(body) + end.to_laboratory(body));
  }

  /// CoupleInStep for numbers with derivatives.
  BasicVec3<T> couple_in_step(const BasicVec3<T>& body) const {
    const T scale = T(1.0) / (T(1.0) + T(0.25) * dot(cayley, cayley));
    return scale * to_laboratory(body + T(0.5) * cross(cayley, body));
  }

  Quaternion start_orientation;
  BasicQuaternion<T> end_orientation;
};

/// Attachment site of a link in a step.
template <class T>
struct MovingSite {
  Vec3 start;             ///< on the centre line, m
  BasicVec3<T> end;       ///< there
  BasicVec3<T> mean_arm;  ///< m
  BasicVec3<T> turn;      ///< of the element, laboratory frame

  BasicVec3<T> moved() const { return end - widened<T>(start); }
};

/// Forces and couple of a link on one of its sides.
template <class T>
struct SideLoads {
  BasicVec3<T> node;
  BasicVec3<T> couple;  ///< laboratory frame
  BasicVec3<T> next_node;
};

/// The links of a member in a step of so many seconds.
class Step {
 public:
  Step(const MovingRods& rods, double length) : rods_(rods), length_(length) {}

  template <class T>
  std::array<SideLoads<T>, 2> loads(const PointLink& link) const {
    if (link.broken != 0) return {};
    const MovingSite<T> a = site<T>(link, 0);
    const MovingSite<T> b = site<T>(link, 1);
    std::array<SideLoads<T>, 2> on = {};
    if (link.central) {
      const BasicVec3<T> force = central_force(link, b.start - a.start, b.end - a.end);
      add_force(link.sites[0], force, {}, on[0]);
      add_force(link.sites[1], T(-1.0) * force, {}, on[1]);
      return on;
    }
    const BasicVec3<T> mean_gap =
        widened<T>(b.start - a.start) + T(0.5) * (b.moved() - a.moved()) + (b.mean_arm - a.mean_arm);
    // Both forces act at one point of the gap, as in PointLink.
    const double point = link.sites[0].on_node ? 0.0 : link.sites[1].on_node ? 1.0 : 0.5;
    const BasicVec3<T> to_a = a.mean_arm + T(point) * mean_gap;
    const BasicVec3<T> to_b = b.mean_arm - T(1.0 - point) * mean_gap;
    const BasicVec3<T> moved = (b.moved() + cross(b.turn, to_b)) - (a.moved() + cross(a.turn, to_a));
    const BasicVec3<T> force = T(link.stiffness) * mean_gap + T(link.damping / length_) * moved;
    add_force(link.sites[0], force, cross(to_a, force), on[0]);
    add_force(link.sites[1], T(-1.0) * force, cross(force, to_b), on[1]);
    return on;
  }

  template <class T>
  std::array<SideLoads<T>, 2> loads(const TurnLink& link) const {
    const TurningFrame<T> first = frame<T>(link.elements[0], {}, 0);
    const TurningFrame<T> second =
        frame<T>(link.elements[1], link.hinge ? Quaternion{} : conjugate(link.rest), 1);
    const BasicVec3<T> turned = second.turn - first.turn;
    BasicVec3<T> couple = T(link.damping / length_) * turned;  // on the first element
    if (link.hinge) {
      const BasicVec3<T> a = first.mean(link.axes[0]);
      const Vec3 start = first.start.to_body(second.start.to_laboratory(link.axes[1]));
      const BasicVec3<T> end = first.end.to_body(second.end.to_laboratory(widened<T>(link.axes[1])));
      const BasicVec3<T> apart = T(0.5) * (widened<T>(start) + end) - widened<T>(link.axes[0]);
      const BasicVec3<T> pull = first.mean_of(link.couple(apart));
      couple = couple - (dot(couple, a) / dot(a, a)) * a + cross(second.mean(link.axes[1]), pull);
    } else {
      couple = couple + couple_of_joint(link, first, second, turned);
    }
    std::array<SideLoads<T>, 2> on = {};
    on[0].couple = couple;
    on[1].couple = T(-1.0) * couple;
    return on;
  }

 private:
  Vec3 start_position(int node) const { return rods_.start_position(node); }
  template <class T>
  BasicVec3<T> end_position(int node, int first) const {
    return varied<T>(2.0 * rods_.all().vec3(field::position, node) - start_position(node), first);
  }

  /// Frame of the element on one side of a link, turned by `last` in its own components.
  template <class T>
  TurningFrame<T> frame(int element, const Quaternion& last, int side) const {
    return {rods_.start_orientation(element), rods_.all().quaternion(element), last, side_size * side + 3};
  }

  template <class T>
  MovingSite<T> site(const PointLink& link, int side) const {
    const Site& site = link.sites[side];
    const int i = site.entry;
    const int first = side_size * side;
    if (site.on_node) return {start_position(i), end_position<T>(i, first), {}, {}};
    const double f = site.fraction;
    MovingSite<T> moving;
    moving.start = (1.0 - f) * start_position(i) + f * start_position(i + 1);
    moving.end = T(1.0 - f) * end_position<T>(i, first) + T(f) * end_position<T>(i + 1, first + 6);
    if (link.central) return moving;
    const TurningFrame<T> element = frame<T>(i, {}, side);
    moving.mean_arm = element.mean(site.arm);
    moving.turn = element.turn;
    return moving;
  }

  /// Force on the first site.
  template <class T>
  BasicVec3<T> central_force(const PointLink& link, const Vec3& start, const BasicVec3<T>& end) const {
    constexpr double tiny = 1e-300;  // m^2: two places in one have no direction
    const double before = std::sqrt(dot(start, start) + tiny);
    const T after = sqrt(dot(end, end) + T(tiny));
    const T sum = T(before) + after;
    const T factor = T(link.stiffness) * (T(1.0) - T(2.0 * link.length) / sum) +
                     T(2.0 * link.damping / length_) * ((after - T(before)) / sum);
    return (T(0.5) * factor) * (widened<T>(start) + end);
  }

  /// Couple on the first element.
  template <class T>
  static BasicVec3<T> couple_of_joint(const TurnLink& link, const TurningFrame<T>& first,
                                      const TurningFrame<T>& second, const BasicVec3<T>& turned) {
    const JointState<double> start(link, conjugate(first.start_orientation) * second.start_orientation);
    const BasicQuaternion<T> q = first.end_orientation;
    const JointState<T> end(link, BasicQuaternion<T>{q.w, -q.x, -q.y, -q.z} * second.end_orientation);
    const auto mean = [](const Vec3& a, const BasicVec3<T>& b) { return T(0.5) * (widened<T>(a) + b); };
    const BasicVec3<T> on_first = first.couple_in_step(mean(start.on_first, end.on_first));
    const BasicVec3<T> on_second = second.couple_in_step(mean(start.on_second, end.on_second));
    const BasicVec3<T> couple = T(0.5) * (on_first - on_second);
    constexpr double least = 1e-10;  // as in ConservingRegion
    const T square = dot(turned, turned);
    if (square < T(least)) return couple;
    const T work = dot(mean(start.couple, end.couple), end.turn - widened<T>(start.turn));
    return couple + ((work - dot(couple, turned)) / square) * turned;
  }

  /// A joint at an instant: its turn, the couple of that, and those on both elements (body).
  template <class T>
  struct JointState {
    BasicVec3<T> turn;
    BasicVec3<T> couple;
    BasicVec3<T> on_first;
    BasicVec3<T> on_second;

    JointState(const TurnLink& link, const BasicQuaternion<T>& relative) {
      const BasicRotationLog<T> log = rotation_log(relative);
      turn = log.vector;
      couple = link.couple(turn);
      const law::BasicRegionLoad<T> load = law::shared_couple(log, couple);
      on_first = load.transport + load.couple;
      on_second = load.transport - load.couple;
    }
  };

  template <class T>
  static void add_force(const Site& site, const BasicVec3<T>& force, const BasicVec3<T>& couple,
                        SideLoads<T>& on) {
    if (site.on_node) {
      on.node = force;
      return;
    }
    on.node = T(1.0 - site.fraction) * force;
    on.next_node = T(site.fraction) * force;
    on.couple = couple;
  }

  const MovingRods& rods_;
  double length_;  ///< s
};

/// Loads in the order of the unknowns of a side.
template <class T>
std::array<const BasicVec3<T>*, 3> of_unknowns(const SideLoads<T>& on) {
  return {&on.node, &on.couple, &on.next_node};
}

}  // namespace

void add_conserving_loads(const MovingRods& rods, const coupling::Links& links, double step,
                          std::vector<double>& loads) {
  const Step in_step(rods, step);
  links.for_each([&](const auto& link, const coupling::SpanPair& spans) {
    const std::array<SideLoads<double>, 2> on = in_step.loads<double>(link);
    for (std::size_t side = 0; side < 2; ++side) {
      const auto vectors = of_unknowns(on[side]);
      for (int i = 0; i < spans[side].size; i += 3)
        add_at(loads.data() + spans[side].first + i, *vectors[static_cast<std::size_t>(i / 3)]);
    }
  });
}

void add_conserving_matrix(const MovingRods& rods, const coupling::Links& links, double step,
                           coupling::Assembly& matrix) {
  const Step in_step(rods, step);
  links.for_each([&](const auto& link, const coupling::SpanPair& spans) {
    const std::array<SideLoads<Number>, 2> on = in_step.loads<Number>(link);
    for (std::size_t side = 0; side < 2; ++side) {
      const auto vectors = of_unknowns(on[side]);
      for (int i = 0; i < spans[side].size; i += 3) {
        const BasicVec3<Number>& load = *vectors[static_cast<std::size_t>(i / 3)];
        for (std::size_t other = 0; other < 2; ++other) {
          for (int j = 0; j < spans[other].size; j += 3) {
            const double* const x = load.x.slope + side_size * static_cast<int>(other) + j;
            const double* const y = load.y.slope + side_size * static_cast<int>(other) + j;
            const double* const z = load.z.slope + side_size * static_cast<int>(other) + j;
            matrix.add(spans[side].first + i, spans[other].first + j,
                       {{-x[0], -x[1], -x[2]}, {-y[0], -y[1], -y[2]}, {-z[0], -z[1], -z[2]}});
          }
        }
      }
    }
  });
}

}  // namespace rodeo::implicit
