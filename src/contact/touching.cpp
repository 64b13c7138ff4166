#include "rodeo/contact/touching.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/math/rotation.hpp"

namespace rodeo::contact {

namespace {

/// Velocity of a point of an element's surface at `arm` from its axis, m/s.
Vec3 surface_velocity(const ConstRodView& rods, int i, double along, const Vec3& arm) {
  const Vec3 here = rods.vec3(field::velocity, i);
  const Vec3 spin = directors(rods.quaternion(i)).to_laboratory(rods.vec3(field::angular_velocity, i));
  return here + along * (rods.vec3(field::velocity, i + 1) - here) + cross(spin, arm);
}

/// Friction of the pair's spring as in SpringFriction::rub, N.
double friction_of(const SpringFriction& law, const Vec3& spring, const Vec3& normal, const Vec3& passing,
                   double share, double load) {
  const Vec3 slip = passing - dot(passing, normal) * normal;
  const Vec3 flat = spring - dot(spring, normal) * normal;
  return std::min(share * norm(law.stiffness * flat + law.damping * slip), law.coefficient * load);
}

}  // namespace

std::vector<Touch> touching(const PenaltyContact& contact, const ConstRodView& rods) {
  const ContactView& view = contact.view;
  const auto segment = [&](int i) {
    const Vec3 start = rods.vec3(field::position, i);
    return segment_of(start, rods.vec3(field::position, i + 1) - start);
  };
  const auto radius = [&](const Segment& own, int i) {
    const double inverse_rest = rods.array(field::inverse_rest_length)[i];
    return rods.array(field::contact_radius)[i] *
           std::sqrt(rods.section_value(1.0 / norm(own.edge), inverse_rest));
  };
  std::vector<Touch> touches;
  for (int p = 0; p < view.list(list_entry::pairs); ++p) {
    const int i = view.earlier()[p];
    const int j = view.later()[p];
    const Segment own = segment(i);
    const Segment other = segment(j);
    const ClosestPoints at = closest_points(own, other);
    const double distance = norm(at.gap);
    const double own_radius = radius(own, i);
    const double other_radius = radius(other, j);
    const double overlap = own_radius + other_radius - distance;
    if (!(overlap > 0.0) || distance == 0.0) continue;
    const Vec3 normal = (1.0 / distance) * at.gap;
    const double share = distance / (own_radius + other_radius);
    const Vec3 passing = surface_velocity(rods, j, at.second, -share * other_radius * normal) -
                         surface_velocity(rods, i, at.first, share * own_radius * normal);
    Touch touch{i, j, std::max(contact.law.force(overlap, -dot(passing, normal)), 0.0), 0.0};
    const Vec3 spring = contact.friction.acts() ? view.springs()(p) : Vec3{};
    if (dot(spring, spring) > 0.0) {
      touch.friction = friction_of(contact.friction, spring, normal, passing, view.shares()[p], touch.normal);
    }
    touches.push_back(touch);
  }
  return touches;
}

}  // namespace rodeo::contact
