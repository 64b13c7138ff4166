#pragma once

#include "rodeo/connection/links.hpp"
#include "rodeo/math/lanes.hpp"

namespace rodeo::connection {

/// Part of a sum: of one of the loads of links, or of a node of a joint.
struct Share {
  int from = 0;
  double weight = 0.0;
};

/// A node or an element, and the shares of its sum.
struct Target {
  int entry = 0;
  int first = 0;
  int count = 0;
};

/// Nodes that stand and move together, as if they were one. Their common velocity is the mean by mass, which
/// conserves momentum; the shares are the nodes with their parts of the mass. One that is held leads the
/// others.
struct NodeJoint {
  int first = 0;
  int count = 0;
  int leader = -1;      ///< negative: none
  bool slides = false;  ///< along the axis only
  Vec3 axis;            ///< unit vector
};

/// The connections of a member: a plain handle, which owns nothing. Links are evaluated one by one, each into
/// loads of its own: the force on the first site of link k at 3 k, the couples of its elements after it, and
/// then those of the links of couples, two each. Then each node and each element sums up its shares in the
/// order of the list. So results depend on no order of threads.
struct Connections {
  PointLink* points = nullptr;
  const TurnLink* turns = nullptr;
  const NodeJoint* joints = nullptr;
  const Target* targets = nullptr;  ///< first nodes, then elements
  const Share* shares = nullptr;
  Vec3* loads = nullptr;
  int point_count = 0;
  int turn_count = 0;
  int joint_count = 0;
  int node_targets = 0;
  int element_targets = 0;

  KOKKOS_INLINE_FUNCTION bool acts() const { return point_count + turn_count > 0; }

  /// Breaks the bonds that are overloaded.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void break_overloaded(const Team& team, const BasicRodView<Real>& rod) const {
    PointLink* const links = points;
    for_each_lane(team, point_count, [=](int k) {
      if (links[k].is_overloaded(rod)) links[k].broken = 1;
    });
  }

 private:
  /// The sum of the shares of a target.
  KOKKOS_INLINE_FUNCTION auto sums() const {
    const Share* const list = shares;
    const Vec3* const load = loads;
    return [=](const Target& target) {
      Vec3 sum;
      for (int i = target.first; i < target.first + target.count; ++i)
        sum = sum + list[i].weight * load[list[i].from];
      return sum;
    };
  }

 public:
  /// Breaks overloaded bonds, and adds the loads of the others to field::external_force and
  /// field::external_couple.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, const BasicRodView<Real>& rod) const {
    break_overloaded(team, rod);
    add_unbroken(team, rod);
  }

  /// Adds the loads without a look at overloaded bonds.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void add_unbroken(const Team& team, const BasicRodView<Real>& rod) const {
    evaluate(team, rod);
    const auto sum = sums();
    const Target* const at = targets;
    const int nodes = node_targets;
    const BasicVec3Array<Real> force = rod.vec3_array(field::external_force);
    const BasicVec3Array<Real> couple = rod.vec3_array(field::external_couple);
    for_each_lane(team, nodes + element_targets, [=](int k) {
      (k < nodes ? force : couple).add(at[k].entry, static_cast<BasicVec3<Real>>(sum(at[k])));
    });
  }

  /// Sets the loads of all links.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void evaluate(const Team& team, const BasicRodView<Real>& rod) const {
    const PointLink* const point = points;
    const TurnLink* const turn = turns;
    Vec3* const load = loads;
    Vec3* const couple = loads + 3 * point_count;
    for_each_lane(team, point_count, [=](int k) {
      const LinkLoad on = point[k].load(rod);
      load[3 * k] = on.force;
      load[3 * k + 1] = on.couples[0];
      load[3 * k + 2] = on.couples[1];
    });
    for_each_lane(team, turn_count, [=](int k) {
      const LinkLoad on = turn[k].load(rod);
      couple[2 * k] = on.couples[0];
      couple[2 * k + 1] = on.couples[1];
    });
  }

  /// Energy of the links, J.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION double energy(const Team& team, const BasicRodView<Real>& rod) const {
    const PointLink* const point = points;
    const TurnLink* const turn = turns;
    double of_points = 0.0;
    double of_turns = 0.0;
    reduce_lanes(
        team, point_count, [=](int k, double& sum) { sum += point[k].energy(rod); }, of_points);
    reduce_lanes(
        team, turn_count, [=](int k, double& sum) { sum += turn[k].energy(rod); }, of_turns);
    return of_points + of_turns;
  }

  /// Number of broken bonds.
  template <class Team>
  KOKKOS_INLINE_FUNCTION double broken(const Team& team) const {
    const PointLink* const point = points;
    double total = 0.0;
    reduce_lanes(
        team, point_count, [=](int k, double& sum) { sum += point[k].broken; }, total);
    return total;
  }

  /// Puts nodes that a held one leads where that one is.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void place_joints(const Team& team, const BasicRodView<Real>& rod) const {
    const Connections all = *this;
    for_each_lane(team, joint_count, [=](int k) {
      const NodeJoint& joint = all.joints[k];
      if (joint.leader < 0) return;
      const Vec3 place = rod.vec3(field::position, joint.leader);
      for (int i = joint.first; i < joint.first + joint.count; ++i)
        rod.set_vec3(field::position, all.shares[i].from, place);
    });
  }

  /// Gives the nodes of joints their common velocity: after the kick of the nodes.
  template <class Team, class Real>
  KOKKOS_INLINE_FUNCTION void constrain_joints(const Team& team, const BasicRodView<Real>& rod) const {
    const Connections all = *this;
    for_each_lane(team, joint_count, [=](int k) {
      const NodeJoint& joint = all.joints[k];
      for (const int f : {field::velocity, field::middle_velocity}) {
        Vec3 common;
        for (int i = joint.first; i < joint.first + joint.count; ++i) {
          const Share& share = all.shares[i];
          common = common + share.weight * rod.vec3(f, share.from);
        }
        if (joint.slides) common = dot(common, joint.axis) * joint.axis;
        if (joint.leader >= 0) common = rod.vec3(f, joint.leader);
        for (int i = joint.first; i < joint.first + joint.count; ++i)
          rod.set_vec3(f, all.shares[i].from, common);
      }
    });
  }
};

}  // namespace rodeo::connection
