#include "rodeo/der/link_forces.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rodeo/der/elastic_energy.hpp"
#include "rodeo/math/dual.hpp"

namespace rodeo::der {

namespace {

using connection::PointLink;
using connection::Site;
using connection::TurnLink;
using std::cos;
using std::sin;
using std::sqrt;

template <class T>
BasicVec3<T> widened(const Vec3& v) {
  return {T(v.x), T(v.y), T(v.z)};
}

template <class T>
BasicVec3<T> node_of(const T* q) {
  return {q[0], q[1], q[2]};
}

template <class T>
void add_to(T* g, const BasicVec3<T>& v) {
  g[0] = g[0] + v.x;
  g[1] = g[1] + v.y;
  g[2] = g[2] + v.z;
}

/// An element as its degrees of freedom have it, with its frame carried from that at the start of the step by
/// the smallest turn to the tangent, and then turned about that (relative_frame.hpp).
template <class T>
struct Carrier {
  using Vector = BasicVec3<T>;

  Quaternion start;
  Vector edge;
  Vector tangent;
  T inverse_length;
  T twist;
  Vector across;  ///< d3 x t/(1 + d3.t), d3 at the start: minus the turn about t as t changes

  Carrier(const Quaternion& frame, const T* q)
      : start(frame), edge(node_of(q + 4) - node_of(q)), twist(q[3]) {
    inverse_length = T(1.0) / sqrt(dot(edge, edge));
    tangent = inverse_length * edge;
    const Vector d3 = widened<T>(directors(start).d3);
    across = (T(1.0) / (T(1.0) + dot(d3, tangent))) * cross(d3, tangent);
  }

  /// A vector that stands in the element, by its body components.
  Vector carried(const Vec3& body) const {
    const Directors d = directors(start);
    const Vector v = widened<T>(d.to_laboratory(body));
    const Vector turn = cross(widened<T>(d.d3), tangent);
    const Vector there = dot(widened<T>(d.d3), tangent) * v + cross(turn, v) + dot(turn, v) * across;
    const T along = dot(tangent, there);
    const T c = cos(twist);
    return c * there + sin(twist) * cross(tangent, there) + ((T(1.0) - c) * along) * tangent;
  }

  BasicQuaternion<T> frame() const {
    const Directors d = directors(start);
    const T half = T(0.5) * twist;
    const BasicQuaternion<T> first = {T(start.w), T(start.x), T(start.y), T(start.z)};
    const BasicQuaternion<T> carried = {T(1.0) / inverse_length + dot(widened<T>(d.d3), edge),
                                        -dot(widened<T>(d.d2), edge), dot(widened<T>(d.d1), edge), T(0.0)};
    const BasicQuaternion<T> q = first * carried * BasicQuaternion<T>{cos(half), T(0.0), T(0.0), sin(half)};
    const T scale = T(1.0) / sqrt(squared_norm(q));
    return {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
  }

  /// Subtracts the generalised forces of a couple on the element (laboratory frame).
  void subtract_couple(const Vector& couple, T* g) const {
    const T about = dot(couple, tangent);
    const Vector f = inverse_length * (cross(couple, tangent) - about * across);
    add_to(g, f);
    add_to(g + 4, T(-1.0) * f);
    g[3] = g[3] - about;
  }
};

/// A place that a link holds.
template <class T>
struct Held {
  BasicVec3<T> centre;
  BasicVec3<T> arm;
};

template <class T>
Held<T> held(const Site& site, const Quaternion& frame, bool central, const T* q) {
  if (site.on_node) return {node_of(q), {}};
  const T f = site.fraction;
  const BasicVec3<T> centre = (T(1.0) - f) * node_of(q) + f * node_of(q + 4);
  if (central) return {centre, {}};
  return {centre, Carrier<T>(frame, q).carried(site.arm)};
}

/// Adds minus a force on a place.
template <class T>
void subtract_force(const Site& site, const Quaternion& frame, bool central, const BasicVec3<T>& arm,
                    const BasicVec3<T>& force, const T* q, T* g) {
  if (site.on_node) return add_to(g, T(-1.0) * force);
  add_to(g, T(site.fraction - 1.0) * force);
  add_to(g + 4, T(-site.fraction) * force);
  if (!central) Carrier<T>(frame, q).subtract_couple(cross(arm, force), g);
}

/// The laws with the frames that a step starts with. `q` are the degrees of freedom of both spans, one after
/// the other.
struct PointLaw {
  const PointLink& link;
  Quaternion frames[2];
  Vec3 start;         ///< gap at the start of the step
  double rate = 0.0;  ///< one over the step, 1/s

  template <class T>
  BasicVec3<T> reach(const T* q) const {
    const Held<T> a = held(link.sites[0], frames[0], link.central, q);
    const Held<T> b = held(link.sites[1], frames[1], link.central, q + link_size);
    return (b.centre + b.arm) - (a.centre + a.arm);
  }

