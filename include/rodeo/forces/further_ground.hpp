#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rodeo/forces/ground.hpp"
#include "rodeo/forces/surface_springs.hpp"
#include "rodeo/forces/wall.hpp"
#include "rodeo/math/formula_program.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::forces {

/// A moving plane at an instant.
template <class Real>
struct BasicMovingPlane {
  static constexpr bool is_flat = true;

  BasicPlane<Real> plane;
  BasicVec3<Real> velocity;  ///< m/s
  Real falling = 0;          ///< d^2 height/dt^2 of a point at a constant velocity, m/s^2

  template <class Other>
  KOKKOS_INLINE_FUNCTION BasicMovingPlane<Other> rounded() const {
    return {plane.template rounded<Other>(), static_cast<BasicVec3<Other>>(velocity),
            static_cast<Other>(falling)};
  }

  KOKKOS_FORCEINLINE_FUNCTION BasicVec3<Real> seen_from(const BasicVec3<Real>& moving) const {
    return moving - velocity;
  }

  KOKKOS_FORCEINLINE_FUNCTION BasicSurfacePoint<Real> nearest(const BasicVec3<Real>& point,
                                                              const BasicVec3<Real>& moving) const {
    const BasicSurfacePoint<Real> below = plane.nearest(point, moving);
    return {by_parts(below.normal), below.height, falling};
  }
};
using MovingPlane = BasicMovingPlane<double>;

/// Arrays of the platen's record, with an entry for each element.
namespace platen_array {
enum PlatenArray : int {
  force = 0,  ///< 3, which the element exerts on the platen, N, over the last step
  work = 3,   ///< work of the platen on the element so far, J
  count = 4
};
}  // namespace platen_array

/// Ground surfaces kept beside the motions instead of in Ground, so that kernels of members without them are
/// unaffected: fixed planes besides the first, the platen, which moves by formulas of time, and all surfaces
/// of a ground that acts by springs. They respond to all other forces, those of Ground too, the platen last.
/// Elements are checked for passing through the balls and cylinders of Ground. Plain, copied to the device
/// once.
struct FurtherGround {
  Wall wall;
  bool on_springs = false;
  SurfaceSprings springs;
  Ground others;  ///< balls and cylinders, which answer from here on springs, and there the first plane
  int still_count = 0;
  Kokkos::Array<Plane, most_solids> still;
  bool has_platen = false;
  Vec3 point;   ///< of the platen where it is not displaced, m
  Vec3 normal;  ///< unit vector out of its solid
  FormulaProgram course;
  std::size_t first_number = 0;  ///< of the tables of its formulas among those of the batch
  std::size_t first_record = 0;  ///< of its record and the springs' among those of the batch

  /// The numbers of the platen's tables are added to `tables`.
  static FurtherGround of(const MemberSpec& spec, std::vector<double>& tables);

  /// True if a member has any such surface.
  static bool is_in(const GroundSpec& ground);

  /// True if there is a ball or cylinder that rods are outside of.
  static bool has_solid(const GroundSpec& ground);

  /// Numbers that are recorded of each element: platen_array, then, on springs, SurfaceSprings::Counts, and
  /// their Grips surface by surface; else, if has_solid(), the one of Counts::deepest.
  static int records(const GroundSpec& ground);

  KOKKOS_INLINE_FUNCTION bool act() const {
    return still_count > 0 || has_platen || on_springs || others.solid_count > 0;
  }
  /// True if the nearest approach of elements to the middles of balls and cylinders is recorded.
  KOKKOS_INLINE_FUNCTION bool watches() const { return on_springs || others.solid_count > 0; }

  /// The platen's displacement, m, and velocity, m/s.
  struct Course {
    Vec3 displacement;
    Vec3 velocity;
  };
  KOKKOS_INLINE_FUNCTION Course at(double time, const double* tables) const {
    Rated results[FormulaProgram::most_results] = {};
    course.run({.t = time, .tables = tables}, results);
    return {{results[0].value, results[1].value, results[2].value},
            {results[0].rate, results[1].rate, results[2].rate}};
  }

  /// The platen after so many seconds, not moving.
  KOKKOS_INLINE_FUNCTION Plane platen(double time, const double* tables) const {
    return {normal, dot(normal, point + at(time, tables).displacement)};
  }
};

/// FurtherGround of a member with the tables of its platen and the record: arrays one after the other, with
/// an entry for each element of the member.
struct FurtherGroundOfMember {
  const FurtherGround* ground = nullptr;
  const double* tables = nullptr;
  double* record = nullptr;
  int elements = 0;  ///< of the member

  /// FurtherGround of the member's elements from `first` on.
  KOKKOS_INLINE_FUNCTION FurtherGroundOfMember from(int first) const {
    return ground == nullptr ? *this : FurtherGroundOfMember{ground, tables, record + first, elements};
  }

  KOKKOS_INLINE_FUNCTION bool act() const { return ground != nullptr && ground->act(); }

