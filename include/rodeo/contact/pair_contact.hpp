#pragma once

#include <concepts>
#include <type_traits>

#include "rodeo/contact/broad_phase.hpp"
#include "rodeo/contact/build_contact.hpp"
#include "rodeo/contact/contact_sample.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo::contact {

/// The force with which two elements that overlap repel each other: plain, copied to the device. With an
/// overlap eps >= 0 (m) and the speed at which their closest points approach (m/s)
///   force(eps, speed)   N, may be negative, which counts as none;
///   scale()             of the part without dashpots, which is scale() unit_force(eps), N;
///   unit_force(eps)     and the derivative of
///   unit_energy(eps)    so that scale() unit_energy(eps) is the energy of the overlap, J.
/// `kind` is what decks call it, and of(spec) has the coefficients that they give.
template <class Law>
concept PairLaw = std::is_trivially_copyable_v<Law> &&
    requires(const Law& law, const ContactSpec& spec, double overlap, double speed) {
  { Law::kind } -> std::convertible_to<ContactKind>;
  { Law::of(spec) } -> std::same_as<Law>;
  { law.force(overlap, speed) } -> std::same_as<double>;
  { law.scale() } -> std::same_as<double>;
  { Law::unit_force(overlap) } -> std::same_as<double>;
  { Law::unit_energy(overlap) } -> std::same_as<double>;
};

/// Contact of a member's rods, each with itself and with the others (section 4.1.2 of Gazzola et al. 2018).
/// Elements i < j whose centre lines come closer than r_i + r_j repel each other along the line between their
/// closest points as `law` says. The velocities are those of the closest points, and each end node of an
/// element takes its share of the force by the contact parameter: forces then do the work of the overlap, and
/// no couple is left over. With what squeeze() adds, the undamped contact has an energy. A pair whose centre
/// lines meet exactly has no direction and no force.
template <PairLaw Law>
struct PairContact {
  Law law;
  SpringFriction friction;
  Margins margins;
  ContactView view;
  bool enabled = false;

  /// Of a member. The view has the shape of the member's arrays, which it does not point to yet.
  static PairContact of(const MemberSpec& spec) {
    PairContact contact;
    if (spec.contact.kind != Law::kind) return contact;
    contact.law = Law::of(spec.contact);
    contact.friction = SpringFriction::of(spec);
    const double radius = smallest_radius(spec);
    contact.margins = {least_margin * radius, most_margin * radius, listed_steps * spec.time.step};
    contact.view = contact_view(spec);
    contact.enabled = true;
    return contact;
  }

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return enabled; }
  static constexpr double steady_from() { return 0.0; }
  static constexpr bool does_work() { return false; }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const BasicRodView<Real>& rod, double) const {
    const BasicRodView<const Real> state = rod.as_const();
    update_radii(team, state);
    update_pairs(team, view, positions(state), velocities(state), margins);
    if (friction.acts()) friction.set_spins(team, view, state);
    evaluate_pairs(team, state);
    sum_over_elements(team);
    squeeze(team, state);
    share_among_nodes(team, rod);
    if (friction.acts()) friction.turn(team, view, rod);
  }

  /// What the last evaluation found.
  template <class Team>
  KOKKOS_INLINE_FUNCTION ContactSample sample(const Team& team) const;

  /// Of the overlaps as the rods stand, and of the springs of friction, J. What that brings up to date, the
  /// next evaluation does anew.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION double energy(const Team& team, const BasicRodView<Real>& rod) const;

  /// Sets energy(), and what friction between elements has taken so far, J.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void set_energies(const Team& team, const BasicRodView<Real>& rod,
                                                             double& held, double& lost) const {
    held = energy(team, rod);
    if (friction.acts()) lost = friction.loss(team, view);
  }

  /// Pairs are looked at in double precision: where the rods' arrays stand, or in a copy of what is needed.
  template <class Real>
  static constexpr bool in_place = std::is_same_v<std::remove_const_t<Real>, double>;

  /// Positions and velocities of the nodes as doubles: where they stand, or as update_radii() left them.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION ConstVec3Array positions(const BasicRodView<Real>& rod) const {
    if constexpr (in_place<Real>) {
      return rod.vec3_array(field::position);
    } else {
      return view.vec3_lanes(lane_array::position);
    }
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION ConstVec3Array velocities(const BasicRodView<Real>& rod) const {
    if constexpr (in_place<Real>) {
      return rod.vec3_array(field::velocity);
    } else {
      return view.vec3_lanes(lane_array::velocity);
    }
  }

  /// Radii r = sqrt(V/(pi l)), where the volume of an element stays, and lengths. In single precision also
  /// what pairs read as doubles, which would else be made of two floats for each pair anew.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void update_radii(const Team& team, const BasicRodView<Real>& rod) const {
    const Real* const contact_radius = rod.array(field::contact_radius);
    const Real* const inverse_length = rod.array(field::inverse_length);
    const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
    double* const radius = view.lanes(lane_array::radius);
    double* const inverse_square = view.lanes(lane_array::inverse_square);
    copy_state(team, rod);
    const ConstVec3Array position = positions(rod);
    for_each_lane(team, rod.elements, [=](int i) {
      radius[i] = static_cast<double>(
          contact_radius[i] * math::sqrt(rod.section_value(inverse_length[i], inverse_rest_length[i])));
      if constexpr (in_place<Real>) {
        inverse_square[i] = inverse_length[i] * inverse_length[i];
      } else {
        // Where parallel strands touch, the float's digits would not do.
        const Vec3 edge = position(i + 1) - position(i);
        inverse_square[i] = 1.0 / dot(edge, edge);
      }
    });
  }

  /// Force and contact parameters of all pairs that touch.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void evaluate_pairs(const Team& team, const BasicRodView<Real>& rod) const {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    constexpr int at_once = 1;