  template <class T>
  void add_gradient(const T* q, T* g) const {
    if (link.broken != 0) return;
    const Held<T> a = held(link.sites[0], frames[0], link.central, q);
    const Held<T> b = held(link.sites[1], frames[1], link.central, q + link_size);
    const BasicVec3<T> gap = (b.centre + b.arm) - (a.centre + a.arm);
    const BasicVec3<T> force = on_first(gap);
    subtract_force(link.sites[0], frames[0], link.central, a.arm, force, q, g);
    subtract_force(link.sites[1], frames[1], link.central, b.arm, T(-1.0) * force, q + link_size,
                   g + link_size);
  }

 private:
  template <class T>
  BasicVec3<T> on_first(const BasicVec3<T>& gap) const {
    const T dashpot = link.damping * rate;
    if (!link.central) return T(link.stiffness) * gap + dashpot * (gap - widened<T>(start));
    constexpr double tiny = 1e-30;  // m^2: two places in one have no direction, and derivatives all the same
    const T distance = sqrt(dot(gap, gap) + T(tiny));
    const T tension = T(link.stiffness) * (distance - T(link.length)) +
                      dashpot * (distance - T(std::sqrt(dot(start, start) + tiny)));
    return (tension / distance) * gap;
  }
};

struct TurnLaw {
  const TurnLink& link;
  Quaternion frames[2];
  Vec3 start;         ///< reach at the start of the step
  double rate = 0.0;  ///< one over the step, 1/s

  /// Turn of a rigid joint, or displacement between a hinge's axes.
  template <class T>
  BasicVec3<T> reach(const T* q) const {
    const Carrier<T> a = carrier(0, q);
    const Carrier<T> b = carrier(1, q);
    if (link.hinge) return b.carried(link.axes[1]) - a.carried(link.axes[0]);
    return turn(a, b).vector;
  }

  template <class T>
  void add_gradient(const T* q, T* g) const {
    const Carrier<T> a = carrier(0, q);
    const Carrier<T> b = carrier(1, q);
    const T dashpot = link.damping * rate;
    if (link.hinge) {
      const BasicVec3<T> first = a.carried(link.axes[0]);
      const BasicVec3<T> second = b.carried(link.axes[1]);
      const BasicVec3<T> apart = second - first;
      const BasicDirectors<T> frame = directors(a.frame());
      const BasicVec3<T> moved = frame.to_body(apart);
      const BasicVec3<T> pull = frame.to_laboratory(link.couple(moved));
      const BasicVec3<T> resistance = dashpot * (apart - widened<T>(start));
      const BasicVec3<T> couple = cross(second, pull);
      a.subtract_couple(couple + cross(first, resistance), g);
      b.subtract_couple(cross(resistance, second) - couple, g + link_size);
      return;
    }
    const BasicRotationLog<T> t = turn(a, b);
    const BasicVec3<T> couple = link.couple(t.vector) + dashpot * (t.vector - widened<T>(start));
    const law::BasicRegionLoad<T> load = law::shared_couple(t, couple);
    const BasicDirectors<T> first = directors(a.frame());
    a.subtract_couple(first.to_laboratory(load.transport + load.couple), g);
    const BasicQuaternion<T> second = b.frame() * conjugate(rest<T>());
    b.subtract_couple(directors(second).to_laboratory(load.transport - load.couple), g + link_size);
  }

 private:
  /// Carrier of a side; the directors of a clamp stay as they are.
  template <class T>
  Carrier<T> carrier(int side, const T* q) const {
    if (!link.clamped[side]) return {frames[side], q + link_size * side};
    const Vec3 d3 = directors(frames[side]).d3;
    const T still[link_size] = {T(0.0), T(0.0), T(0.0), T(0.0), T(d3.x), T(d3.y), T(d3.z)};
    return {frames[side], still};
  }
  template <class T>
  BasicQuaternion<T> rest() const {
    return {T(link.rest.w), T(link.rest.x), T(link.rest.y), T(link.rest.z)};
  }
  template <class T>
  BasicRotationLog<T> turn(const Carrier<T>& a, const Carrier<T>& b) const {
    return rotation_log<T>(conjugate(a.frame()) * (b.frame() * conjugate(rest<T>())));
  }
};

/// The degrees of freedom of both spans.
struct Local {
  double q[2 * link_size] = {};

