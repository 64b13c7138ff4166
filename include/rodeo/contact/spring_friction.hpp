#pragma once

#include "rodeo/contact/contact_view.hpp"
#include "rodeo/math/functions.hpp"
#include "rodeo/rod/rod_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::contact {

/// Coulomb friction of elements that touch, with a spring that holds them until friction yields (Cundall and
/// Strack 1979, Geotechnique 29, 47): across the normal, the later element of a pair feels
///   F = -k_t xi - gamma v,  no larger than mu N,
/// where v is the velocity at which its surface slides on that of the earlier one, and xi how far it has come
/// since they touched, as far as the spring held it. A pile rests on such springs, where a force that grows
/// with v lets it creep. xi turns with the normal. The surfaces meet between the centre lines, at distances
/// in proportion to the radii: from there F turns both elements, so that angular momentum stays.
struct SpringFriction {
  double coefficient = 0.0;  ///< mu
  double stiffness = 0.0;    ///< k_t, N/m
  double damping = 0.0;      ///< gamma, kg/s
  double step = 0.0;         ///< s

  static SpringFriction of(const MemberSpec& spec) {
    const ContactSpec& contact = spec.contact;
    return {contact.friction, contact.tangential_stiffness, contact.damping, spec.time.step};
  }

  KOKKOS_FORCEINLINE_FUNCTION bool acts() const { return coefficient > 0.0; }

  /// Sets the angular velocities that rub() reads.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void set_spins(const Team& team, const ContactView& view,
                                                          const BasicRodView<const Real>& rod) const {
    const auto orientation = rod.orientations();
    const auto angular_velocity = rod.vec3_array(field::angular_velocity);
    const Vec3Array spin = view.vec3_friction_lanes(friction_lane::spin);
    for_each_lane(team, view.elements, [=](int i) {
      spin.set(i, static_cast<Vec3>(directors(orientation(i)).to_laboratory(angular_velocity(i))));
    });
  }

  /// Adds the couples of friction on the elements.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void turn(const Team& team, const ContactView& view,
                                                     const BasicRodView<Real>& rod) const {
    const Vec3Array couple = view.vec3_friction_lanes(friction_lane::couple);
    const double* const radius = view.lanes(lane_array::radius);
    const int* const active = view.active();
    const ConstVec3Array turning = view.vec3_friction_pairs(friction_pair::turning);
    for_each_lane(team, view.elements, [=](int i) {
      Vec3 sum;
      for (int p = view.element_start()[i]; p < view.element_start()[i + 1]; ++p) {
        if (active[p] != 0) sum = sum + turning(p);
      }
      for (int k = view.later_start()[i]; k < view.later_start()[i + 1]; ++k) {
        const int p = view.by_later()[k];
        if (active[p] != 0) sum = sum + turning(p);
      }
      couple.set(i, -radius[i] * sum);
    });
    const auto orientation = rod.as_const().orientations();
    const BasicVec3Array<Real> external_couple = rod.vec3_array(field::external_couple);
    for_each_lane(team, view.elements, [=](int i) {
      external_couple.add(i, directors(orientation(i)).to_body(static_cast<BasicVec3<Real>>(couple(i))));
    });
  }

  /// What the springs hold, J.
  template <class Team>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION double energy(const Team& team, const ContactView& view) const {
    const Vec3Array spring = view.vec3_friction_pairs(friction_pair::spring);
    double squares = 0.0;
    reduce_lanes(
        team, view.list(list_entry::pairs),
        [&](int p, double& sum) {
          if (view.held()[p] != 0) sum += dot(spring(p), spring(p));
        },
        squares);
    return 0.5 * stiffness * squares;
  }

  /// What slip and dashpots have taken so far, J.
  template <class Team>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION double loss(const Team& team, const ContactView& view) const {
    const double* const of_elements = view.friction_lanes(friction_lane::loss);
    double total = 0.0;
    reduce_lanes(
        team, view.elements, [&](int i, double& sum) { sum += of_elements[i]; }, total);
    return total;
  }

  /// Moves the springs of up to a block of pairs that touch on by a step, and adds to their forces.
  /// `velocity` is that of the nodes.
  KOKKOS_INLINE_FUNCTION void rub(const ContactView& view, const ConstVec3Array& velocity, const int* pairs,
                                  int count) const {
    const int* const earlier = view.earlier();
    const int* const later = view.later();
    const ConstVec3Array spin = view.vec3_friction_lanes(friction_lane::spin);
    const double* const radius = view.lanes(lane_array::radius);
    const double* const overlaps = view.pairs(pair_array::overlap);
    const double* const firsts = view.pairs(pair_array::first);
    const double* const seconds = view.pairs(pair_array::second);
    const Vec3Array forces = view.vec3_pairs(pair_array::force);
    const Vec3Array springs = view.vec3_friction_pairs(friction_pair::spring);
    const Vec3Array turnings = view.vec3_friction_pairs(friction_pair::turning);
    const double mu = coefficient;
    const double spring_constant = stiffness;
    const double compliance = 1.0 / stiffness;
    const double dashpot = damping;
    const double duration = step;
    double forces_out[3][block_size];
    double springs_out[3][block_size];
    double turnings_out[3][block_size];
    double lost[block_size];
    const Vec3Array new_forces = {forces_out[0], forces_out[1], forces_out[2]};
    const Vec3Array new_springs = {springs_out[0], springs_out[1], springs_out[2]};
    const Vec3Array new_turnings = {turnings_out[0], turnings_out[1], turnings_out[2]};
    for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) {
      constexpr double tiny = 1e-200;  // squares of no length give no direction, and no NaN
      const std::int64_t p = pairs[lane < count ? lane : count - 1];
      const std::int64_t i = earlier[p];
      const std::int64_t j = later[p];
      const Vec3 push = forces(p);
      const double load = math::sqrt(dot(push, push));
      const double touches = load > 0.0 ? 1.0 : 0.0;
      const Vec3 normal = (touches / math::sqrt(dot(push, push) + tiny)) * push;
      const double share = 1.0 - overlaps[p] / (radius[i] + radius[j]);
      const double own_arm = share * radius[i];
      const double other_arm = share * radius[j];
      const Vec3 here = velocity(i);
      const Vec3 own_spread = velocity(i + 1) - here;
      const Vec3 there = velocity(j);
      const Vec3 spread = velocity(j + 1) - there;
      const Vec3 passing = (there + seconds[p] * spread) - (here + firsts[p] * own_spread) -
                           cross(other_arm * spin(j) + own_arm * spin(i), normal);
      const Vec3 slip = touches * (passing - dot(passing, normal) * normal);
      const Vec3 before = springs(p);
      const Vec3 flat = before - dot(before, normal) * normal;
      const Vec3 turned = math::sqrt(dot(before, before) / (dot(flat, flat) + tiny)) * flat;
      const Vec3 stretched = turned + duration * slip;
      const Vec3 pull = -1.0 * (spring_constant * stretched + dashpot * slip);
      const double limit = mu * load;
      const double wanted = math::sqrt(dot(pull, pull) + tiny);
      const double yields = wanted > limit ? 1.0 : 0.0;
      const Vec3 friction = (yields > 0.0 ? limit / wanted : 1.0) * pull;
      const Vec3 yielded = -compliance * (friction + dashpot * slip);
      const Vec3 after = touches * (stretched + yields * (yielded - stretched));
      lost[lane] = 0.5 * spring_constant * dot(turned + after, stretched - after) +
                   duration * dashpot * dot(slip, slip);
      new_springs.set(lane, after);
      new_turnings.set(lane, share * cross(normal, friction));
      new_forces.set(lane, push + friction);
    });
    double* const loss = view.friction_lanes(friction_lane::loss);
    for (int lane = 0; lane < count; ++lane) {
      const int p = pairs[lane];
      const Vec3 spring = new_springs(lane);
      forces.set(p, new_forces(lane));
      springs.set(p, spring);
      turnings.set(p, new_turnings(lane));
      view.held()[p] = dot(spring, spring) > 0.0 ? 1 : 0;
      loss[earlier[p]] += lost[lane];
    }
  }

  /// Lets go of the spring of a pair that does not touch any more: what it held is lost.
  KOKKOS_INLINE_FUNCTION void release(const ContactView& view, int pair) const {
    const Vec3Array springs = view.vec3_friction_pairs(friction_pair::spring);
    const Vec3 spring = springs(pair);
    springs.set(pair, {});
    view.held()[pair] = 0;
    view.friction_lanes(friction_lane::loss)[view.earlier()[pair]] += 0.5 * stiffness * dot(spring, spring);
  }
};

