#pragma once

#include "rodeo/math/lanes.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"
#include "rodeo/tangent/follower_load.hpp"
#include "rodeo/tangent/unknowns.hpp"

namespace rodeo::forces {

/// A force and a couple on every element, the same in the laboratory frame.
struct DistributedLoad {
  Vec3 force;   ///< per rest length, N/m; half of an element's acts on each of its nodes
  Vec3 couple;  ///< per rest length, N
  LoadCourse course;

  static DistributedLoad of(const MemberSpec& rod) {
    const double per_length = 1.0 / rod.rod.length;
    return {per_length * rod.load.distributed_force, per_length * rod.load.distributed_couple,
            LoadCourse::of(rod.load)};
  }

  KOKKOS_INLINE_FUNCTION bool acts(double) const {
    return dot(force, force) > 0.0 || dot(couple, couple) > 0.0;
  }
  double steady_from() const { return course.ramp_time; }
  bool does_work() const { return course.does_work(force, couple); }

  bool has_energy() const { return !has_couple(); }

  template <class Add>
  void add_derivatives(const ConstRodView& rod, double time, double part, const Add& add) const {
    if (!has_couple()) return;
    for (int i = 0; i < rod.elements; ++i) {
      const Vec3 on_element = part * ((rod.array(field::rest_length)[i] * course.at(time)) * couple);
      const int own = tangent::element_unknown(i);
      add(own, own, tangent::fixed_couple(rod.quaternion(i), on_element).turn_turn);
    }
  }

  /// The energy of the force at its full size, J.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION double potential(const Team& team, const BasicRodView<Real>& rod) const {
    const Real* const rest_length = rod.array(field::rest_length);
    double total = 0.0;
    reduce_lanes(
        team, rod.elements,
        [&](int i, double& sum) {
          const Vec3 ends = rod.vec3(field::position, i) + rod.vec3(field::position, i + 1);
          sum -= 0.5 * rest_length[i] * dot(force, ends);
        },
        total);
    return total;
  }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const BasicRodView<Real>& rod, double time) const {
    using Vector = BasicVec3<Real>;
    const Real* const rest_length = rod.array(field::rest_length);
    const BasicVec3Array<Real> external_force = rod.vec3_array(field::external_force);
    const BasicVec3Array<Real> external_couple = rod.vec3_array(field::external_couple);
    const double part = course.at(time);
    const auto push = static_cast<Vector>((0.5 * part) * force);
    const auto turn = static_cast<Vector>(part * couple);
    const int last = rod.elements;
    for_each_lane(team, rod.nodes(), [=](int i) {
      const Real length = (i > 0 ? rest_length[i - 1] : 0) + (i < last ? rest_length[i] : 0);
      external_force.add(i, length * push);
    });
    const BasicOrientationArray<Real> orientation = rod.orientations();
    for_each_lane(team, rod.elements, [=](int i) {
      external_couple.add(i, directors(orientation(i)).to_body(rest_length[i] * turn));
    });
  }

 private:
  bool has_couple() const { return dot(couple, couple) > 0.0; }
};

}  // namespace rodeo::forces
