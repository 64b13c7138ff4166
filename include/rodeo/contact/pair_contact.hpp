#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

#include "rodeo/contact/broad_phase.hpp"
#include "rodeo/contact/build_contact.hpp"
#include "rodeo/contact/touch.hpp"
#include "rodeo/rod/rod_fields.hpp"
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

  /// Contact of a member. The view has the shape of the member's arrays but does not point to them yet.
  static PairContact of(const MemberSpec& spec) {
    PairContact contact;
    if (spec.contact.kind != Law::kind) return contact;
    contact.law = Law::of(spec.contact);
    contact.friction = SpringFriction::of(spec);
    const double radius = smallest_radius(spec);
    const double step = spec.time.step;
    contact.margins = {least_margin * radius, most_margin * radius, listed_steps * step, step,
                       unseen_move * radius};
    contact.view = contact_view(spec);
    contact.enabled = true;
    return contact;
  }

  KOKKOS_INLINE_FUNCTION bool acts(double) const { return enabled; }
  static constexpr double steady_from() { return 0.0; }
  static constexpr bool does_work() { return false; }

  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const BasicRodView<Real>& rod, double) const {
    const std::int64_t left = prepare<true>(team, rod);
    list_if(left > 0, team, rod);
    if (detail::is_alone(team)) {
      for_each_piece(team, pieces_of(view.elements), [=, this](int piece) {
        const Range rubbed = press_and_rub(rod, 0, view.elements, piece);
        load(rod, 0, rubbed.begin, rubbed.end == view.elements ? rubbed.end + 1 : rubbed.end);
      });
    } else {
      press_pairs(team, rod);
      load_elements(team, rod);
    }
  }

  // Steps of add() for members whose rods are taken in parts: prepare() for each part, list_if() any element
  // has left, press_pairs() for each, then load_elements() for each. `first` is where the arrays of a part
  // begin among the member's.

  /// Updates the data that pairs read of the elements of `part`. Returns how many have left the margins
  /// within which pairs were listed. Lengths are recomputed unless `lengths_known`.
  template <bool lengths_known, class Team, class Real>
  KOKKOS_INLINE_FUNCTION std::int64_t prepare(const Team& team, const BasicRodView<Real>& part,
                                              int first = 0) const {
    const BasicRodView<const Real> state = part.as_const();
    update_radii<lengths_known>(team, state, first);
    if (friction.acts()) set_motions(team, view, state, first);
    return count_left(team, view, positions(state, first), first, part.elements);
  }

  /// Lists pairs, if some have left or there is no list yet.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void list_if(bool left, const Team& team, const BasicRodView<Real>& rod) const {
    if (left || view.list(list_entry::built) == 0)
      list_anew(team, view, positions(rod), velocities(rod), margins);
  }

  /// Results of the last evaluation.
  template <class Team>
  KOKKOS_INLINE_FUNCTION ContactSample sample(const Team& team) const;

  /// Energy of the present overlaps and of the springs of friction, J. The next evaluation recomputes the
  /// data updated here.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION double energy(const Team& team, const BasicRodView<Real>& rod) const;

  /// Sets energy(), and the energy that friction between elements has dissipated so far, J.
  template <class Team, class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void set_energies(const Team& team, const BasicRodView<Real>& rod,
                                                             double& held, double& lost) const {
    held = energy(team, rod);
    if (friction.acts()) lost = friction.loss(team, view);
  }

  /// True if pairs read the rods' own arrays, as these are in double precision; else they read a copy.
  template <class Real>
  static constexpr bool in_place = std::is_same_v<std::remove_const_t<Real>, double>;

  /// Positions and velocities of the nodes as doubles: where they stand, or as update_radii() left them.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION ConstVec3Array positions(const BasicRodView<Real>& rod, int first = 0) const {
    if constexpr (in_place<Real>) {
      return rod.vec3_array(field::position);
    } else {
      return view.vec3_wide_lanes(wide_lane::position, first);
    }
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION ConstVec3Array velocities(const BasicRodView<Real>& rod) const {
    if constexpr (in_place<Real>) {
      return rod.vec3_array(field::velocity);
    } else {
      return view.vec3_wide_lanes(wide_lane::velocity);
    }
  }

  /// Radii r = sqrt(V/(pi l)), where the volume of an element stays, lengths and records. In single precision
  /// also what pairs read as doubles, which would else be made of two floats for each pair anew.
  template <bool lengths_known = true, class Team, class Real>
  KOKKOS_INLINE_FUNCTION void update_radii(const Team& team, const BasicRodView<Real>& rod,
                                           int first = 0) const {
    const Real* const contact_radius = rod.array(field::contact_radius);
    const Real* const inverse_length = rod.array(field::inverse_length);
    const Real* const inverse_rest_length = rod.array(field::inverse_rest_length);
    copy_state(team, rod, first);
    [[maybe_unused]] const auto node = rod.positions();
    const ConstVec3Array position = positions(rod, first);
    const auto inverse_of = [=](std::int64_t i) {
      if constexpr (lengths_known) return inverse_length[i];
      const auto edge = node.edge(i);
      return 1 / math::sqrt(dot(edge, edge));
    };
    set_records(
        team, view, position, first, rod.elements,
        [=](std::int64_t i) {
          return static_cast<double>(contact_radius[i] *
                                     math::sqrt(rod.section_value(inverse_of(i), inverse_rest_length[i])));
        },
        [=](std::int64_t i, const Vec3& edge) {
          if constexpr (in_place<Real>) {
            const double inverse = inverse_of(i);
            return inverse * inverse;
          } else {
            return 1.0 / dot(edge, edge);  // where parallel strands touch, the float's digits would not do
          }
        });
  }

  /// Elements that one thread takes one after the other.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  static constexpr int at_once = 1;