/// Puts the springs aside before the pairs are listed anew.
template <class Team>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION void keep_springs(const Team& team, const ContactView& view) {
  const Vec3Array spring = view.vec3_friction_pairs(friction_pair::spring);
  const Vec3Array former_spring = view.vec3_pairs(pair_array::former_spring);
  for_each_lane(team, view.elements + 1,
                [=](int i) { view.former_element_start()[i] = view.element_start()[i]; });
  for_each_lane(team, view.list(list_entry::pairs), [=](int p) {
    view.former_later()[p] = view.later()[p];
    former_spring.set(p, view.held()[p] != 0 ? spring(p) : Vec3{});
  });
}

/// Gives them to the same pairs where these are listed again. Others do not touch.
template <class Team>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION void restore_springs(const Team& team, const ContactView& view) {
  const Vec3Array spring = view.vec3_friction_pairs(friction_pair::spring);
  const Vec3Array former_spring = view.vec3_pairs(pair_array::former_spring);
  for_each_lane(team, view.list(list_entry::pairs), [=](int p) {
    const int i = view.earlier()[p];
    int former = view.former_element_start()[i];
    const int end = view.former_element_start()[i + 1];
    while (former < end && view.former_later()[former] < view.later()[p]) ++former;
    const bool known = former < end && view.former_later()[former] == view.later()[p];
    const Vec3 kept = known ? former_spring(former) : Vec3{};
    spring.set(p, kept);
    view.held()[p] = dot(kept, kept) > 0.0 ? 1 : 0;
  });
}

}  // namespace rodeo::contact
