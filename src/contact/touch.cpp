#include "rodeo/contact/touch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "rodeo/contact/pair_contact.hpp"
#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/math/rotation.hpp"

namespace rodeo::contact {

std::vector<ElementTouches> touches_of_elements(const std::vector<Touch>& touches,
                                                const std::vector<int>& first, int elements,
                                                double friction) {
  constexpr double near_bound = 0.99;
  const auto rod_of = [&](int element) {
    return static_cast<int>(std::ranges::upper_bound(first, element) - first.begin()) - 1;
  };
  std::vector<ElementTouches> sums(static_cast<std::size_t>(elements));
  std::vector<std::pair<std::pair<int, int>, const Touch*>> of_rods;
  for (const Touch& touch : touches) {
    const bool slips = friction > 0.0 && touch.friction >= near_bound * friction * touch.normal;
    for (const int element : {touch.earlier, touch.later}) {
      ElementTouches& own = sums[static_cast<std::size_t>(element)];
      own.pairs += 0.5;
      own.force += 0.5 * touch.normal;
      own.largest = std::max(own.largest, touch.normal);
      own.slipping += slips ? 0.5 : 0.0;
    }
    const std::pair rods{rod_of(touch.earlier), rod_of(touch.later)};
    if (rods.first != rods.second) of_rods.emplace_back(rods, &touch);
  }
  std::ranges::stable_sort(of_rods, {}, [](const auto& entry) { return entry.first; });
  for (std::size_t k = 0; k < of_rods.size(); ++k) {
    if (k > 0 && of_rods[k].first == of_rods[k - 1].first) continue;
    for (const int element : {of_rods[k].second->earlier, of_rods[k].second->later})
      sums[static_cast<std::size_t>(element)].rods += 1.0;
  }
  return sums;
}

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