#else
  static constexpr int at_once = 64;
#endif

  /// Overlap, force and contact parameters of all pairs that touch, then their friction.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void press_pairs(const Team& team, const BasicRodView<Real>& rod) const {
    press_pairs(team, rod, 0, view.elements);
  }

  /// Forces of the pairs whose earlier elements are `count` from `first` on.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void press_pairs(const Team& team, const BasicRodView<Real>& rod, int first,
                                          int count) const {
    if (detail::is_alone(team)) {
      for_each_piece(team, pieces_of(count),
                     [=, this](int piece) { press_and_rub(rod, first, count, piece); });
      return;
    }
    for_each_piece(team, pieces_of(count), [=, this](int piece) { press_piece(rod, first, count, piece); });
    if (!friction.acts()) return;
    const int end = first + count;
    for_each_piece(team, pieces_of(count), [=, this](int piece) {
      const int begin = first + piece * at_once;
      rub(begin, begin + at_once < end ? begin + at_once : end);
    });
  }

  /// Sums the forces of the pairs on each element of `part` and gives them to its nodes, with squeeze(), and
  /// the couples to the elements: first of the pairs of which it is the earlier element, then of those of
  /// which it is the later one. The order is that of the elements, so sums depend on neither list nor thread.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void load_elements(const Team& team, const BasicRodView<Real>& part,
                                            int first = 0) const {
    const int nodes = part.elements + 1;
    for_each_piece(team, pieces_of(nodes), [=, this](int piece) {
      const int begin = piece * at_once;
      load(part, first, begin, begin + at_once < nodes ? begin + at_once : nodes);
    });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int pieces_of(int entries) { return (entries + at_once - 1) / at_once; }

  template <class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void press_piece(const BasicRodView<Real>& rod, int first,
                                                            int count, int piece) const {
    const int begin = first + piece * at_once;
    const int end = begin + at_once < first + count ? begin + at_once : first + count;
    if (friction.acts()) {
      press_elements<true>(velocities(rod), begin, end);
    } else {
      press_elements<false>(velocities(rod), begin, end);
    }
  }

  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void rub(int begin, int end) const {
    if (friction.acts()) rub_elements(begin, end);
  }

  /// Range of elements, end exclusive.
  struct Range {
    int begin;
    int end;
  };

  /// Runs on one thread, piece after piece: normal forces of the pairs of a piece, then friction of the pairs
  /// whose next element has its normal forces too, while their records are still in the cache. Returns the
  /// elements with friction done.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Range press_and_rub(const BasicRodView<Real>& rod, int first, int count,
                                                  int piece) const {
    press_piece(rod, first, count, piece);
    const int pressed = (piece + 1) * at_once;
    const Range rubbed = {first + (piece > 0 ? piece * at_once - 1 : 0),
                          first + (pressed >= count ? count : pressed - 1)};
    rub(rubbed.begin, rubbed.end);
    return rubbed;
  }

  /// Loads of at most at_once + 1 entries.
  template <class Real>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void load(const BasicRodView<Real>& part, int first, int begin,
                                                     int end) const {
    if (part.shrink != 0.0) {
      load_nodes<true>(part, first, begin, end);
    } else {
      load_nodes<false>(part, first, begin, end);
    }
  }

  /// Copies the state that positions() and velocities() give for rods in single precision.
  template <class Team, class Real>
  KOKKOS_FORCEINLINE_FUNCTION void copy_state([[maybe_unused]] const Team& team,
                                              [[maybe_unused]] const BasicRodView<Real>& rod,
                                              [[maybe_unused]] int first = 0) const {
    if constexpr (!in_place<Real>) {
      const SummedVec3Array<Real> from = rod.positions();
      const SummedVec3Array<Real> velocity_from = rod.velocities();
      const Vec3Array position = view.vec3_wide_lanes(wide_lane::position, first);
      const Vec3Array velocity = view.vec3_wide_lanes(wide_lane::velocity, first);
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
    double first[room];
    double second[room];
    int count = 0;
    double deepest = 0.0;     ///< overlap, m
    std::int64_t passed = 0;  ///< number of pairs that may have passed through each other
  };

  /// Sums over the pairs of one element.
  struct PairSums {
    Vec3 force;         ///< N
    Vec3 turning;       ///< of pair_record::turning, N
    Vec3 of_last;       ///< the share of its last node, N
    double unit_force;  ///< of PairLaw::unit_force
  };

  template <bool rubs>
  KOKKOS_INLINE_FUNCTION void press_elements(const ConstVec3Array& velocity, int begin, int end) const;
  KOKKOS_INLINE_FUNCTION void rub_elements(int begin, int end) const;
  KOKKOS_INLINE_FUNCTION void find_touching(int begin, int end, Touching& touching) const;
  KOKKOS_INLINE_FUNCTION void part(int pair) const;
  template <bool rubs>
  KOKKOS_INLINE_FUNCTION void press(const ConstVec3Array& velocity, Touching& touching) const;
  template <bool squeezed>
  KOKKOS_INLINE_FUNCTION PairSums sum_pairs(int element) const;
  template <bool squeezed, class Real>
  KOKKOS_INLINE_FUNCTION void load_nodes(const BasicRodView<Real>& part, int first, int begin, int end) const;
};

