#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "rodeo/forces/further_ground.hpp"
#include "rodeo/forces/ground.hpp"
#include "rodeo/forces/surface_bits.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

namespace detail {

/// Consecutive elements in a ball of their own: surfaces that are not near are outside.
/// Sections may narrow, so that elements are the thicker the shorter they are.
struct ReachBall {
  ElementSpan elements;
  Vec3 centre;            ///< m
  double extent = 0.0;    ///< largest distance of any part of them from the centre, m
  double skin = 0.0;      ///< largest radius, and somewhat more, m
  double densest = 0.0;   ///< largest inverse length, 1/m
  double sparsest = 0.0;  ///< smallest inverse length for which the first node bounds all others, 1/m
  double radius = 0.0;    ///< m
  double far = 0.0;       ///< square of how far nodes may be from the centre, m^2
  double close = 0.0;     ///< and of how far the first may be if it bounds the others; 0: it does not
  unsigned near = 0U;     ///< surfaces
};

/// True if inverse lengths of elements [first, end) are within bounds.
template <class Number>
[[gnu::noinline]] bool are_between(const Number* inverse_length, int first, int end, Number sparsest,
                                   Number densest) {
  using Count = std::conditional_t<sizeof(Number) == sizeof(std::int32_t), std::int32_t, std::int64_t>;
  Count outside = 0;
  for (int i = first; i < end; ++i)
    outside += (inverse_length[i] > sparsest) & (inverse_length[i] < densest) ? 0 : 1;
  return outside == 0;
}

/// Finds lengths from the positions of nodes.
template <class Number>
[[gnu::noinline]] bool are_between(const BasicVec3Array<const Number>& position, int first, int end,
                                   Number sparsest, Number densest) {
  using Count = std::conditional_t<sizeof(Number) == sizeof(std::int32_t), std::int32_t, std::int64_t>;
  Count outside = 0;
  for (int i = first; i < end; ++i) {
    const BasicVec3<Number> edge = position(i + 1) - position(i);
    const Number square = dot(edge, edge);
    outside += (square * (sparsest * sparsest) < 1) & (square * (densest * densest) > 1) ? 0 : 1;
  }
  return outside == 0;
}

/// True if nodes [first, end] are in a ball.
template <class Number>
[[gnu::noinline]] bool holds_nodes(const ReachBall& ball, const BasicVec3Array<const Number>& position,
                                   int first, int end) {
  using Count = std::conditional_t<sizeof(Number) == sizeof(std::int32_t), std::int32_t, std::int64_t>;
  const auto centre = static_cast<BasicVec3<Number>>(ball.centre);
  const auto far = static_cast<Number>(ball.far);
  Count outside = 0;
  for (int i = first; i <= end; ++i) {
    const BasicVec3<Number> arm = position(i) - centre;
    outside += dot(arm, arm) < far ? 0 : 1;
  }
  return outside == 0;
}

/// True if elements [first, end) of a ball are in it. `lengths` are their inverse lengths or the positions.
template <class Number, class Lengths>
KOKKOS_FORCEINLINE_FUNCTION bool is_within(const ReachBall& ball,
                                           const BasicVec3Array<const Number>& position,
                                           const Lengths& lengths, int first, int end) {
  const BasicVec3<Number> arm = position(first) - static_cast<BasicVec3<Number>>(ball.centre);
  const auto densest = static_cast<Number>(ball.densest);
  if (dot(arm, arm) < static_cast<Number>(ball.close) &&
      are_between(lengths, first, end, static_cast<Number>(ball.sparsest), densest)) {
    return true;
  }
  return are_between(lengths, first, end, Number(0), densest) && holds_nodes(ball, position, first, end);
}

}  // namespace detail

/// Surfaces of the ground that the elements of a member can reach in a step; others add nothing and are left
/// out. Elements are within balls that are chosen now and then, and each step checks that they still are. A
/// surface is out of reach of elements as long as it is outside of their ball.
class GroundReach {
 public:
  /// Finds the surfaces that elements can reach from the present positions of rods and platen.
  template <class Real>
  const GroundReach& look_at(const BasicRodView<Real>& rod, const Ground& ground,
                             const FurtherGround* further, const Plane& platen) {
    if (balls_.empty() || --steps_left_ <= 0 || !holds(rod)) look_anew(rod, 0.0, ground, further);
    in_reach_ = near_;
    platen_was_near_ = false;
    if (!has_platen(platen)) in_reach_ &= ~(1U << surface_bit::platen);
    return *this;
  }

  bool has(int surface) const { return (in_reach_ >> surface & 1U) != 0U; }
  bool has_any() const { return in_reach_ != 0U; }

  /// A span that holds all elements which can reach a surface.
  ElementSpan elements(int surface) const { return spans_[surface]; }

