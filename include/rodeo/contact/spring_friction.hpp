#pragma once

#include "rodeo/contact/cells.hpp"
#include "rodeo/math/scalars.hpp"
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
///
/// Where a contact passes from one element to the next, both touch at the node between them for a while. The
/// pairs around a node are then one contact: each has a share w of k_t and gamma, in proportion to its
/// overlap eps,
///   w = eps/(eps + sum of g eps of the others),   g = (1 - d^2/r^2)^2,
/// which falls from 1, where the points coincide in which the pairs are closest, to 0 where these are a mean
/// radius r apart along the rods. A pair that begins to touch has the stretch of the others there, and its
/// share grows from nothing as theirs fall to it: the spring passes the node with the load.
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

  /// Energy of the springs, J.
  template <class Team>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION double energy(const Team& team, const ContactView& view) const {
    const ConstVec3Array spring = view.springs();
    const double* const share = view.shares();
    double squares = 0.0;
    reduce_lanes(
        team, view.list(list_entry::pairs),
        [&](int p, double& sum) { sum += share[p] * dot(spring(p), spring(p)); }, squares);
    return 0.5 * stiffness * squares;
  }

  /// Energy that slip and dashpots have dissipated so far, J.
  template <class Team>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION double loss(const Team& team, const ContactView& view) const {
    const double* const of_elements = view.friction_lanes(friction_lane::loss);
    double total = 0.0;
    reduce_lanes(
        team, view.elements, [&](int i, double& sum) { sum += of_elements[i]; }, total);
    return total;
  }

  /// Advances the springs of up to a block of touching pairs by a step. Their records hold the forces and the
  /// sliding velocities of press(): friction is added to the forces, and couples replace the velocities.
  /// `now` has the shares of the pairs.
  KOKKOS_INLINE_FUNCTION void rub(const ContactView& view, const int* pairs, const double* now,
                                  int count) const {
    const int* const earlier = view.earlier();
    const int* const later = view.later();
    const double* const radius = view.lanes(lane_array::radius);
    const double* const overlaps = view.overlap();
    double* const records = view.records();
    const Vec3Array springs = view.springs();
    double* const shares = view.shares();
    const double mu = coefficient;
    const double spring_constant = stiffness;
    const double dashpot = damping;
    const double duration = step;
    const double dashpot_over_step = damping / step;
    BlockOfColumns record;
    BlockOfVectors springs_held;
    double reach[block_size];
    double depth[block_size];
    double share[block_size];
    double former_share[block_size];
    int filled[block_size];
    for (int lane = 0; lane < block_size; ++lane) {
      const int k = lane < count ? lane : count - 1;
      const int p = filled[lane] = pairs[k];
      reach[lane] = radius[earlier[p]] + radius[later[p]];
      depth[lane] = overlaps[p];
      springs_held.set(lane, springs, p);
      share[lane] = now[k];
      former_share[lane] = shares[p];
    }
    record.fetch(records, filled);
    BlockOfVectors new_forces;
    BlockOfVectors new_springs;
    BlockOfVectors new_turnings;
    double lost[block_size];
    for_each_in_block([&](std::int64_t lane) __attribute__((always_inline)) {
      constexpr double tiny = 1e-200;  // squares of no length give no direction, and no NaN
      const Vec3 push = record.vec3(pair_record::force, lane);
      const Vec3 slip = record.vec3(pair_record::turning, lane);
      const double load = math::sqrt(dot(push, push));
      const double touches = load > 0.0 ? 1.0 : 0.0;
      const Vec3 normal = (touches / math::sqrt(dot(push, push) + tiny)) * push;
      const double of_radius = 1.0 - depth[lane] / reach[lane];
      const Vec3 held = springs_held(lane);
      const Vec3 flat = held - dot(held, normal) * normal;
      const Vec3 turned = math::sqrt(dot(held, held) / (dot(flat, flat) + tiny)) * flat;
      const Vec3 stretched = turned + duration * slip;
      const double constant = share[lane] * spring_constant;
      const Vec3 rubbing = (share[lane] * dashpot) * slip;
      const Vec3 pull = -1.0 * (constant * stretched + rubbing);
      const double limit = mu * load;
      const double wanted = math::sqrt(dot(pull, pull) + tiny);
      const double yields = wanted > limit ? 1.0 : 0.0;
      const Vec3 friction = (yields > 0.0 ? limit / wanted : 1.0) * pull;
      // Where friction yields the ends slide, and the dashpot feels how fast the spring alone goes.
      const double drag = share[lane] * dashpot_over_step;
      const Vec3 yielded = (1.0 / (constant + drag)) * (drag * turned - friction);
      const Vec3 after = touches * (stretched + yields * (yielded - stretched));
      const Vec3 dragged = yields > 0.0 ? drag * (after - turned) : rubbing;
      // The work of the slip at the mean of the force before and the force now, less what the spring keeps.
      const Vec3 pull_before = (former_share[lane] * spring_constant) * turned;
      const Vec3 pull_after = constant * after;
      lost[lane] = 0.5 * (duration * dot(pull_before + pull_after, slip) + dot(pull_before, turned) -
                          dot(pull_after, after)) +
                   duration * dot(dragged, slip);
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
      shares[p] = share[lane];
      loss[earlier[p]] += lost[lane];
    }
  }

  /// Closest points of a pair, in elements from the first of the arrays, and how far other pairs are one
  /// contact with it.
  class Place {
   public:
    KOKKOS_FORCEINLINE_FUNCTION Place(const ContactView& view, int i, int j, double first, double second)
        : along_first_(i + first), along_second_(j + second) {
      const double* const radius = view.lanes(lane_array::radius);
      const double reach = 0.5 * (radius[i] + radius[j]);
      first_square_ = 1.0 / (inverse_square(view, i) * reach * reach);
      second_square_ = 1.0 / (inverse_square(view, j) * reach * reach);
    }

    /// Weight g of a pair of the same elements or of those next to them, which count as equally long.
    KOKKOS_FORCEINLINE_FUNCTION double closeness(int i, int j, double first, double second) const {
      const double along_first = i + first - along_first_;
      const double along_second = j + second - along_second_;
      const double near = detail::larger(
          1.0 - first_square_ * along_first * along_first - second_square_ * along_second * along_second,
          0.0);
      return near * near;
    }

   private:
    double along_first_;
    double along_second_;
    double first_square_;  ///< of the length of an element over the mean radius
    double second_square_;
  };

  /// Releases the spring of a pair that no longer touches; its energy is lost.
  KOKKOS_INLINE_FUNCTION void release(const ContactView& view, int pair) const {
    const Vec3 spring = view.springs()(pair);
    double& share = view.shares()[pair];
    view.friction_lanes(friction_lane::loss)[view.earlier()[pair]] +=
        0.5 * stiffness * share * dot(spring, spring);
    view.springs().set(pair, {});
    share = 0.0;
  }

  /// Gives the spring of a pair that begins to touch the stretch of the pairs beside it at the same node.
  /// These still have that of the last step; pairs that begin in the same step do not count, in any order.
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION static void begin(const ContactView& view, int pair) {
    const double* const radius = view.lanes(lane_array::radius);
    const double* const share = view.shares();
    const Vec3Array springs = view.springs();
    const auto closest = [&](int i, int j) { return closest_points(segment(view, i), segment(view, j)); };
    const int own_i = view.earlier()[pair];
    const int own_j = view.later()[pair];
    const ClosestPoints own = closest(own_i, own_j);
    const Place place(view, own_i, own_j, own.first, own.second);
    Vec3 sum;
    double weight = 0.0;
    for (int i = own_i > 0 ? own_i - 1 : 0; i <= own_i + 1 && i < view.elements; ++i) {
      for (int p = view.element_start()[i]; p < view.element_start()[i + 1]; ++p) {
        const int j = view.later()[p];
        if (j < own_j - 1 || j > own_j + 1 || share[p] == 0.0) continue;
        const ClosestPoints other = closest(i, j);
        const double overlap = radius[i] + radius[j] - math::sqrt(dot(other.gap, other.gap));
        const double part = detail::larger(overlap, 0.0) * place.closeness(i, j, other.first, other.second);
        sum = sum + part * springs(p);
        weight += part;
      }
    }
    if (weight > 0.0) springs.set(pair, (1.0 / weight) * sum);
  }

  /// The shares of pairs that touch, in rising order.
  class Shares {
   public:
    KOKKOS_FORCEINLINE_FUNCTION explicit Shares(const ContactView& view)
        : view_(view), earlier_(view.earlier()), later_(view.later()) {}

    KOKKOS_FORCEINLINE_FUNCTION double of(int pair) {
      if (earlier_[pair] != element_) begin_element(earlier_[pair]);
      const int lowest = later_[pair] - 1;
      const int highest = later_[pair] + 1;
      while (before_ < own_ && later_[before_] < lowest) ++before_;
      while (after_ < after_end_ && later_[after_] < lowest) ++after_;
      const bool alone = (pair == own_ || later_[pair - 1] < lowest) &&
                         (pair + 1 == own_end_ || later_[pair + 1] > highest) &&
                         (before_ == own_ || later_[before_] > highest) &&
                         (after_ == after_end_ || later_[after_] > highest);
      return alone ? 1.0 : among_others(pair);
    }

   private:
    /// Share of a pair among those listed beside it, most of which do not touch.
    KOKKOS_FORCEINLINE_FUNCTION double among_others(int pair) const {
      constexpr int most = 8;
      const double* const overlap = view_.overlap();
      int touching[most + 1];
      int count = 0;
      const auto add = [&](int p) __attribute__((always_inline)) {
        touching[count] = p;
        count += overlap[p] > 0.0 ? 1 : 0;
      };
      const int highest = later_[pair] + 1;
      for (int p = before_; p < own_ && later_[p] <= highest; ++p) add(p);
      if (pair > own_ && later_[pair - 1] == highest - 2) add(pair - 1);
      if (pair + 1 < own_end_ && later_[pair + 1] == highest) add(pair + 1);
      for (int p = after_; p < after_end_ && later_[p] <= highest; ++p) add(p);
      return count == 0 ? 1.0 : share(pair, touching, count);
    }

    [[gnu::noinline]] KOKKOS_INLINE_FUNCTION double share(int pair, const int* touching, int count) const {
      constexpr double least = 1e-12;
      const double* const overlap = view_.overlap();
      const auto record = [records = view_.records()](int p) {
        return records + static_cast<std::ptrdiff_t>(pair_record::count) * p;
      };
      const double* const own = record(pair);
      const Place place(view_, element_, later_[pair], own[pair_record::first], own[pair_record::second]);
      double others = 0.0;
      for (int k = 0; k < count; ++k) {
        const int p = touching[k];
        const double* const other = record(p);
        others += overlap[p] * place.closeness(earlier_[p], later_[p], other[pair_record::first],
                                               other[pair_record::second]);
      }
      return others > 0.0 ? detail::larger(overlap[pair] / (overlap[pair] + others), least) : 1.0;
    }

    KOKKOS_FORCEINLINE_FUNCTION void begin_element(int i) {
      const int* const start = view_.element_start();
      element_ = i;
      own_ = start[i];
      own_end_ = start[i + 1];
      before_ = i > 0 ? start[i - 1] : own_;
      after_ = own_end_;
      after_end_ = i + 1 < view_.elements ? start[i + 2] : own_end_;
    }

    const ContactView& view_;
    const int* earlier_;
    const int* later_;
    int element_ = -1;
    int own_ = 0;  ///< the pairs of which it is the earlier element
    int own_end_ = 0;
    int before_ = 0;  ///< pairs of the element before it, up to own_, but for some that are too early
    int after_ = 0;   ///< pairs of the element after it
    int after_end_ = 0;
  };
};

