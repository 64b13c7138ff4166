#pragma once

#include <array>
#include <map>
#include <span>
#include <utility>
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
  /// Kinds of a rod's motion: translations along three axes, turns about them through its middle, and roll,
  /// of a rod that is not straight less a turn about its line and scaled up to the size of the others.
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

  /// Motions of all unknowns by mechanisms that are left when those are removed that supports hold,
  /// orthonormal in the measure of the inertia. set(rod, parts, motion) sets those of a rod in a motion of
  /// all rods, hold(motion) leaves the part of one that supports allow, and finish(motion) makes one a vector
  /// of unknowns.
  template <class Set, class Hold, class Finish>
  std::vector<std::vector<double>> motions(std::span<const double> inertia, const Set& set, const Hold& hold,
                                           const Finish& finish);

  /// Displacement of a node, laboratory frame, m.
  Vec3 displacement(int rod, int node, const Parts& parts) const;
  /// Turn of an element, laboratory frame, rad.
  Vec3 turn(int rod, int element, const Parts& parts) const { return sum(turns(rod, element), parts); }

 private:
  /// Displacements or turns by a unit of each part.
  using Ways = std::array<Vec3, kinds>;
  struct Body {
    ConstRodView rod;
    int entry;    ///< first of the rod among the member's
    int unknown;  ///< first unknown of the rod
    Vec3 centre;
    Vec3 line;     ///< axis of the turn that is taken from the roll
    double apart;  ///< largest part of what is left of a unit of roll
  };
  struct Place {
    int rod;
    Ways ways;
  };

  void part_rolls(int rod);
  static Vec3 sum(const Ways& ways, const Parts& parts);
  /// Takes others out of a motion and gives it unit norm; empties one that they span.
  static void orthonormalize(std::span<const double> inertia, const std::vector<std::vector<double>>& others,
                             std::vector<double>& motion);
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

template <class Set, class Hold, class Finish>
std::vector<std::vector<double>> Mechanisms::motions(std::span<const double> inertia, const Set& set,
                                                     const Hold& hold_supports, const Finish& finish) {
  const auto motion_of = [&](const auto& parts_of) {
    std::vector<double> motion(inertia.size());
    for (std::size_t k = 0; k < bodies_.size(); ++k) set(static_cast<int>(k), parts_of(k), motion);
    return motion;
  };
  std::array<std::vector<double>, kinds> held;
  for (std::size_t kind = 0; kind < held.size(); ++kind) {
    Parts parts{};
    parts[kind] = 1.0;
    held[kind] = motion_of([&](std::size_t) { return parts; });
    std::vector<double> free = held[kind];
    hold_supports(free);
    for (std::size_t i = 0; i < free.size(); ++i) held[kind][i] -= free[i];
  }
  for (std::size_t i = 0; i < inertia.size(); ++i) {
    Parts row;
    for (std::size_t kind = 0; kind < row.size(); ++kind) row[kind] = held[kind][i];
    hold(rod_of_unknown(static_cast<int>(i)), row);
  }
  std::vector<std::vector<double>> motions;
  for (const std::vector<Parts>& parts : find()) {
    std::vector<double> motion = motion_of([&](std::size_t k) { return parts[k]; });
    hold_supports(motion);
    finish(motion);
    orthonormalize(inertia, motions, motion);
    if (!motion.empty()) motions.push_back(std::move(motion));
  }
  return motions;
}

}  // namespace rodeo::coupling