  /// Adds the responses to all other forces, in the step after `steps`.
  template <class Team, class Real, class Rods, class Reach>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void answer(const Team& team, const BasicRodView<Real>& rod,
                                                       const Rods& rods, std::int64_t steps, double step,
                                                       const Reach& reach) const {
    if (!act()) return;
    if (ground->on_springs) return stand(team, rod, rods, steps, step, reach);
    for (int k = 0; k < ground->others.solid_count; ++k) {
      if (reach.has(surface_bit::solids + k)) watch(team, rod, ground->others.solids[k], step);
    }
    for (int k = 0; k < ground->still_count; ++k) {
      const int bit = surface_bit::still + k;
      if (reach.has(bit)) ground->wall.add(ground->still[k], team, rod, rods, reach.elements(bit));
    }
    if (ground->has_platen) press(team, rod, rods, steps, step, reach);
  }

  /// Energy that slip and dashpots of springs have dissipated so far, J.
  template <class Team>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION double loss(const Team& team) const {
    if (!act() || !ground->on_springs) return 0.0;
    const double* const of_elements = counts().loss;
    double total = 0.0;
    reduce_lanes(
        team, elements, [&](int i, double& sum) { sum += of_elements[i]; }, total);
    return total;
  }

  /// True if an element may have passed through a ball or cylinder.
  template <class Team>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION bool has_passed(const Team& team) const {
    if (!act() || !ground->watches()) return false;
    const double* const deepest = counts().deepest;
    return count_lanes(team, elements, [=](int i) { return deepest[i] > passing_depth; }) > 0;
  }

  /// The platen after `steps`; any plane without one.
  KOKKOS_INLINE_FUNCTION Plane platen(std::int64_t steps, double step) const {
    if (!act() || !ground->has_platen) return {};
    return ground->platen(static_cast<double>(steps) * step, tables);
  }

  /// Energy of the springs after `steps`, as of Ground::energy, J.
  template <class Team, class Real, class Reach>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION double energy(const Team& team, const BasicRodView<Real>& rod,
                                                         std::int64_t steps, double step,
                                                         const Reach& reach) const {
    if (!act()) return 0.0;
    const bool has_platen = ground->has_platen && reach.has(surface_bit::platen);
    const Plane platen = this->platen(steps, step);
    if (ground->on_springs) return spring_energy(team, rod, platen, reach);
    const Real* const contact_radius = rod.array(field::contact_radius);
    const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
    const Real* const half_taper = rod.array(field::half_taper);
    double squares = 0.0;
    reduce_lanes(
        team, rod.elements,
        [&](int i, double& sum) {
          const Vec3 first = rod.vec3(field::position, i);
          const Vec3 last = rod.vec3(field::position, i + 1);
          const double at_rest = inverse_rest_length[i];
          const double radius =
              contact_radius[i] * math::sqrt(rod.section_value(1.0 / norm(last - first), at_rest));
          const auto element =
              tangent::Capsule::tapered(first, last, radius, static_cast<double>(half_taper[i]));
          const auto add = [&](const Plane& plane) { sum += tangent::touch(plane, element).square; };
          for (int k = 0; k < ground->still_count; ++k) {
            if (reach.has(surface_bit::still + k)) add(ground->still[k]);
          }
          if (has_platen) add(platen);
        },
        squares);
    return 0.5 * ground->wall.stiffness * squares;
  }

 private:
  KOKKOS_INLINE_FUNCTION SurfaceSprings::Counts counts() const {
    const int before = ground->has_platen ? static_cast<int>(platen_array::count) : 0;
    double* const first = record + static_cast<std::ptrdiff_t>(before) * elements;
    if (!ground->on_springs) return {nullptr, first};
    return {first, first + elements};
  }

  KOKKOS_INLINE_FUNCTION SurfaceSprings::Grips grips(int surface) const {
    double* const first =
        counts().deepest + static_cast<std::ptrdiff_t>(1 + SurfaceSprings::arrays * surface) * elements;
    return {first, first + elements, first + 2 * elements};
  }

  /// Calls visit(surface, k, bit) for all that stay, in order: the first plane, the others, balls and
  /// cylinders. Returns how many these are.
  template <class Visit>
  KOKKOS_INLINE_FUNCTION int for_each_still(const Visit& visit) const {
    const Ground& others = ground->others;
    int k = 0;
    if (others.has_plane) visit(others.plane, k++, surface_bit::plane);
    for (int p = 0; p < ground->still_count; ++p) visit(ground->still[p], k++, surface_bit::still + p);
    for (int s = 0; s < others.solid_count; ++s) visit(others.solids[s], k++, surface_bit::solids + s);
    return k;
  }

