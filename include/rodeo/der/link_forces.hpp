#pragma once

#include <optional>
#include <vector>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/coupling/coupled_matrix.hpp"
#include "rodeo/coupling/mechanisms.hpp"

namespace rodeo::der {

/// Derivative of a link by the degrees of freedom of both its places, each with at most link_size.
inline constexpr int link_size = 7;
using LinkMatrix = double[2 * link_size][2 * link_size];

/// The connections of a member's rods in implicit steps (connection/links.hpp has their laws). Their springs
/// have an energy of the degrees of freedom of the nodes and elements that they hold; so have their dashpots
/// within a step, c/(2 dt) times the square of what has changed since its start. So the Jacobian is
/// symmetric.
class LinkForces {
 public:
  /// `all` are the member's arrays, which hold the frames that a step starts with; `first_dof` those of each
  /// element's first node (-1: element between rods).
  /// `joints` are those of nodes that rods share, which are no connections.
  LinkForces(connection::Parts parts, std::vector<connection::TurnLink> joints, const RodView& all,
             const std::vector<int>& first_dof);

  /// The links of points, of which some may have broken.
  std::vector<connection::PointLink>& points() { return parts_.points; }

  /// Degrees of freedom that each link couples.
  const std::vector<coupling::SpanPair>& spans() const { return spans_; }

  /// Begins a step of so many seconds from `start`.
  void begin_step(const std::vector<double>& start, double step);

  /// Adds minus the forces.
  void add_residual(const std::vector<double>& q, std::vector<double>& force) const;

  /// Sets the derivative of these for a link.
  void set_jacobian(std::size_t link, const std::vector<double>& q, LinkMatrix& block) const;

  /// Removes the mechanisms that the links resist.
  void hold(coupling::Mechanisms& mechanisms) const {
    mechanisms.hold(parts_.points);
    mechanisms.hold(parts_.turns);
    mechanisms.hold(joints_);
  }

  /// Takes the pairs of forces on nodes by which couples of links act from the internal forces of elements,
  /// which balance those on the nodes before. Frames are those at `q`.
  void take_couples(const std::vector<double>& q) const;

  /// Breaks the bonds that are overloaded in the present state of the arrays.
  void break_overloaded();

  /// Energy of the springs of connections at present, J, and number of broken bonds.
  double energy() const;
  double broken() const;

 private:
  /// Element that a link holds, and the part of it at which a force acts.
  struct HeldElement {
    int element;
    double fraction;
  };
  std::optional<HeldElement> held_element(std::size_t link, int side) const;

  template <class Use>
  void with_law(std::size_t link, const Use& use) const;

  connection::Parts parts_;
  std::vector<connection::TurnLink> joints_;
  RodView all_;
  std::vector<coupling::SpanPair> spans_;  ///< of links of points, then of those of couples, then of joints
  std::vector<Vec3> start_;                ///< gaps and turns at the start of the step, for dashpots
  double step_ = 1.0;                      ///< s
};

}  // namespace rodeo::der