  Local(const std::vector<double>& all, const coupling::SpanPair& spans) {
    for (int side = 0; side < 2; ++side) {
      const coupling::Span& span = spans[static_cast<std::size_t>(side)];
      for (int i = 0; i < span.size; ++i) {
        q[link_size * side + i] = all[static_cast<std::size_t>(span.first + i)];
      }
    }
  }
};

}  // namespace

/// Calls use(law) with the law of a link.
template <class Use>
void LinkForces::with_law(std::size_t k, const Use& use) const {
  const std::size_t points = parts_.points.size();
  if (k < points) {
    const PointLink& link = parts_.points[k];
    const auto frame = [&](const Site& site) {
      return site.on_node ? Quaternion{} : all_.quaternion(site.entry);
    };
    use(PointLaw{link, {frame(link.sites[0]), frame(link.sites[1])}, start_[k], 1.0 / step_});
  } else {
    const std::size_t turns = parts_.turns.size();
    const TurnLink& link = k - points < turns ? parts_.turns[k - points] : joints_[k - points - turns];
    use(TurnLaw{link,
                {all_.quaternion(link.elements[0]), all_.quaternion(link.elements[1])},
                start_[k],
                1.0 / step_});
  }
}

LinkForces::LinkForces(connection::Parts parts, std::vector<TurnLink> joints, const RodView& all,
                       const std::vector<int>& first_dof)
    : parts_(std::move(parts)), joints_(std::move(joints)), all_(all) {
  const auto element = [&](int i) {
    return coupling::Span{first_dof[static_cast<std::size_t>(i)], link_size};
  };
  const auto span = [&](const Site& site) {
    if (!site.on_node) return element(site.entry);
    return coupling::Span{coupling::first_degree_of_freedom(first_dof, site.entry, layout.stride), 3};
  };
  for (const PointLink& link : parts_.points) spans_.push_back({span(link.sites[0]), span(link.sites[1])});
  for (const std::vector<TurnLink>* const links : {&parts_.turns, &joints_}) {
    for (const TurnLink& link : *links) {
      const auto side = [&](int k) {
        if (!link.clamped[k]) return element(link.elements[k]);
        return coupling::Span{element(link.elements[1 - k]).first, 0};  // nothing moves there
      };
      spans_.push_back({side(0), side(1)});
    }
  }
  start_.resize(spans_.size());
}

void LinkForces::begin_step(const std::vector<double>& start, double step) {
  step_ = step;
  for (std::size_t k = 0; k < spans_.size(); ++k) {
    with_law(k, [&](const auto& law) { start_[k] = law.reach(Local(start, spans_[k]).q); });
  }
}

void LinkForces::add_residual(const std::vector<double>& q, std::vector<double>& force) const {
  for (std::size_t k = 0; k < spans_.size(); ++k) {
    double gradient[2 * link_size] = {};
    with_law(k, [&](const auto& law) { law.add_gradient(Local(q, spans_[k]).q, gradient); });
    for (int side = 0; side < 2; ++side) {
      const coupling::Span& span = spans_[k][static_cast<std::size_t>(side)];
      for (int i = 0; i < span.size; ++i)
        force[static_cast<std::size_t>(span.first + i)] += gradient[link_size * side + i];
    }
  }
}

void LinkForces::set_jacobian(std::size_t k, const std::vector<double>& q, LinkMatrix& block) const {
  using Number = Dual<2 * link_size>;
  const Local at(q, spans_[k]);
  Number variables[2 * link_size];
  for (int i = 0; i < 2 * link_size; ++i) variables[i] = Number::variable(at.q[i], i);
  Number gradient[2 * link_size];
  with_law(k, [&](const auto& law) { law.add_gradient(variables, gradient); });
  const auto moves = [&](int i) { return spans_[k][static_cast<std::size_t>(i / link_size)].size > 0; };
  for (int i = 0; i < 2 * link_size; ++i) {
    for (int j = 0; j < 2 * link_size; ++j) block[i][j] = moves(i) && moves(j) ? gradient[i].slope[j] : 0.0;
  }
}

std::optional<LinkForces::HeldElement> LinkForces::held_element(std::size_t k, int side) const {
  const std::size_t points = parts_.points.size();
  if (spans_[k][static_cast<std::size_t>(side)].size != link_size) return std::nullopt;  // a node, or nothing
  if (k < points) {
    const Site& site = parts_.points[k].sites[side];
    return HeldElement{site.entry, site.fraction};
  }
  const std::size_t turns = parts_.turns.size();
  const TurnLink& link = k - points < turns ? parts_.turns[k - points] : joints_[k - points - turns];
  return HeldElement{link.elements[side], 0.0};
}

void LinkForces::take_couples(const std::vector<double>& q) const {
  for (std::size_t k = 0; k < spans_.size(); ++k) {
    double gradient[2 * link_size] = {};
    with_law(k, [&](const auto& law) { law.add_gradient(Local(q, spans_[k]).q, gradient); });
    for (const int side : {0, 1}) {
      const std::optional<HeldElement> held = held_element(k, side);
      if (!held) continue;
      const Vec3 on_first = -1.0 * node_of(gradient + link_size * side);
      const Vec3 on_last = -1.0 * node_of(gradient + link_size * side + 4);
      const Vec3 of_couple = on_last - held->fraction * (on_first + on_last);
      all_.set_vec3(field::internal_force, held->element,
                    all_.vec3(field::internal_force, held->element) - of_couple);
    }
  }
}

void LinkForces::break_overloaded() { parts_.break_overloaded(all_); }
double LinkForces::energy() const { return parts_.energy(all_); }
double LinkForces::broken() const { return parts_.broken(); }

}  // namespace rodeo::der
