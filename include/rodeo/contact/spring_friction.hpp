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

  /// Moves the springs of all listed pairs on by a step and adds to the forces of the active ones. `velocity`
  /// is that of the nodes.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void rub(const Team& team, const ContactView& view,
                                                    const BasicRodView<const Real>& rod,
                                                    const ConstVec3Array& velocity) const {
    const auto orientation = rod.orientations();
    const auto angular_velocity = rod.vec3_array(field::angular_velocity);
    const Vec3Array spin = view.vec3_friction_lanes(friction_lane::spin);
    for_each_lane(team, view.elements, [=](int i) {
      spin.set(i, static_cast<Vec3>(directors(orientation(i)).to_laboratory(angular_velocity(i))));
    });
    for_each_lane(team, view.elements, [=, *this](int i) {
      double lost = 0.0;
      for (int e = view.element_start()[i]; e < view.element_start()[i + 1]; ++e) {
        if (view.active()[e] != 0) {
          lost += rub_candidate(view, velocity, e);
        } else if (view.held()[e] != 0) {
          lost += release(view, e);
        }
      }
      view.friction_lanes(friction_lane::loss)[i] += lost;
    });
  }

  /// Adds the couples of these forces on the elements.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void turn(const Team& team, const ContactView& view,
                                                     const BasicRodView<Real>& rod) const {
    const Vec3Array couple = view.vec3_friction_lanes(friction_lane::couple);
    const double* const radius = view.lanes(lane_array::radius);
    for_each_lane(team, view.elements, [=](int i) {
      const Vec3Array turning = view.vec3_friction_pairs(friction_pair::turning);
      Vec3 sum;
      for (int e = view.element_start()[i]; e < view.element_start()[i + 1]; ++e) {
        if (view.active()[e] == 0) continue;
        const Vec3Array of_pairs = turning.from(static_cast<std::ptrdiff_t>(e) * block_size);
        for_each_in_block([&](std::int64_t lane) { sum = sum + of_pairs(lane); });
      }
      couple.set(i, -radius[i] * sum);
    });
    for_each_lane(team, view.blocks, [=](int block) { turn_block(view, block); });
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
        team, view.list(list_entry::candidates),
        [&](int e, double& sum) {
          if (view.held()[e] == 0) return;
          const Vec3Array own = spring.from(static_cast<std::ptrdiff_t>(e) * block_size);
          for (int lane = 0; lane < block_size; ++lane) sum += dot(own(lane), own(lane));
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

 private:
  /// What the friction of a candidate's pairs takes in this step, J.
  KOKKOS_INLINE_FUNCTION double rub_candidate(const ContactView& view, const ConstVec3Array& velocity,
                                              int candidate) const {
    const int i = view.element()[candidate];
    const int start = view.block()[candidate] * block_size;
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(candidate) * block_size;
    const ConstVec3Array other_velocity = velocity.from(start);
    const Vec3Array spin = view.vec3_friction_lanes(friction_lane::spin);
    const Vec3Array other_spin = spin.from(start);
    const double* const radius = view.lanes(lane_array::radius) + start;
    const double* const overlaps = view.pairs(pair_array::overlap) + at;
    const double* const firsts = view.pairs(pair_array::first) + at;
    const double* const seconds = view.pairs(pair_array::second) + at;
    const Vec3Array forces = view.vec3_pairs(pair_array::force).from(at);
    const Vec3Array springs = view.vec3_friction_pairs(friction_pair::spring).from(at);
    const Vec3Array turnings = view.vec3_friction_pairs(friction_pair::turning).from(at);
    const Vec3 own_velocity = velocity(i);
    const Vec3 own_spread = velocity(i + 1) - own_velocity;
    const Vec3 own_spin = spin(i);
    const double own_radius = view.lanes(lane_array::radius)[i];
    const double mu = coefficient;
    const double spring_constant = stiffness;
    const double compliance = 1.0 / stiffness;
    const double dashpot = damping;
    const double duration = step;
    double lost = 0.0;
    double held = 0.0;
    for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) {
      constexpr double tiny = 1e-200;  // squares of no length give no direction, and no NaN
      const Vec3 push = forces(lane);
      const double load = math::sqrt(dot(push, push));
      const double touches = load > 0.0 ? 1.0 : 0.0;
      const Vec3 normal = (touches / math::sqrt(dot(push, push) + tiny)) * push;
      // Padding of a block has a hugely negative radius, and neither load nor normal.
      const double share = 1.0 - overlaps[lane] / (own_radius + radius[lane]);
      const double own_arm = share * own_radius;
      const double other_arm = share * radius[lane];
      const Vec3 there = other_velocity(lane);
      const Vec3 spread = other_velocity(lane + 1) - there;
      const Vec3 passing = (there + seconds[lane] * spread) - (own_velocity + firsts[lane] * own_spread) -
                           cross(other_arm * other_spin(lane) + own_arm * own_spin, normal);
      const Vec3 slip = touches * (passing - dot(passing, normal) * normal);
      const Vec3 before = springs(lane);
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
      lost += 0.5 * spring_constant * dot(turned + after, stretched - after) +
              duration * dashpot * dot(slip, slip);
      held += dot(after, after);
      springs.set(lane, after);
      turnings.set(lane, share * cross(normal, friction));
      forces.set(lane, push + friction);
    });
    view.held()[candidate] = held > 0.0 ? 1 : 0;
    return lost;
  }

  /// The springs of pairs that do not touch any more; what they held, J.
  KOKKOS_INLINE_FUNCTION double release(const ContactView& view, int candidate) const {
    const Vec3Array springs = view.vec3_friction_pairs(friction_pair::spring)
                                  .from(static_cast<std::ptrdiff_t>(candidate) * block_size);
    double squares = 0.0;
    for_each_in_block([&](std::int64_t lane) {
      squares += dot(springs(lane), springs(lane));
      springs.set(lane, {});
    });
    view.held()[candidate] = 0;
    return 0.5 * stiffness * squares;
  }

  KOKKOS_INLINE_FUNCTION static void turn_block(const ContactView& view, int block) {
    const int start = block * block_size;
    const double* const radius = view.lanes(lane_array::radius) + start;
    const Vec3Array couple = view.vec3_friction_lanes(friction_lane::couple).from(start);
    for (int k = view.block_start()[block]; k < view.block_start()[block + 1]; ++k) {
      const int candidate = view.by_block()[k];
      if (view.active()[candidate] == 0) continue;
      const Vec3Array turning = view.vec3_friction_pairs(friction_pair::turning)
                                    .from(static_cast<std::ptrdiff_t>(candidate) * block_size);
      for_each_in_block([=](std::int64_t lane) { couple.add(lane, -radius[lane] * turning(lane)); });
    }
  }
};

