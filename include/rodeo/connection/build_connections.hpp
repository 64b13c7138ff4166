#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "rodeo/connection/connections.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::connection {

/// A connection that cannot be.
class Impossible : public std::invalid_argument {
 public:
  Impossible(std::size_t connection, const std::string& why)
      : std::invalid_argument(why), number(connection) {}

  std::size_t number;  ///< of it in MemberSpec::connections
};

/// The connections of a member in memory of their own.
struct Parts {
  std::vector<PointLink> points;
  std::vector<TurnLink> turns;
  std::vector<NodeJoint> joints;
  std::vector<Target> targets;  ///< first nodes, then elements
  std::vector<Share> shares;    ///< first those of the targets
  int node_targets = 0;

  std::size_t load_count() const { return 3 * points.size() + 2 * turns.size(); }

  /// Breaks the bonds that are overloaded.
  void break_overloaded(const RodView& member);

  /// Energy of the springs, J, and number of broken bonds.
  double energy(const RodView& member) const;
  double broken() const;

  /// Handle with the counts of connections, which points to nothing yet.
  Connections counted() const;
  /// Handle of the connections, with room for their loads.
  Connections view(std::vector<Vec3>& loads);
};

/// Connections as links of the member's arrays, which hold its rods at t = 0. Throws Impossible.
///
/// Rest lengths, angles and arms are those of the rods' own shapes, also where motion starts from another
/// state (RodSpec::start): what connections are is what the deck describes. Bonds that such a state overloads
/// are broken.
///
/// Joints hold two places in one point. Two nodes that stand together move as one node, exactly, if no
/// stiffness is given. An element carries the joint by an arm, in its directors, to the node that it is
/// joined to, or half of the way to another element. Between elements springs hold the joint, by default as
/// stiff as the half elements on both sides are against stretch, in series: l_1/(2 S_1) + l_2/(2 S_2) is 1/k.
///
/// Hinges and rigid joints act on the elements next to a node too, at an inner node on the mean of both,
/// whose halves bear side by side, and at a clamped end on the directors of the clamp. They are as stiff as
/// the halves of those elements, in series, so that two rods joined in line are one rod; a stiffness of the
/// joint's own is in series with them. A hinge is so stiff across its axis.
///
/// A bond holds every element of the first rod within its arc to the element of the other rod that it faces,
/// in a point between their surfaces which both carry by arms.
Parts build_connections(const MemberSpec& spec, const RodView& member);

/// Memory that the connections of a member take at most, bytes.
std::size_t memory(const MemberSpec& spec);

/// Bounds of M^-1 K and M^-1 C, 1/s^2 and 1/s, of the springs and dashpots of links: for each link the sum of
/// what it and all that share a node or an element with it have there (Gershgorin's row sums of the springs'
/// own matrix K^1/2 G M^-1 G' K^1/2, which has the same frequencies).
struct StepRates {
  double springs = 0.0;
  double dashpots = 0.0;
};
StepRates step_rates(const Parts& parts, const ConstRodView& member);

}  // namespace rodeo::connection