  /// True if a platen is in reach now, or was in the step before, after which its record has to end. Call
  /// once in each step.
  template <class Surface>
  bool has_platen(const Surface& platen) const {
    const bool before = platen_was_near_;
    platen_was_near_ = false;
    for (const detail::ReachBall& ball : balls_) {
      const double size = platen.size() + norm(ball.centre) + ball.radius;
      platen_was_near_ = platen_was_near_ || !platen.is_below(ball.centre, ball.radius + rounding_ * size);
    }
    return before || platen_was_near_;
  }

  /// Checks, before the forces of the ground, the elements whose nodes came here within `step` seconds at
  /// their present velocities.
  template <class Team, class Real>
  void look(const Team& team, const BasicRodView<Real>& rod, double step, const Ground& ground,
            const FurtherGround* further) {
    if (!ground.acts(0.0) && (further == nullptr || !further->act())) {
      in_reach_ = 0U;
      return;
    }
    in_reach_ = near_;
    const bool leaves = !balls_.empty() && of_any_thread(team, !holds(team, rod));
    if (!leaves && --steps_left_ > 0) return;
    look_anew(rod, step, ground, further);
    // Springs along a surface that elements have left end in the step after.
    const bool holds = further != nullptr && further->on_springs;
    in_reach_ = holds ? in_reach_ | near_ : near_;
  }

 private:
  static constexpr int least_elements = 16;  ///< in a ball
  static constexpr int most_steps = 500;     ///< between two looks: what has been in reach may be no longer
  static constexpr double room = 1.05;  ///< a surface nearer to a ball than this would soon be in reach again

  /// True if this thread's elements are within their balls, in the middle of an explicit step, which has
  /// found the lengths.
  template <class Team, class Real>
  KOKKOS_FORCEINLINE_FUNCTION bool holds(const Team& team, const BasicRodView<Real>& rod) const {
    const rodeo::detail::LaneRange own =
        rodeo::detail::own_lanes(team, rod.elements, rodeo::detail::lanes_at_once);
    const Real* const inverse_length = rod.array(field::inverse_length);
    for (const detail::ReachBall& ball : balls_) {
      const int first = ball.elements.first > own.first ? ball.elements.first : own.first;
      const int end = ball.elements.end < own.end ? ball.elements.end : own.end;
      if (first < end &&
          !detail::is_within<Real>(ball, rod.vec3_array(field::position), inverse_length, first, end)) {
        return false;
      }
    }
    return true;
  }

  /// True if all elements are within their balls; may be called at any time.
  template <class Real>
  bool holds(const BasicRodView<Real>& rod) const {
    using Number = std::remove_const_t<Real>;
    const BasicVec3Array<const Number> position = rod.vec3_array(field::position);
    return std::ranges::all_of(balls_, [&](const detail::ReachBall& ball) {
      return detail::is_within<Number>(ball, position, position, ball.elements.first, ball.elements.end);
    });
  }

  template <class Team>
  static bool of_any_thread(const Team& team, bool own) {
    if constexpr (std::is_same_v<Team, HostTeam>) {
      if (team.size > 1) return team.meeting->sum(team.size, own ? 1 : 0) > 0;
    }
    return own;
  }

  /// Makes a ball about all elements between two gaps, or if a surface is near it one about each few of them.
  /// Elements near all surfaces have no ball: they need not be checked.
  template <class Real>
  [[gnu::noinline]] void look_anew(const BasicRodView<Real>& rod, double step, const Ground& ground,
                                   const FurtherGround* further) {
    steps_left_ = most_steps;
    rounding_ = 64.0 * static_cast<double>(std::numeric_limits<std::remove_const_t<Real>>::epsilon());
    balls_.clear();
    for (ElementSpan& span : spans_) span = {INT_MAX, 0};
    const bool has_platen = further != nullptr && further->has_platen;
    near_ = has_platen ? 1U << surface_bit::platen : 0U;
    const double margin = further != nullptr ? further->wall.touch_margin : ground.wall.touch_margin;
    const Real* const contact_radius = rod.array(field::contact_radius);
    const auto exists = [&](int i) { return contact_radius[i] >= 0; };  // and is not between two rods
    int end = 0;
    for (int first = 0; first < rod.elements; first = end) {
      end = first + 1;
      if (!exists(first)) continue;
      while (end < rod.elements && exists(end)) ++end;
      detail::ReachBall ball = ball_about(rod, {first, end}, step, margin);
      judge(ground, further, ball);
      if (ball.near == 0U) {
        balls_.push_back(ball);
        continue;
      }
      for (int begin = first, next = 0; begin < end; begin = next) {
        next = (begin / least_elements + 1) * least_elements;
        ball = ball_about(rod, {begin, next < end ? next : end}, step, margin);
        const unsigned all = judge(ground, further, ball);
        note_near(ball);
        if (ball.near != all || has_platen) balls_.push_back(ball);
      }
    }
  }

  void note_near(const detail::ReachBall& ball) {
    near_ |= ball.near;
    for (int bit = 0; bit < surface_bit::count; ++bit) {
      if ((ball.near >> bit & 1U) == 0U) continue;
      spans_[bit] = {spans_[bit].first < ball.elements.first ? spans_[bit].first : ball.elements.first,
                     ball.elements.end};
    }
  }