/// Normal forces of the pairs of elements begin … end - 1 with later ones. Many listed pairs do not touch and
/// need only their closest points; the others are computed in blocks.
template <PairLaw Law>
template <bool rubs>
KOKKOS_INLINE_FUNCTION void PairContact<Law>::press_elements(const ConstVec3Array& velocity, int begin,
                                                             int end) const {
  Touching touching;
  const int last_pair = view.element_start()[end];
  for (int p = view.element_start()[begin]; p < last_pair; p += block_size) {
    find_touching(p, last_pair, touching);
    if (touching.count >= block_size) press<rubs>(velocity, touching);
  }
  if (touching.count > 0) press<rubs>(velocity, touching);
  Kokkos::atomic_fetch_max(&view.deepest(), touching.deepest);
  if (touching.passed > 0) view.note_passing();
}

/// Friction of the pairs of elements begin … end - 1 with later ones.
template <PairLaw Law>
KOKKOS_INLINE_FUNCTION void PairContact<Law>::rub_elements(int begin, int end) const {
  int* const active = view.active();
  const int last_pair = view.element_start()[end];
  int pairs[block_size];
  double shares[block_size];
  int count = 0;
  SpringFriction::Shares next(view);
  for (int p = view.element_start()[begin]; p < last_pair; ++p) {
    if (active[p] == pair_state::apart) continue;
    if (active[p] == pair_state::parted) {
      friction.release(view, p);
      active[p] = pair_state::apart;
      continue;
    }
    pairs[count] = p;
    shares[count] = next.of(p);
    if (++count < block_size) continue;
    friction.rub(view, pairs, shares, count);
    count = 0;
  }
  if (count > 0) friction.rub(view, pairs, shares, count);
}

