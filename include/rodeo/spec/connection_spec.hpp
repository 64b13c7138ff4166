#pragma once

#include <limits>
#include <optional>

#include "rodeo/math/vec3.hpp"

namespace rodeo {

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
