#pragma once

#include "rodeo/contact/cells.hpp"
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
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void set_spins(const Team& team,
                                                          const BasicRodView<const Real>& rod,
                                                          const Vec3Array& spin) const {
    const auto orientation = rod.orientations();
    const auto angular_velocity = rod.vec3_array(field::angular_velocity);
    for_each_lane(team, rod.elements, [=](int i) {
      spin.set(i, static_cast<Vec3>(directors(orientation(i)).to_laboratory(angular_velocity(i))));
    });
  }

  /// What the springs hold, J.
  template <class Team>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION double energy(const Team& team, const ContactView& view) const {
    const ConstVec3Array spring = view.springs();
    double squares = 0.0;
    reduce_lanes(
        team, view.list(list_entry::pairs), [&](int p, double& sum) { sum += dot(spring(p), spring(p)); },
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

  /// Moves the springs of up to a block of pairs that touch on by a step, and adds to the forces in their
  /// records, which press() has left there. `velocity` is that of the nodes, `spin` of set_spins().
  KOKKOS_INLINE_FUNCTION void rub(const ContactView& view, const ConstVec3Array& velocity,
                                  const ConstVec3Array& spin, const int* pairs, int count) const {
    const int* const earlier = view.earlier();
    const int* const later = view.later();
    const double* const radius = view.lanes(lane_array::radius);
    const double* const overlaps = view.overlap();
    double* const records = view.records();
    const Vec3Array springs = view.springs();
    const double mu = coefficient;
    const double spring_constant = stiffness;
    const double compliance = 1.0 / stiffness;
    const double dashpot = damping;
    const double duration = step;
    BlockOfEnds own;
    BlockOfEnds other;
    BlockOfVectors own_spin;
    BlockOfVectors other_spin;
    BlockOfVectors pushes;
    BlockOfVectors springs_held;
    double own_radius[block_size];
    double other_radius[block_size];
    double depth[block_size];
    double first[block_size];
    double second[block_size];
    for (int lane = 0; lane < block_size; ++lane) {
      const int p = pairs[lane < count ? lane : count - 1];
      const int i = earlier[p];
      const int j = later[p];
      const double* const record = records + static_cast<std::ptrdiff_t>(pair_record::count) * p;
      own.set(lane, velocity, i);
      other.set(lane, velocity, j);
      own_spin.set(lane, spin, i);
      other_spin.set(lane, spin, j);
      own_radius[lane] = radius[i];
      other_radius[lane] = radius[j];
      depth[lane] = overlaps[p];
      for (int c = 0; c < 3; ++c) pushes.component[c][lane] = record[pair_record::force + c];
      first[lane] = record[pair_record::first];
      second[lane] = record[pair_record::second];
      springs_held.set(lane, springs, p);
    }
    BlockOfVectors new_forces;
    BlockOfVectors new_springs;
    BlockOfVectors new_turnings;
    double lost[block_size];
    for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) {
      constexpr double tiny = 1e-200;  // squares of no length give no direction, and no NaN
      const Vec3 push = pushes(lane);
      const double load = math::sqrt(dot(push, push));
      const double touches = load > 0.0 ? 1.0 : 0.0;
      const Vec3 normal = (touches / math::sqrt(dot(push, push) + tiny)) * push;
      const double of_radius = 1.0 - depth[lane] / (own_radius[lane] + other_radius[lane]);
      const double own_arm = of_radius * own_radius[lane];
      const double other_arm = of_radius * other_radius[lane];
      const Vec3 here = own.first(lane);
      const Vec3 own_spread = own.last(lane) - here;
      const Vec3 there = other.first(lane);
      const Vec3 spread = other.last(lane) - there;
      const Vec3 passing = (there + second[lane] * spread) - (here + first[lane] * own_spread) -
                           cross(other_arm * other_spin(lane) + own_arm * own_spin(lane), normal);
      const Vec3 slip = touches * (passing - dot(passing, normal) * normal);
      const Vec3 held = springs_held(lane);
      const Vec3 flat = held - dot(held, normal) * normal;
      const Vec3 turned = math::sqrt(dot(held, held) / (dot(flat, flat) + tiny)) * flat;
      const Vec3 stretched = turned + duration * slip;
      const Vec3 pull = -1.0 * (spring_constant * stretched + dashpot * slip);
      const double limit = mu * load;
      const double wanted = math::sqrt(dot(pull, pull) + tiny);
      const double yields = wanted > limit ? 1.0 : 0.0;
      const Vec3 friction = (yields > 0.0 ? limit / wanted : 1.0) * pull;
      const Vec3 yielded = -compliance * (friction + dashpot * slip);
      const Vec3 after = touches * (stretched + yields * (yielded - stretched));
      // The work of the slip at the mean of the force before and the force now, less what the spring keeps.
      lost[lane] = 0.5 * spring_constant * dot(turned + after, turned + duration * slip - after) +
                   duration * dashpot * dot(slip, slip);
      new_springs.set(lane, after);
      new_turnings.set(lane, of_radius * cross(normal, friction));
      new_forces.set(lane, push + friction);
    });
    double* const loss = view.friction_lanes(friction_lane::loss);
    for (int lane = 0; lane < count; ++lane) {
      const int p = pairs[lane];
      double* const record = records + static_cast<std::ptrdiff_t>(pair_record::count) * p;
      for (int c = 0; c < 3; ++c) {
        record[pair_record::force + c] = new_forces.component[c][lane];
        record[pair_record::turning + c] = new_turnings.component[c][lane];
      }
      springs.set(p, new_springs(lane));
      loss[earlier[p]] += lost[lane];
    }
  }

  /// Lets go of the spring of a pair that does not touch any more: what it held is lost.
  KOKKOS_INLINE_FUNCTION void release(const ContactView& view, int pair) const {
    const Vec3 spring = view.springs()(pair);
    view.springs().set(pair, {});
    view.friction_lanes(friction_lane::loss)[view.earlier()[pair]] += 0.5 * stiffness * dot(spring, spring);
  }
};