#else
    constexpr int at_once = 64;
#endif
    const ConstVec3Array position = positions(rod);
    const ConstVec3Array velocity = velocities(rod);
    for_each_piece(team, (view.elements + at_once - 1) / at_once, [=, this](int piece) {
      const int first = piece * at_once;
      evaluate_elements(position, velocity, first,
                        first + at_once < view.elements ? first + at_once : view.elements);
    });
  }

  /// Sums of the forces on each element, of the share of its last node and of unit_force: as the earlier
  /// element of its pairs, then as the later one. The order is that of the elements, so sums depend on
  /// neither list nor thread.
  template <class Team>
  KOKKOS_INLINE_FUNCTION void sum_over_elements(const Team& team) const {
    const int* const element_start = view.element_start();
    const int* const later_start = view.later_start();
    const int* const by_later = view.by_later();
    const int* const active = view.active();
    const ConstVec3Array pair_force = view.vec3_pairs(pair_array::force);
    const double* const first = view.pairs(pair_array::first);
    const double* const second = view.pairs(pair_array::second);
    const double* const overlap = view.pairs(pair_array::overlap);
    const Vec3Array force = view.vec3_lanes(lane_array::force);
    const Vec3Array last_node_force = view.vec3_lanes(lane_array::last_node_force);
    double* const unit_force_sum = view.lanes(lane_array::unit_force_sum);
    double* const deepest = view.lanes(lane_array::deepest);
    for_each_lane(team, view.elements, [=](int i) {
      Vec3 sum;
      Vec3 last_node_sum;
      double unit_forces = 0.0;
      for (int p = element_start[i]; p < element_start[i + 1]; ++p) {
        if (active[p] == 0) continue;
        const Vec3 on_later = pair_force(p);
        sum = sum - on_later;
        last_node_sum = last_node_sum - first[p] * on_later;
        unit_forces += Law::unit_force(overlap[p]);
      }
      double deep = deepest[i];
      for (int k = later_start[i]; k < later_start[i + 1]; ++k) {
        const int p = by_later[k];
        if (active[p] == 0) continue;
        const Vec3 on_later = pair_force(p);
        sum = sum + on_later;
        last_node_sum = last_node_sum + second[p] * on_later;
        unit_forces += Law::unit_force(overlap[p]);
        deep = detail::larger(deep, overlap[p]);
      }
      force.set(i, sum);
      last_node_force.set(i, last_node_sum);
      unit_force_sum[i] = unit_forces;
      deepest[i] = deep;
    });
  }

  /// The energy of an overlap eps depends on the elements' lengths too: eps changes by -r/(2 l) per length as
  /// the volume stays. So a squeezed element pushes its ends apart with r/(2 l) times the force of each of
  /// its overlaps, which the paper leaves out. Without that the contact has no energy, and waves of stretch
  /// take work out of it: the coils of a solenoid in contact never come to rest.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void squeeze(const Team& team, const BasicRodView<Real>& rod) const {
    const SummedVec3Array<Real> position = rod.positions();
    const Real* const inverse_length = rod.array(field::inverse_length);
    const double* const radius = view.lanes(lane_array::radius);
    const double* const unit_force_sum = view.lanes(lane_array::unit_force_sum);
    const Vec3Array last_node_force = view.vec3_lanes(lane_array::last_node_force);
    const double half_scale = rod.shrink * 0.5 * law.scale();
    for_each_lane(team, view.elements, [=](int i) {
      const auto inverse = static_cast<double>(inverse_length[i]);
      const double push = half_scale * unit_force_sum[i] * radius[i] * inverse * inverse;
      last_node_force.add(i, push * static_cast<Vec3>(position.edge(i)));
    });
  }

  /// The first node of an element takes its force less the share of its last node.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void share_among_nodes(const Team& team, const BasicRodView<Real>& rod) const {
    for (int c = 0; c < 3; ++c) {
      const double* const force = view.lanes(lane_array::force, c);
      const double* const last_node_force = view.lanes(lane_array::last_node_force, c);
      Real* const external = rod.array(field::external_force, c);
      for_each_lane(team, node_lanes(rod.elements), [=](int i) {
        external[i] += static_cast<Real>((force[i] - last_node_force[i]) + last_node_force[i - 1]);
      });
    }
  }

 private:
  /// What positions() and velocities() give of rods in single precision.
  template <class Team, class Real>
  KOKKOS_FORCEINLINE_FUNCTION void copy_state([[maybe_unused]] const Team& team,
                                              [[maybe_unused]] const BasicRodView<Real>& rod) const {
    if constexpr (!in_place<Real>) {
      const SummedVec3Array<Real> from = rod.positions();
      const SummedVec3Array<Real> velocity_from = rod.velocities();
      const Vec3Array position = view.vec3_lanes(lane_array::position);
      const Vec3Array velocity = view.vec3_lanes(lane_array::velocity);
      for_each_lane(team, node_lanes(rod.elements), [=](int i) {
        position.set(i, from.whole(i));
        velocity.set(i, velocity_from.whole(i));
      });
    }
  }
  /// Pairs that touch, until there are enough for a block, and where they come closest.
  struct Touching {
    static constexpr int room = 2 * block_size;
    int pair[room];
    double gap[3][room];
    double reach[room];
    int count = 0;
  };

  KOKKOS_INLINE_FUNCTION void evaluate_elements(const ConstVec3Array& position,
                                                const ConstVec3Array& velocity, int begin, int end) const;
  KOKKOS_INLINE_FUNCTION void find_touching(const ConstVec3Array& position, int begin, int end,
                                            Touching& touching) const;
  KOKKOS_INLINE_FUNCTION void press(const ConstVec3Array& velocity, Touching& touching) const;
};