/// Saves the springs before the pairs are listed anew.
template <class Team>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION void keep_springs(const Team& team, const ContactView& view) {
  const ConstVec3Array spring = view.springs();
  const double* const share = view.shares();
  double* const former = view.former_springs();
  for_each_lane(team, view.elements + 1,
                [=](int i) { view.former_element_start()[i] = view.element_start()[i]; });
  for_each_lane(team, view.list(list_entry::pairs), [=](int p) {
    view.former_later()[p] = view.later()[p];
    double* const to = former + std::ptrdiff_t{of_spring} * p;
    const Vec3 kept = spring(p);
    to[0] = kept.x;
    to[1] = kept.y;
    to[2] = kept.z;
    to[3] = share[p];
  });
}

/// Restores the springs of pairs that are listed again. New pairs do not touch yet.
template <class Team>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION void restore_springs(const Team& team, const ContactView& view) {
  const Vec3Array spring = view.springs();
  double* const share = view.shares();
  const double* const former_spring = view.former_springs();
  for_each_lane(team, view.list(list_entry::pairs), [=](int p) {
    const int i = view.earlier()[p];
    int former = view.former_element_start()[i];
    const int end = view.former_element_start()[i + 1];
    while (former < end && view.former_later()[former] < view.later()[p]) ++former;
    const bool known = former < end && view.former_later()[former] == view.later()[p];
    const double* const from = former_spring + std::ptrdiff_t{of_spring} * former;
    spring.set(p, known ? Vec3{from[0], from[1], from[2]} : Vec3{});
    share[p] = known ? from[3] : 0.0;
  });
}

/// Marks pairs with a share of a contact as touching, so that the energy of their springs counts as lost if
/// they no longer touch.
template <class Team>
[[gnu::noinline]] KOKKOS_INLINE_FUNCTION void mark_held(const Team& team, const ContactView& view) {
  const double* const share = view.shares();
  int* const active = view.active();
  for_each_lane(team, view.list(list_entry::pairs),
                [=](int p) { active[p] = share[p] > 0.0 ? pair_state::touching : pair_state::apart; });
}

}  // namespace rodeo::contact