  template <class Team, class Real, class Rods, class Reach>
  KOKKOS_INLINE_FUNCTION void stand(const Team& team, const BasicRodView<Real>& rod, const Rods& rods,
                                    std::int64_t steps, double step, const Reach& reach) const {
    const SurfaceSprings& springs = ground->springs;
    const SurfaceSprings::Counts counts = this->counts();
    const int last = for_each_still([&](const auto& surface, int k, int bit) {
      if (reach.has(bit)) springs.add(surface, team, rod, rods, grips(k), counts, Wall::Unnoted{});
    });
    if (!ground->has_platen) return;
    const double begin = static_cast<double>(steps) * step;
    const Plane platen = ground->platen(begin + 0.5 * step, tables);
    if (!reach.has_platen(platen)) return;
    const Vec3 mean = 0.5 * (ground->at(begin, tables).velocity + ground->at(begin + step, tables).velocity);
    springs.add(MovingPlane{platen, mean, 0.0}, team, rod, rods, grips(last), counts,
                platen_record(rod, mean, step));
  }

  /// Records how near elements came to the middle of a ball or cylinder in the step that brought nodes here
  /// at their velocities.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void watch(const Team& team, const BasicRodView<Real>& rod,
                                    const RoundSurface& solid, double step) const {
    const auto position = rod.positions();
    const BasicVec3Array<const Real> velocity = rod.vec3_array(field::velocity);
    const Real* const contact_radius = rod.array(field::contact_radius);
    const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
    double* const deepest = counts().deepest;
    for_each_lane(team, rod.elements, [=](int i) {
      const double radius =
          static_cast<double>(contact_radius[i]) * math::sqrt(static_cast<double>(inverse_rest_length[i]));
      const tangent::Capsule element = {static_cast<Vec3>(position(i)), static_cast<Vec3>(position(i + 1)),
                                        radius};
      const double part = solid.nearest_part(element.first, element.last);
      const Vec3 move =
          step * ((1.0 - part) * static_cast<Vec3>(velocity(i)) + part * static_cast<Vec3>(velocity(i + 1)));
      const double depth = solid.depth_on_way(element.at(part), move, radius);
      deepest[i] = depth > deepest[i] ? depth : deepest[i];
    });
  }

  /// Energy of the springs of all surfaces, J.
  template <class Team, class Real, class Reach>
  KOKKOS_INLINE_FUNCTION double spring_energy(const Team& team, const BasicRodView<Real>& rod,
                                              const Plane& platen, const Reach& reach) const {
    const Real* const contact_radius = rod.array(field::contact_radius);
    const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
    const Real* const half_taper = rod.array(field::half_taper);
    double squares = 0.0;
    reduce_lanes(
        team, rod.elements,
        [&](int i, double& sum) {
          const double radius = static_cast<double>(contact_radius[i]) *
                                math::sqrt(static_cast<double>(inverse_rest_length[i]));
          const auto element =
              tangent::Capsule::tapered(rod.vec3(field::position, i), rod.vec3(field::position, i + 1),
                                        radius, static_cast<double>(half_taper[i]));
          const auto add = [&](const auto& surface, int k, int bit) {
            const SurfaceSprings::Grips held = grips(k);
            if (reach.has(bit)) sum += tangent::touch(surface, element).square;
            sum += held.axial[i] * held.axial[i] + held.lateral[i] * held.lateral[i];
          };
          const int last = for_each_still(add);
          if (ground->has_platen) add(platen, last, surface_bit::platen);
        },
        squares);
    return 0.5 * ground->springs.stiffness * squares;
  }

  /// Forces stand at the middle of a step, and velocities become those at its end; so friction brings rods to
  /// the platen's velocity then.
  template <class Team, class Real, class Rods, class Reach>
  KOKKOS_INLINE_FUNCTION void press(const Team& team, const BasicRodView<Real>& rod, const Rods& rods,
                                    std::int64_t steps, double step, const Reach& reach) const {
    const double begin = static_cast<double>(steps) * step;
    const Plane present = ground->platen(begin + 0.5 * step, tables);
    if (!reach.has_platen(present)) return;
    const Vec3 before = ground->at(begin, tables).velocity;
    const Vec3 after = ground->at(begin + step, tables).velocity;
    const Vec3 mean = 0.5 * (before + after);
    const MovingPlane platen = {present, after, dot(ground->normal, before - after) / step};
    ground->wall.add(platen, team, rod, rods, {}, platen_record(rod, mean, step));
  }

  /// Records the forces and work of the platen, which has moved at a mean velocity.
  struct PlatenRecord {
    double* record;
    int elements;  ///< of the member
    int own;       ///< of the rods that are pressed
    Vec3 mean;     ///< m/s
    double step;   ///< s

    template <class Real>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t i, const BasicVec3<Real>& on_rods) const {
      if (i >= own) return;
      const auto force = static_cast<Vec3>(on_rods);
      double* const x = record;
      double* const y = x + elements;
      double* const z = y + elements;
      double* const work = z + elements;
      x[i] = -force.x;
      y[i] = -force.y;
      z[i] = -force.z;
      work[i] += step * dot(force, mean);
    }
  };

  template <class Real>
  KOKKOS_INLINE_FUNCTION PlatenRecord platen_record(const BasicRodView<Real>& rod, const Vec3& mean,
                                                    double step) const {
    return {record, elements, rod.elements, mean, step};
  }
};

}  // namespace rodeo::forces
