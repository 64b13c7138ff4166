#pragma once

#include <array>
#include <map>
#include <vector>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/coupling/ties.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/member/rods.hpp"

namespace rodeo::coupling {

/// Mechanisms of a member's rods: motions in which each rod moves as a rigid body, and may roll about its own
/// centre line, and which nothing that joins or holds the rods resists. They follow from geometry alone. A
/// slow bend of many rods that are joined to one is none, however little it costs.
class Mechanisms {
 public:
  /// Kinds of a rod's motion: translations along three axes, turns about them through its middle, and roll.
  static constexpr int kinds = 7;
  /// Amount of each kind in the motion of a rod, m; angles are these over length().
  using Parts = std::array<double, kinds>;

  /// Makes the mechanisms of rods in the present state of the arrays, which nothing holds yet. `stride`:
  /// unknowns from one node of a rod to the next.
  Mechanisms(const Rods& rods, const RodView& all, int stride);

  double length() const { return length_; }  ///< of the longest rod, m

  /// Keeps tied nodes together.
  void hold(const Ties& ties);
  /// Keeps the lengths of springs and the places and angles of joints; broken bonds hold nothing.
  void hold(const std::vector<connection::PointLink>& links);
  void hold(const std::vector<connection::TurnLink>& links);
  /// Excludes motions of a rod with a nonzero sum of its parts times these.
  void hold(int rod, const Parts& row);

  /// Mechanisms that are left, each with the parts of all rods.
  std::vector<std::vector<Parts>> find() const;

  /// Displacement of a node, laboratory frame, m.
  Vec3 displacement(int rod, int node, const Parts& parts) const;
  /// Turn of a rod, laboratory frame, and then of its elements about their own d3, rad.
  Vec3 turn(const Parts& parts) const { return (1.0 / length_) * Vec3{parts[3], parts[4], parts[5]}; }
  double roll(const Parts& parts) const { return parts[6] / length_; }

 private:
  /// Displacements or turns by a unit of each part.
  using Ways = std::array<Vec3, kinds>;
  struct Body {
    ConstRodView rod;
    int entry;    ///< first of the rod among the member's
    int unknown;  ///< first unknown of the rod
    Vec3 centre;
  };
  struct Place {
    int rod;
    Ways ways;
  };

  void leave_one_roll(int rod);
  Place place(const connection::Site& site) const;
  Place turning(int element) const;
  Ways displacements(int rod, const Vec3& point) const;
  Ways turns(int rod, int element) const;
  int rod_of_entry(int entry) const;
  int rod_of_unknown(int unknown) const;
  void hold_together(const Place& a, const Place& b, const Vec3& direction);
  void hold_together(const Place& a, const Place& b);
  void hold_across(const Place& a, const Place& b, const Vec3& axis);
  void add(int row, const Parts& a, int column, const Parts& b);

  using Block = std::array<Parts, kinds>;
  using Row = std::map<int, Block>;

  RodView all_;
  int stride_;
  double length_ = 0.0;
  std::vector<Body> bodies_;
  std::vector<Row> resistance_;  ///< of each rod, by rods: a symmetric matrix that is nowhere negative
};

}  // namespace rodeo::coupling