/// Of the pairs of elements begin … end - 1 with later ones. Many listed pairs do not touch, and need no more
/// than where they come closest; of those that do, a block at a time is pressed.
template <PairLaw Law>
KOKKOS_INLINE_FUNCTION void PairContact<Law>::evaluate_elements(const ConstVec3Array& position,
                                                                const ConstVec3Array& velocity, int begin,
                                                                int end) const {
  Touching touching;
  const int last_pair = view.element_start()[end];
  for (int p = view.element_start()[begin]; p < last_pair; p += block_size) {
    find_touching(position, p, last_pair, touching);
    if (touching.count >= block_size) press(velocity, touching);
  }
  if (touching.count > 0) press(velocity, touching);
}

template <PairLaw Law>
KOKKOS_INLINE_FUNCTION void PairContact<Law>::find_touching(const ConstVec3Array& position, int begin,
                                                            int end, Touching& touching) const {
  const int* const earlier = view.earlier();
  const int* const later = view.later();
  const double* const inverse_square = view.lanes(lane_array::inverse_square);
  const double* const radius = view.lanes(lane_array::radius);
  double gaps[3][block_size];
  double reaches[block_size];
  double firsts[block_size];
  double seconds[block_size];
  const Vec3Array gap = {gaps[0], gaps[1], gaps[2]};
  const detail::UnitInterval unit = detail::UnitInterval::unknown();
  const std::int64_t start = begin;
  const std::int64_t last = end - 1;
  std::int64_t touch[block_size];
  for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) {
    const std::int64_t p = start + lane < last ? start + lane : last;
    const std::int64_t i = earlier[p];
    const std::int64_t j = later[p];
    const ClosestPoints at =
        closest_points(segment(position, inverse_square, i), segment(position, inverse_square, j), unit);
    const double reach = radius[i] + radius[j];
    touch[lane] = dot(at.gap, at.gap) < reach * reach ? 1 : 0;
    gap.set(lane, at.gap);
    reaches[lane] = reach;
    firsts[lane] = at.first;
    seconds[lane] = at.second;
  });
  int* const active = view.active();
  const int lanes = end - begin < block_size ? end - begin : block_size;
  for (int lane = 0; lane < lanes; ++lane) {
    const int p = begin + lane;
    active[p] = static_cast<int>(touch[lane]);
    if (touch[lane] == 0) {
      if (view.has_friction && view.held()[p] != 0) friction.release(view, p);
      continue;
    }
    view.pairs(pair_array::first)[p] = firsts[lane];
    view.pairs(pair_array::second)[p] = seconds[lane];
    const int to = touching.count++;
    touching.pair[to] = p;
    for (int c = 0; c < 3; ++c) touching.gap[c][to] = gaps[c][lane];
    touching.reach[to] = reaches[lane];
  }
}