template <PairLaw Law>
KOKKOS_INLINE_FUNCTION void PairContact<Law>::find_touching(int begin, int end, Touching& touching) const {
  const int* const earlier = view.earlier();
  const int* const later = view.later();
  constexpr int ahead = 6 * block_size;  // about the time that it takes to fetch from memory
  const double* const records = view.element_records();
  const int pairs_in_all = view.list(list_entry::pairs);
  for (int p = begin + ahead; p < begin + ahead + block_size && p < pairs_in_all; ++p)
    ask_for(records + std::ptrdiff_t{element_record::count} * later[p]);
  int pairs[2][block_size];
  for (int lane = 0; lane < block_size; ++lane) {
    const int p = begin + lane < end ? begin + lane : end - 1;
    pairs[0][lane] = earlier[p];
    pairs[1][lane] = later[p];
  }
  BlockOfSegments own;
  BlockOfSegments other;
  own.fetch(view, pairs[0]);
  other.fetch(view, pairs[1]);
  BlockOfVectors gap;
  double reaches[block_size];
  double firsts[block_size];
  double seconds[block_size];
  const detail::UnitInterval unit = detail::UnitInterval::unknown();
  std::int64_t touch[block_size];
  for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) {
    const ClosestPoints at = closest_points(own(lane), other(lane), unit);
    const double reach = own.radius(lane) + other.radius(lane);
    touch[lane] = dot(at.gap, at.gap) < reach * reach ? 1 : 0;
    gap.set(lane, at.gap);
    reaches[lane] = reach;
    firsts[lane] = at.first;
    seconds[lane] = at.second;
  });
  const int lanes = end - begin < block_size ? end - begin : block_size;
  int* const active = view.active();
  for (int lane = 0; lane < lanes; ++lane) {
    const int p = begin + lane;
    if (touch[lane] == 0) {
      if (active[p] != pair_state::apart) part(p);
      continue;
    }
    if (view.has_friction && active[p] == pair_state::apart) SpringFriction::begin(view, p);
    active[p] = pair_state::touching;
    const int to = touching.count++;
    touching.pair[to] = p;
    for (int c = 0; c < 3; ++c) touching.gap[c][to] = gap.component[c][lane];
    touching.reach[to] = reaches[lane];
    touching.first[to] = firsts[lane];
    touching.second[to] = seconds[lane];
    if (view.has_friction) {
      const double* const motion = view.motion_records() + std::ptrdiff_t{motion_record::count} * later[p];
      ask_for(motion);
      ask_for(motion + motion_record::count);
    }
  }
}

/// Marks a pair as no longer touching. Its spring stays until friction releases it, so that pairs beside it
/// may see it in any order.
template <PairLaw Law>
KOKKOS_INLINE_FUNCTION void PairContact<Law>::part(int pair) const {
  view.active()[pair] = view.has_friction ? pair_state::parted : pair_state::apart;
  view.overlap()[pair] = 0.0;
  double* const record = view.records() + static_cast<std::ptrdiff_t>(pair_record::count) * pair;
  for (int k = 0; k < pair_record::count; ++k) record[k] = 0.0;
}