/// Puts the springs aside before the pairs are listed anew.
template <class Team>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION void keep_springs(const Team& team, const ContactView& view) {
  const ConstVec3Array spring = view.springs();
  double* const former = view.former_springs();
  for_each_lane(team, view.elements + 1,
                [=](int i) { view.former_element_start()[i] = view.element_start()[i]; });
  for_each_lane(team, view.list(list_entry::pairs), [=](int p) {
    view.former_later()[p] = view.later()[p];
    double* const to = former + std::ptrdiff_t{3} * p;
    const Vec3 kept = spring(p);
    to[0] = kept.x;
    to[1] = kept.y;
    to[2] = kept.z;
  });
}

/// Gives them to the same pairs where these are listed again. Others do not touch.
template <class Team>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION void restore_springs(const Team& team, const ContactView& view) {
  const Vec3Array spring = view.springs();
  const double* const former_spring = view.former_springs();
  for_each_lane(team, view.list(list_entry::pairs), [=](int p) {
    const int i = view.earlier()[p];
    int former = view.former_element_start()[i];
    const int end = view.former_element_start()[i + 1];
    while (former < end && view.former_later()[former] < view.later()[p]) ++former;
    const bool known = former < end && view.former_later()[former] == view.later()[p];
    const double* const from = former_spring + std::ptrdiff_t{3} * former;
    spring.set(p, known ? Vec3{from[0], from[1], from[2]} : Vec3{});
  });
}

/// Pairs whose springs hold something have touched; where they do not any more, that is lost.
template <class Team>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION void mark_held(const Team& team, const ContactView& view) {
  const ConstVec3Array spring = view.springs();
  int* const active = view.active();
  for_each_lane(team, view.list(list_entry::pairs),
                [=](int p) { active[p] = dot(spring(p), spring(p)) > 0.0 ? 1 : 0; });
}

}  // namespace rodeo::contact