/// Forces of the first block of touching pairs, or of fewer if there are no more.
template <PairLaw Law>
KOKKOS_INLINE_FUNCTION void PairContact<Law>::press(const ConstVec3Array& velocity,
                                                    Touching& touching) const {
  const int* const earlier = view.earlier();
  const int* const later = view.later();
  const double* const firsts = view.pairs(pair_array::first);
  const double* const seconds = view.pairs(pair_array::second);
  const ConstVec3Array gap = {touching.gap[0], touching.gap[1], touching.gap[2]};
  const int count = touching.count < block_size ? touching.count : block_size;
  double overlaps[block_size];
  double forces[3][block_size];
  const Vec3Array force = {forces[0], forces[1], forces[2]};
  const Law pair_law = law;
  const detail::UnitInterval unit = detail::UnitInterval::unknown();
  for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) {
    constexpr double tiny = 1e-200;  // m^2: a distance of zero gives no direction and no NaN
    const std::int64_t k = lane < count ? lane : count - 1;
    const std::int64_t p = touching.pair[k];
    const std::int64_t i = earlier[p];
    const std::int64_t j = later[p];
    const Vec3 between = gap(k);
    const double squared_distance = dot(between, between);
    const double inverse_distance = 1.0 / math::sqrt(detail::larger(squared_distance, tiny));
    const Vec3 direction = inverse_distance * between;
    const double depth = touching.reach[k] - squared_distance * inverse_distance;
    const double overlap = detail::larger(depth, unit.lower);
    const Vec3 here = velocity(i);
    const Vec3 own_spread = velocity(i + 1) - here;
    const Vec3 there = velocity(j);
    const Vec3 spread = velocity(j + 1) - there;
    const Vec3 approach = (here + firsts[p] * own_spread) - (there + seconds[p] * spread);
    const double magnitude = detail::larger(pair_law.force(overlap, dot(approach, direction)), unit.lower);
    overlaps[lane] = overlap;
    force.set(lane, (depth > 0.0 ? magnitude : 0.0) * direction);
  });
  const Vec3Array pair_force = view.vec3_pairs(pair_array::force);
  for (int lane = 0; lane < count; ++lane) {
    const int p = touching.pair[lane];
    view.pairs(pair_array::overlap)[p] = overlaps[lane];
    pair_force.set(p, force(lane));
  }
  if (friction.acts()) friction.rub(view, velocity, touching.pair, count);
  touching.count -= count;
  for (int k = 0; k < touching.count; ++k) {
    touching.pair[k] = touching.pair[block_size + k];
    for (int c = 0; c < 3; ++c) touching.gap[c][k] = touching.gap[c][block_size + k];
    touching.reach[k] = touching.reach[block_size + k];
  }
}

