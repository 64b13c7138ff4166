#pragma once

#include <vector>

#include "rodeo/math/matrix3.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo::rigid {

/// The product of two vectors component by component: of moments of inertia about axes, and rates about them.
inline Vec3 times(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

/// Where a body is, and how it moves.
struct BodyState {
  Vec3 centre;             ///< of its mass, m
  Quaternion orientation;  ///< of its own frame; at the start that of the laboratory
  Vec3 momentum;           ///< kg m/s
  Vec3 angular_momentum;   ///< about the centre, laboratory frame, kg m^2/s
};

/// A rod as a body of the masses of its nodes and the moments of inertia of its elements.
struct RigidBody {
  /// Makes the body of a rod as it stands, with the momenta of its velocities.
  RigidBody(const RodView& arrays, bool closed);

  /// Angular velocity of the body with such momenta, laboratory frame, rad/s.
  Vec3 angular_velocity(const BodyState& of) const;

  /// Puts the nodes and elements in their places on the body.
  void place() const;

  RodView rod;
  int nodes;  ///< number of nodes: the last one of a closed rod is its first
  double mass = 0.0;
  Matrix3 inverse_inertia;               ///< in its own frame, 1/(kg m^2)
  std::vector<Vec3> places;              ///< of nodes from the centre, in its own frame
  std::vector<Quaternion> orientations;  ///< of elements, from its own frame
  BodyState state;
};

}  // namespace rodeo::rigid