/// Forces of the first block of touching pairs, or of fewer if there are no more. With friction the records
/// hold the sliding velocities of the surfaces in place of the couples for now.
template <PairLaw Law>
template <bool rubs>
KOKKOS_INLINE_FUNCTION void PairContact<Law>::press(const ConstVec3Array& velocity,
                                                    Touching& touching) const {
  const int* const earlier = view.earlier();
  const int* const later = view.later();
  const ConstVec3Array gap = {touching.gap[0], touching.gap[1], touching.gap[2]};
  const int count = touching.count < block_size ? touching.count : block_size;
  for (int lane = count; lane < block_size; ++lane) {
    for (int c = 0; c < 3; ++c) touching.gap[c][lane] = touching.gap[c][count - 1];
    touching.pair[lane] = touching.pair[count - 1];
    touching.reach[lane] = touching.reach[count - 1];
    touching.first[lane] = touching.first[count - 1];
    touching.second[lane] = touching.second[count - 1];
  }
  double overlaps[block_size];
  double loads[block_size];
  std::int64_t passed[block_size];
  BlockOfVectors forces;
  BlockOfVectors slips;
  BlockOfMotions own;
  BlockOfMotions other;
  int first_elements[block_size];
  int second_elements[block_size];
  for (int lane = 0; lane < block_size; ++lane) {
    first_elements[lane] = earlier[touching.pair[lane]];
    second_elements[lane] = later[touching.pair[lane]];
  }
  if constexpr (rubs) {
    own.fetch(view, first_elements);
    other.fetch(view, second_elements);
  }
  const Law pair_law = law;
  const double step = margins.step;
  const detail::UnitInterval unit = detail::UnitInterval::unknown();
  for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) {
    constexpr double tiny = 1e-200;  // m^2: a distance of zero gives no direction and no NaN
    const Vec3 between = gap(lane);
    const double squared_distance = dot(between, between);
    const double inverse_distance = 1.0 / math::sqrt(detail::larger(squared_distance, tiny));
    const Vec3 direction = inverse_distance * between;
    const double depth = touching.reach[lane] - squared_distance * inverse_distance;
    const double overlap = detail::larger(depth, unit.lower);
    const std::int64_t i = first_elements[lane];
    const std::int64_t j = second_elements[lane];
    const Vec3 here = rubs ? own.velocity(lane) : velocity(i);
    const Vec3 own_spread = (rubs ? own.next_velocity(lane) : velocity(i + 1)) - here;
    const Vec3 there = rubs ? other.velocity(lane) : velocity(j);
    const Vec3 spread = (rubs ? other.next_velocity(lane) : velocity(j + 1)) - there;
    const Vec3 approach =
        (here + touching.first[lane] * own_spread) - (there + touching.second[lane] * spread);
    const double speed = dot(approach, direction);
    const double magnitude = detail::larger(pair_law.force(overlap, speed), unit.lower);
    // Pairs that separate by more than their distance in a step came from the other side of each other.
    const double reach = touching.reach[lane];
    passed[lane] = depth > detail::smaller(passing_overlap * reach, reach + step * speed) ? 1 : 0;
    overlaps[lane] = overlap;
    loads[lane] = depth > 0.0 ? magnitude : 0.0;
    forces.set(lane, loads[lane] * direction);
    if constexpr (rubs) {
      const double of_radius = 1.0 - overlap / touching.reach[lane];
      const Vec3 turning = (of_radius * other.radius(lane)) * other.spin(lane) +
                           (of_radius * own.radius(lane)) * own.spin(lane);
      const Vec3 passing = -1.0 * approach - cross(turning, direction);
      const double touches = loads[lane] > 0.0 ? 1.0 : 0.0;
      slips.set(lane, touches * (passing - dot(passing, direction) * direction));
    }
  });
  double* const overlap_of = view.overlap();
  for (int lane = 0; lane < count; ++lane) {
    const int p = touching.pair[lane];
    double* const record = view.records() + static_cast<std::ptrdiff_t>(pair_record::count) * p;
    for (int c = 0; c < 3; ++c) record[pair_record::force + c] = forces.component[c][lane];
    if constexpr (rubs) {
      for (int c = 0; c < 3; ++c) record[pair_record::turning + c] = slips.component[c][lane];
    }
    record[pair_record::first] = touching.first[lane];
    record[pair_record::second] = touching.second[lane];
    overlap_of[p] = overlaps[lane];
    touching.deepest = detail::larger(touching.deepest, overlaps[lane]);
    touching.passed += passed[lane];
  }
  touching.count -= count;
  for (int k = 0; k < touching.count; ++k) {
    const int from = block_size + k;
    touching.pair[k] = touching.pair[from];
    for (int c = 0; c < 3; ++c) touching.gap[c][k] = touching.gap[c][from];
    touching.reach[k] = touching.reach[from];
    touching.first[k] = touching.first[from];
    touching.second[k] = touching.second[from];
  }
}