template <PairLaw Law>
template <class Team>
KOKKOS_INLINE_FUNCTION ContactSample PairContact<Law>::sample(const Team& team) const {
  const ContactView& lists = view;
  ContactSample total;
  reduce_lanes(
      team, lists.elements,
      [&](int i, ContactSample& sum) {
        sum.deepest = detail::larger(sum.deepest, lists.lanes(lane_array::deepest)[i]);
        const double* const overlap = lists.pairs(pair_array::overlap);
        for (int p = lists.element_start()[i]; p < lists.element_start()[i + 1]; ++p) {
          sum.touching += lists.active()[p] != 0 && overlap[p] > 0.0 ? 1.0 : 0.0;
        }
      },
      total);
  total.overflowed = lists.list(list_entry::overflowed) != 0;
  return total;
}

/// An evaluation stands half a step before the end of a slice, where the other energies are taken; so
/// overlaps are found anew, from the positions alone.
template <PairLaw Law>
template <class Team, class Real>
KOKKOS_INLINE_FUNCTION double PairContact<Law>::energy(const Team& team,
                                                       const BasicRodView<Real>& rod) const {
  team.team_barrier();  // sample() has read what is written here
  copy_state(team, rod);
  const ConstVec3Array position = positions(rod);
  const Real* const contact_radius = rod.array(field::contact_radius);
  const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
  double* const radius = view.lanes(lane_array::radius);
  double* const inverse_square = view.lanes(lane_array::inverse_square);
  for_each_lane(team, rod.elements, [=](int i) {
    const Vec3 edge = position(i + 1) - position(i);
    inverse_square[i] = 1.0 / dot(edge, edge);
    const double inverse = math::sqrt(inverse_square[i]);
    radius[i] = contact_radius[i] *
                math::sqrt(rod.section_value(inverse, static_cast<double>(inverse_rest_length[i])));
  });
  update_pairs(team, view, position, velocities(rod), margins);
  const ContactView& lists = view;
  double unit_energies = 0.0;
  reduce_lanes(
      team, lists.elements,
      [&](int i, double& sum) {
        const Segment own = segment(position, inverse_square, i);
        for (int p = lists.element_start()[i]; p < lists.element_start()[i + 1]; ++p) {
          const int j = lists.later()[p];
          const Vec3 gap = closest_points(own, segment(position, inverse_square, j)).gap;
          const double overlap = radius[i] + radius[j] - math::sqrt(dot(gap, gap));
          sum += overlap > 0.0 ? Law::unit_energy(overlap) : 0.0;
        }
      },
      unit_energies);
  const double of_friction = friction.acts() ? friction.energy(team, view) : 0.0;
  return law.scale() * unit_energies + of_friction;
}

}  // namespace rodeo::contact
