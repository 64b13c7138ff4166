#include "rigid_body.hpp"

namespace rodeo::rigid {

namespace {

Matrix3 inverse(const Matrix3& a) {
  const Vec3 c1 = cross(a.row2, a.row3);
  const Vec3 c2 = cross(a.row3, a.row1);
  const Vec3 c3 = cross(a.row1, a.row2);
  return (1.0 / dot(a.row1, c1)) * transpose(Matrix3{c1, c2, c3});
}

/// The inertia R diag(moments) R' of an element.
Matrix3 in_laboratory(const Directors& frame, const Vec3& moments) {
  return outer(moments.x * frame.d1, frame.d1) + outer(moments.y * frame.d2, frame.d2) +
         outer(moments.z * frame.d3, frame.d3);
}

/// The inertia of a mass at a place.
Matrix3 of_point(double mass, const Vec3& r) {
  const double square = dot(r, r);
  return mass * (Matrix3{{square, 0, 0}, {0, square, 0}, {0, 0, square}} - outer(r, r));
}

}  // namespace

RigidBody::RigidBody(const RodView& arrays, bool closed)
    : rod(arrays), nodes(closed ? arrays.elements : arrays.nodes()) {
  const double* const masses = rod.array(field::mass);
  for (int i = 0; i < nodes; ++i) {
    mass += masses[i];
    state.centre = state.centre + masses[i] * rod.vec3(field::position, i);
    state.momentum = state.momentum + masses[i] * rod.vec3(field::velocity, i);
  }
  state.centre = (1.0 / mass) * state.centre;
  Matrix3 inertia;
  for (int i = 0; i < rod.nodes(); ++i) {
    const Vec3 r = rod.vec3(field::position, i) - state.centre;
    places.push_back(r);
    if (i == nodes) break;
    inertia = inertia + of_point(masses[i], r);
    state.angular_momentum = state.angular_momentum + cross(r, masses[i] * rod.vec3(field::velocity, i));
  }
  for (int i = 0; i < rod.elements; ++i) {
    orientations.push_back(rod.quaternion(i));
    const Directors frame = directors(rod.quaternion(i));
    inertia = inertia + in_laboratory(frame, rod.inertia(i));
    state.angular_momentum = state.angular_momentum +
                             frame.to_laboratory(times(rod.inertia(i), rod.vec3(field::angular_velocity, i)));
  }
  inverse_inertia = inverse(inertia);
}

Vec3 RigidBody::angular_velocity(const BodyState& of) const {
  const Directors frame = directors(of.orientation);
  return frame.to_laboratory(inverse_inertia * frame.to_body(of.angular_momentum));
}

void RigidBody::place() const {
  const Directors frame = directors(state.orientation);
  for (int i = 0; i < rod.nodes(); ++i) {
    rod.set_vec3(field::position, i, state.centre + frame.to_laboratory(places[static_cast<std::size_t>(i)]));
    if (i == rod.elements) break;
    rod.set_quaternion(i, state.orientation * orientations[static_cast<std::size_t>(i)]);
  }
}

}  // namespace rodeo::rigid
