#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "rodeo/forces/further_ground.hpp"
#include "rodeo/forces/ground.hpp"
#include "rodeo/forces/surface_bits.hpp"
#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::forces {

namespace detail {

/// Squares of how far elements are from a centre, and of how thick they are, m^2.
template <class Real>
struct Extent {
  Real far = 0;
  Real thick = 0;
};

/// That of element i and its first node. A section is as thick as it is now, or as at rest if that is more.
template <class Real>
struct ExtentOfElement {
  BasicVec3Array<const Real> position;
  const Real* inverse_length;
  const Real* inverse_rest_length;
  const Real* contact_radius;
  BasicVec3<Real> centre;

  ExtentOfElement(const BasicRodView<Real>& rod, const Vec3& middle)
      : position(rod.vec3_array(field::position)),
        inverse_length(rod.array(field::inverse_length)),
        inverse_rest_length(rod.array(field::inverse_rest_length)),
        contact_radius(rod.array(field::contact_radius)),
        centre(static_cast<BasicVec3<Real>>(middle)) {}

  KOKKOS_FORCEINLINE_FUNCTION Real square_to(std::ptrdiff_t i) const {
    const BasicVec3<Real> arm = position(i) - centre;
    return dot(arm, arm);
  }
  KOKKOS_FORCEINLINE_FUNCTION Extent<Real> operator()(std::ptrdiff_t i) const {
    const Real inverse =
        inverse_length[i] > inverse_rest_length[i] ? inverse_length[i] : inverse_rest_length[i];
    return {square_to(i), contact_radius[i] * contact_radius[i] * inverse};
  }
};

/// Whether elements [first, end) and their nodes are within an extent.
template <class Real>
[[gnu::noinline, gnu::flatten]] bool are_within(const ExtentOfElement<Real>& captured, int first, int end,
                                                const Extent<Real> most) {
  const ExtentOfElement<Real> extent = captured;
  std::int64_t outside = first == end || extent.square_to(end) < most.far ? 0 : 1;
  for (int i = first; i < end; ++i) {
    const Extent<Real> own = extent(i);
    outside += (own.far < most.far) & (own.thick < most.thick) ? 0 : 1;
  }
  return outside == 0;
}

}  // namespace detail

/// Which surfaces of the ground the elements of a member can reach in a step. What none can reach adds
/// nothing, and is left out: all elements are within a ball about a centre that is chosen now and then, and
/// each step looks whether they still are. A surface is out of reach as long as it is outside of the ball.
struct GroundReach {
  bool has(int surface) const { return (in_reach >> surface & 1U) != 0U; }
  bool has_any() const { return in_reach != 0U; }

  /// Whether a platen is in reach where it stands now, or was in the step before: then what it has recorded
  /// ends. To be asked once in each step.
  template <class Surface>
  bool has_platen(const Surface& platen) const {
    const bool before = platen_was_near;
    platen_was_near = !(height(platen) > limit);
    return before || platen_was_near;
  }

  /// Looks in each step, before the forces of the ground, where elements are.
  template <class Team, class Real>
  void look(const Team& team, const BasicRodView<Real>& rod, const Ground& ground,
            const FurtherGround* further) {
    if (!ground.acts(0.0) && (further == nullptr || !further->act())) return;
    in_reach = near;
    const rodeo::detail::LaneRange own = rodeo::detail::own_lanes(team, rod.elements, lanes_of_thread);
    const bool stays = detail::are_within<Real>({rod, centre}, own.first, own.end,
                                                {static_cast<Real>(far), static_cast<Real>(thick)});
    if (!of_any_thread(team, !stays) && --steps_left > 0) return;
    look_anew(rod, ground, further);
    // Springs along a surface that elements have left end in the step after.
    const bool holds = further != nullptr && further->on_springs;
    in_reach = holds ? in_reach | near : near;
  }

 private:
  static constexpr int lanes_of_thread = 16;
  static constexpr int most_steps = 500;  ///< between two balls: what has been in reach may be no longer