  template <class Real>
  static detail::ReachBall ball_about(const BasicRodView<Real>& rod, ElementSpan elements, double step,
                                      double margin) {
    const auto position = rod.vec3_array(field::position);
    const auto velocity = rod.vec3_array(field::velocity);
    const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
    const Real* const contact_radius = rod.array(field::contact_radius);
    const Real* const half_taper = rod.array(field::half_taper);
    const auto most = [](double a, double b) { return a > b ? a : b; };
    const auto node = [&](int i) { return static_cast<Vec3>(position(i)); };
    const Vec3 centre = 0.5 * (node(elements.first) + node(elements.end));
    double square = 0.0;
    double longest = 0.0;
    double shortest = std::numeric_limits<double>::infinity();
    double at_rest = 0.0;
    double thickest = 0.0;
    double taper = 0.0;
    Vec3 x = node(elements.first);
    for (int i = elements.first; i <= elements.end; ++i) {
      const Vec3 arm = x - centre;
      square = most(square, dot(arm, arm));
      if (step > 0.0) {
        const Vec3 before = arm - step * static_cast<Vec3>(velocity(i));
        square = most(square, dot(before, before));
      }
      if (i == elements.end) break;
      const Vec3 next = node(i + 1);
      const double edge = dot(next - x, next - x);
      longest = most(longest, edge);
      shortest = edge < shortest ? edge : shortest;
      at_rest = most(at_rest, static_cast<double>(inverse_rest_length[i]));
      thickest = most(thickest, static_cast<double>(contact_radius[i]));
      taper = most(taper, std::abs(static_cast<double>(half_taper[i])));
      x = next;
    }
    // Elements may become somewhat thicker and longer until the next check.
    const double densest = room * room * most(at_rest, 1.0 / std::sqrt(shortest));
    const double skin = (1.0 + taper) * thickest * std::sqrt(densest) + margin;
    return {.elements = elements,
            .centre = centre,
            .extent = std::sqrt(square) + skin,
            .skin = skin,
            .densest = densest,
            .sparsest = 1.0 / (room * std::sqrt(longest))};
  }

  /// Finds which surfaces are near a ball, and makes it as large as the others allow. Returns all fixed ones.
  unsigned judge(const Ground& ground, const FurtherGround* further, detail::ReachBall& ball) const {
    const bool has_platen = further != nullptr && further->has_platen;
    const double most_radius = (has_platen ? 1.5 : 16.0) * ball.extent;
    const double size = rounding_ * (std::abs(ball.centre.x) + std::abs(ball.centre.y) +
                                     std::abs(ball.centre.z) + most_radius);
    unsigned all = 0U;
    ball.near = 0U;
    ball.radius = most_radius;
    const auto look_at = [&](const auto& surface, int bit) {
      all |= 1U << bit;
      const double rounding = size + rounding_ * surface.size();
      if (surface.is_below(ball.centre, ball.radius + rounding)) return;
      const double above = surface.nearest(ball.centre, {}).height - rounding;
      if (above > room * ball.extent) {
        ball.radius = above;
      } else {
        ball.near |= 1U << bit;
      }
    };
    const auto look_at_all = [&](const Ground& surfaces) {
      if (surfaces.has_plane) look_at(surfaces.plane, surface_bit::plane);
      for (int k = 0; k < surfaces.solid_count; ++k) look_at(surfaces.solids[k], surface_bit::solids + k);
    };
    look_at_all(ground);
    if (further != nullptr) {
      if (!ground.acts(0.0)) look_at_all(further->others);  // else they are among those of `ground`
      for (int k = 0; k < further->still_count; ++k) look_at(further->still[k], surface_bit::still + k);
    }
    // The spare radius is shared out: elements may grow thicker, their chain longer, and move.
    const double spare = ball.radius - ball.extent;
    const double growth = ball.skin > 0.0 ? 1.0 + 0.05 * spare / ball.skin : 1.0;
    ball.skin *= growth;
    ball.densest *= growth * growth;
    const int elements = ball.elements.end - ball.elements.first;
    const double reach = ball.radius - ball.skin;
    ball.sparsest = 1.0 / (1.0 / ball.sparsest + 0.2 * spare / elements);
    const double chain = reach - elements / ball.sparsest;
    ball.far = reach * reach;
    ball.close = chain > 0.0 ? chain * chain : 0.0;
    return all;
  }

  unsigned in_reach_ = ~0U;  ///< in this step
  unsigned near_ = ~0U;      ///< from the next one on, until a ball is left
  ElementSpan spans_[surface_bit::count];
  std::vector<detail::ReachBall> balls_;
  double rounding_ = 0.0;  ///< of heights, over what they are the difference of
  int steps_left_ = 0;     ///< until the next look
  mutable bool platen_was_near_ = true;
};

}  // namespace rodeo::forces