/// Puts the springs aside before the candidates are listed anew.
template <class Team>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION void keep_springs(const Team& team, const ContactView& view) {
  const Vec3Array spring = view.vec3_friction_pairs(friction_pair::spring);
  const Vec3Array former_spring = view.vec3_friction_pairs(friction_pair::former_spring);
  const int candidates = view.list(list_entry::candidates);
  for_each_lane(team, view.elements + 1,
                [=](int i) { view.former_element_start()[i] = view.element_start()[i]; });
  for_each_lane(team, candidates, [=](int e) {
    view.former_block()[e] = view.block()[e];
    view.former_held()[e] = view.held()[e];
  });
  for_each_lane(team, candidates * block_size, [=](int k) { former_spring.set(k, spring(k)); });
}

/// Gives them to the same pairs where these are listed again. Others do not touch.
template <class Team>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION void restore_springs(const Team& team, const ContactView& view) {
  const Vec3Array spring = view.vec3_friction_pairs(friction_pair::spring);
  const Vec3Array former_spring = view.vec3_friction_pairs(friction_pair::former_spring);
  for_each_lane(team, view.list(list_entry::candidates), [=](int e) {
    const int i = view.element()[e];
    int former = view.former_element_start()[i];
    const int end = view.former_element_start()[i + 1];
    while (former < end && view.former_block()[former] != view.block()[e]) ++former;
    const bool known = former < end && view.former_held()[former] != 0;
    view.held()[e] = known ? 1 : 0;
    const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(former) * block_size;
    const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(e) * block_size;
    for (int lane = 0; lane < block_size; ++lane) {
      spring.set(to + lane, known ? former_spring(from + lane) : Vec3{});
    }
  });
}

}  // namespace rodeo::contact