/// Sums are plain numbers, so that they stay in registers.
template <PairLaw Law>
template <bool squeezed>
KOKKOS_INLINE_FUNCTION typename PairContact<Law>::PairSums PairContact<Law>::sum_pairs(int element) const {
  const double* const records = view.records();
  const double* const overlap = view.overlap();
  const int* const by_later = view.by_later();
  const int* const active = view.active();
  Vec3 force;
  Vec3 turning;
  Vec3 of_last;
  double unit_force = 0.0;
  const auto add = [&](int p, int parameter) __attribute__((always_inline)) {
    if (active[p] == 0) return;
    const double* const record = records + static_cast<std::ptrdiff_t>(pair_record::count) * p;
    const double share = record[parameter];
    const Vec3 own = {record[0], record[1], record[2]};
    force = force + own;
    of_last = of_last + share * own;
    turning = turning + Vec3{record[pair_record::turning], record[pair_record::turning + 1],
                             record[pair_record::turning + 2]};
    if constexpr (squeezed) unit_force += Law::unit_force(overlap[p]);
  };
  for (int p = view.element_start()[element]; p < view.element_start()[element + 1]; ++p)
    add(p, pair_record::first);
  force = -1.0 * force;
  of_last = -1.0 * of_last;
  for (int k = view.later_start()[element]; k < view.later_start()[element + 1]; ++k)
    add(by_later[k], pair_record::second);
  return {force, turning, of_last, unit_force};
}

/// Loads nodes begin … end - 1 of a part and the elements after them. The first node of an element takes the
/// element's force less the share of its last node.
///
/// The energy of an overlap eps depends on the elements' lengths too: eps changes by -r/(2 l) per length as
/// the volume stays. So a squeezed element pushes its ends apart with r/(2 l) times the force of each of its
/// overlaps, which the paper leaves out. Without that the contact has no energy, and waves of stretch take
/// work out of it: the coils of a solenoid in contact never come to rest.
template <PairLaw Law>
template <bool squeezed, class Real>
KOKKOS_INLINE_FUNCTION void PairContact<Law>::load_nodes(const BasicRodView<Real>& part, int first, int begin,
                                                         int end) const {
  const SummedVec3Array<Real> position = part.positions();
  const Real* const inverse_length = part.array(field::inverse_length);
  const double* const radius = view.lanes(lane_array::radius) + first;
  const double half_scale = part.shrink * 0.5 * law.scale();
  const auto orientation = part.as_const().orientations();
  const BasicVec3Array<Real> external_couple = part.vec3_array(field::external_couple);
  const BasicVec3Array<Real> external_force = part.vec3_array(field::external_force);
  double turnings[3][at_once + 1];
  Vec3 before;  // the share of the node that the element before it gives
  for (int i = begin > 0 ? begin - 1 : 0; i < end; ++i) {
    Vec3 force;
    Vec3 of_last;
    if (i < part.elements) {
      const PairSums sums = sum_pairs<squeezed>(first + i);
      force = sums.force;
      of_last = sums.of_last;
      if constexpr (squeezed) {
        const auto inverse = static_cast<double>(inverse_length[i]);
        const double push = half_scale * sums.unit_force * radius[i] * inverse * inverse;
        of_last = of_last + push * static_cast<Vec3>(position.edge(i));
      }
      if (view.has_friction && i >= begin) {
        turnings[0][i - begin] = sums.turning.x;
        turnings[1][i - begin] = sums.turning.y;
        turnings[2][i - begin] = sums.turning.z;
      }
    }
    if (i >= begin) external_force.add(i, static_cast<BasicVec3<Real>>((force - of_last) + before));
    before = of_last;
  }
  if (!view.has_friction) return;
  const int elements = (end < part.elements ? end : part.elements) - begin;
  const ConstVec3Array turning = {turnings[0], turnings[1], turnings[2]};
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
#pragma GCC ivdep
#endif
  for (int k = 0; k < elements; ++k) {
    const int i = begin + k;
    const Vec3 couple = -radius[i] * turning(k);
    external_couple.add(i, directors(orientation(i)).to_body(static_cast<BasicVec3<Real>>(couple)));
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
        const double* const overlap = lists.overlap();
        for (int p = lists.element_start()[i]; p < lists.element_start()[i + 1]; ++p) {
          sum.touching += overlap[p] > 0.0 ? 1.0 : 0.0;
        }
      },
      total);
  total.deepest = lists.deepest();
  total.overflowed = lists.list(list_entry::overflowed) != 0;
  total.passed_through = lists.list(list_entry::passed) != 0;
  return total;
}