  template <class Team>
  static bool of_any_thread(const Team& team, bool own) {
    if constexpr (std::is_same_v<Team, HostTeam>) {
      if (team.size > 1) return team.meeting->sum(team.size, own ? 1 : 0) > 0;
    }
    return own;
  }

  /// How high the centre of the ball is above a surface, less what rounding may make of it, m.
  template <class Surface>
  double height(const Surface& surface) const {
    return surface.nearest(centre, {}).height - rounding * size_of(surface);
  }
  double size_of(const Plane& plane) const { return std::abs(plane.offset) + norm(centre) + largest; }
  double size_of(const RoundSurface& solid) const {
    return norm(solid.centre) + solid.radius + norm(centre) + largest;
  }

  template <class Real>
  void look_anew(const BasicRodView<Real>& rod, const Ground& ground, const FurtherGround* further) {
    constexpr double room = 1.05;      // what is nearer than that would soon be in reach again
    constexpr double most_room = 1.5;  // of the ball
    steps_left = most_steps;
    rounding = 64.0 * static_cast<double>(std::numeric_limits<Real>::epsilon());
    Vec3 low = rod.vec3(field::position, 0);
    Vec3 high = low;
    double taper = 0.0;
    const auto least = [](double a, double b) { return a < b ? a : b; };
    const auto most = [](double a, double b) { return a > b ? a : b; };
    for (int i = 0; i <= rod.elements; ++i) {
      const Vec3 x = rod.vec3(field::position, i);
      low = {least(low.x, x.x), least(low.y, x.y), least(low.z, x.z)};
      high = {most(high.x, x.x), most(high.y, x.y), most(high.z, x.z)};
      if (i < rod.elements)
        taper = most(taper, std::abs(static_cast<double>(rod.array(field::half_taper)[i])));
    }
    centre = 0.5 * (low + high);
    const detail::ExtentOfElement<Real> extent_of(rod, centre);
    Real far_now = extent_of.square_to(rod.elements);
    Real thick_now = 0;
    for (int i = 0; i < rod.elements; ++i) {
      const detail::Extent<Real> own = extent_of(i);
      far_now = own.far > far_now ? own.far : far_now;
      thick_now = own.thick > thick_now ? own.thick : thick_now;
    }
    // Sections may become so much thicker until the next look.
    const double skin = room * (1.0 + taper) * std::sqrt(static_cast<double>(thick_now)) +
                        (further != nullptr ? further->wall.touch_margin : ground.wall.touch_margin);
    const double extent = std::sqrt(static_cast<double>(far_now)) + skin;
    limit = largest = most_room * extent;
    near = further != nullptr && further->has_platen ? 1U << surface_bit::platen : 0U;
    const auto judge = [&](const auto& surface, int bit) {
      const double above = height(surface);
      if (above > room * extent) {
        limit = least(limit, above);
      } else {
        near |= 1U << bit;
      }
    };
    const auto judge_all = [&](const Ground& surfaces) {
      if (surfaces.has_plane) judge(surfaces.plane, surface_bit::plane);
      for (int k = 0; k < surfaces.solid_count; ++k) judge(surfaces.solids[k], surface_bit::solids + k);
    };
    judge_all(ground);
    if (further != nullptr) {
      judge_all(further->others);
      for (int k = 0; k < further->still_count; ++k) judge(further->still[k], surface_bit::still + k);
    }
    far = (limit - skin) * (limit - skin);
    thick = room * room * static_cast<double>(thick_now);
  }

  static constexpr unsigned all = ~0U;
  unsigned in_reach = all;  ///< in this step
  unsigned near = all;      ///< from the next one on, until the ball is left
  Vec3 centre;              ///< of the ball, m
  double limit = -1.0;      ///< its radius, m; negative before the first look
  double largest = 0.0;     ///< that it may have, m
  double far = 0.0;         ///< square of how far nodes may be from its centre, m^2
  double thick = 0.0;       ///< and of how thick elements may be, but for tapers
  double rounding = 0.0;    ///< of heights, over what they are the difference of
  int steps_left = most_steps;
  mutable bool platen_was_near = true;
};

}  // namespace rodeo::forces
