#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "rodeo/math/formula.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/spec/measure_spec.hpp"

namespace rodeo {

/// Quantity driven in time (deck keys actuation.force and so on).
enum class ActuationKind {
  force,            ///< external; per rest length N/m, at a place N
  couple,           ///< external; per rest length N, at a place N m
  internal_couple,  ///< of one part of the rod on the next, without a resultant, N m
  curvature,        ///< natural curvature (or twist, about d3) besides the rod's own, 1/m
  stretch           ///< natural length over rest length
};

/// One actuation of a rod.
struct ActuationSpec {
  ActuationKind kind = ActuationKind::force;
  bool in_laboratory = false;  ///< frame of `axis`: the laboratory's or the directors'
  Vec3 axis;                   ///< unit vector; of curvature along d1, d2, d3, of stretch not looked at
  Place place;                 ///< on its rod
  Formula formula = Formula::number(0.0);  ///< of time (s) and place (part of the rest length)
};

/// Quantity that a motion prescribes.
enum class MotionKind {
  node,       ///< its position
  element,    ///< its orientation
  first_end,  ///< the directors of the first end, as a clamp does
  last_end    ///< those of the last end
};

/// Motion prescribed to a place of a rod for some time (deck keys motion.position and motion.rotation).
struct MotionSpec {
  static constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();

  MotionKind kind = MotionKind::node;
  int rod = 0;
  int index = 0;      ///< node or element; of an end the element there
  double arc = -1.0;  ///< of a node that is taken for such a place, m from node 0
  std::array<bool, 3> held = {false, false, false};  ///< of a node: components that are not free
  Vec3 axis;                                         ///< of a turn: unit vector
  bool alone = false;  ///< of an end: it holds the turn about its tangent, and leaves the two others free
  std::int64_t first_step = 0;       ///< the steps taken as it begins
  std::int64_t last_step = forever;  ///< and as it ends
  /// Functions of time: displacement of a node along x, y, z (m), or angle of a turn (rad), from where it
  /// stands as the motion begins.
  std::vector<Formula> course;
};

/// A plane that moves without turning (deck key ground.platen).
struct PlatenSpec {
  Vec3 point;                   ///< of it, where it is not displaced, m
  Vec3 normal;                  ///< unit vector out of its solid
  std::vector<Formula> course;  ///< its displacement along x, y, z, m, formulas of time; empty: there is none

  bool exists() const { return !course.empty(); }
};

/// Kind of connection between two places of rods (deck keys connection.spring and so on).
enum class ConnectionKind {
  spring,  ///< a spring and a dashpot along the line between them
  ball,    ///< one point, about which both turn freely
  hinge,   ///< one point and one axis
  rigid,   ///< one point, and the angle that the rods' own shapes have
  bond     ///< elements of two rods side by side, all along an arc
};

/// Place where a connection holds a rod: a node, or a point of an element's centre line.
struct ConnectionEnd {
  int rod = 0;
  int node = -1;          ///< negative: at a point of an element
  int element = -1;       ///< of that point
  double fraction = 0.5;  ///< of the element, from its first node to the point
};

/// A connection. Values not given follow from the rods (connection/build_connections.hpp).
struct ConnectionSpec {
  ConnectionKind kind = ConnectionKind::spring;
  ConnectionEnd ends[2];                            ///< of a bond: the rods
  std::optional<double> stiffness = {};             ///< N/m; of a bond per rest length, N/m^2
  std::optional<double> length = {};                ///< of a spring at rest, m
  double damping = 0.0;                             ///< kg/s; of a bond per rest length, kg/(m s)
  std::optional<double> rotational_stiffness = {};  ///< N m
  double rotational_damping = 0.0;                  ///< N m s
  std::optional<Vec3> axis = {};  ///< of a hinge in the rods' own shapes, unit vector, laboratory frame
  double arc[2] = {0.0, 1.0};     ///< of a bond: from where to where on the first rod, over its rest length
  double strength =
      std::numeric_limits<double>::infinity();  ///< at which a bond breaks, per rest length, N/m
};

}  // namespace rodeo