/// The last evaluation was half a step before the end of a slice, where the other energies are taken; so
/// overlaps are recomputed, from the positions alone.
template <PairLaw Law>
template <class Team, class Real>
KOKKOS_INLINE_FUNCTION double PairContact<Law>::energy(const Team& team,
                                                       const BasicRodView<Real>& rod) const {
  team.team_barrier();  // sample() has read what is written here
  update_radii<false>(team, rod);
  const ConstVec3Array position = positions(rod);
  const double* const radius = view.lanes(lane_array::radius);
  update_pairs(team, view, position, velocities(rod), margins);
  const ContactView& lists = view;
  double unit_energies = 0.0;
  reduce_lanes(
      team, lists.elements,
      [&](int i, double& sum) {
        const Segment own = segment(view, i);
        for (int p = lists.element_start()[i]; p < lists.element_start()[i + 1]; ++p) {
          const int j = lists.later()[p];
          const Vec3 gap = closest_points(own, segment(view, j)).gap;
          const double overlap = radius[i] + radius[j] - math::sqrt(dot(gap, gap));
          sum += overlap > 0.0 ? Law::unit_energy(overlap) : 0.0;
        }
      },
      unit_energies);
  const double of_friction = friction.acts() ? friction.energy(team, view) : 0.0;
  return law.scale() * unit_energies + of_friction;
}

/// A spring and a dashpot: k eps + gamma (v_i - v_j) . d, eq. 4.7 of Gazzola et al. 2018, never less than
/// zero.
struct Penalty {
  static constexpr ContactKind kind = ContactKind::penalty;

  double stiffness = 0.0;  ///< k_sc, N/m
  double damping = 0.0;    ///< gamma_sc, kg/s

  static Penalty of(const ContactSpec& spec) { return {spec.stiffness, spec.damping}; }

  KOKKOS_FORCEINLINE_FUNCTION double force(double overlap, double speed) const {
    return stiffness * overlap + damping * speed;
  }
  KOKKOS_FORCEINLINE_FUNCTION double scale() const { return stiffness; }
  KOKKOS_FORCEINLINE_FUNCTION static double unit_force(double overlap) { return overlap; }
  KOKKOS_FORCEINLINE_FUNCTION static double unit_energy(double overlap) { return 0.5 * overlap * overlap; }
};
using PenaltyContact = PairContact<Penalty>;

/// Touching pairs in the present state, in the order of the list, by the laws of the steps. `contact` has its
/// arrays in host memory, listed for this state, as a sample leaves them.
std::vector<Touch> touching(const PenaltyContact& contact, const ConstRodView& rods);

}  // namespace rodeo::contact
