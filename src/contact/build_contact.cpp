#include "rodeo/contact/build_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/rod/rod_places.hpp"

namespace rodeo::contact {

namespace {

double element_length(const RodSpec& rod) { return rod.length / rod.elements; }

/// Encounters there is room for: a rod packed like a hexagonal bundle has six strands around each element,
/// half of which are later ones, and more where other rods are thinner. Elements of a strand are within reach
/// along a window of its length, which covers some blocks; twice that leaves room for elements pressed into
/// each other. No element has more encounters than blocks.
int encounter_capacity(const MemberSpec& spec) {
  constexpr double later_strands = 3.0;
  constexpr double spare = 2.0;
  double thickest = 0.0;
  double shortest = std::numeric_limits<double>::max();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    thickest = std::max(thickest, rod.radius);
    shortest = std::min(shortest, element_length(rod));
  }
  const double thinnest = smallest_radius(spec);
  const double skin = skin_per_radius * thinnest;
  const auto blocks = static_cast<double>(block_count(array_elements(spec)));
  double sum = 0.0;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    const double touching = rod.radius + thickest;
    const double window = 2.0 * std::sqrt(skin * (2.0 * touching + skin)) / shortest + 2.0;
    const double blocks_a_strand = 1.0 + std::ceil(window / block_size);
    const double strands = later_strands * 0.5 * (1.0 + rod.radius / thinnest);
    sum += rod.elements * std::min(strands * spare * blocks_a_strand, blocks);
  }
  constexpr double most = 1e8;  // indices of pairs stay within an int
  return static_cast<int>(std::min(sum, most));
}

/// What decides which elements are neighbours, for all entries of a member's arrays.
struct Neighbours {
  std::vector<double> length;   ///< m
  std::vector<double> radius;   ///< m
  std::vector<double> closest;  ///< neighbours across the joint before this element are nearer than this, m
};

/// Elements next to each other along a rod never touch (PHYSICS: the paper does not say how many): those with
/// less than this between them, a half circle as tight as a rod can bend without touching itself, and one
/// element more.
double neighbourhood(double radius, double length) { return 0.8 * M_PI * radius + length; }

/// Where rods of radius r meet at an angle a, their surfaces meet up to r/sin(a/2) from the joint.
double neighbourhood_of_joint(double radius, const Vec3& before, const Vec3& after) {
  constexpr double sharpest = 0.05;  // a rod folded back on its neighbour touches it all along
  const double half_sine = std::sqrt(std::max(0.5 * (1.0 + dot(before, after)), 0.0));
  return 2.0 * radius / std::max(half_sine, sharpest);
}

/// The first element of [i + 1, end) that is no neighbour of element i; `end` if there is none.
int first_beyond_neighbours(const Neighbours& all, int i, int end) {
  const auto here = static_cast<std::size_t>(i);
  double between = 0.0;
  double across_joints = 0.0;
  for (int j = i + 1; j < end; ++j) {
    const auto other = static_cast<std::size_t>(j);
    if (j > i + 1) between += all.length[other - 1];
    across_joints = std::max(across_joints, all.closest[other]);
    const double radius = std::max(all.radius[here], all.radius[other]);
    const double length = std::max(all.length[here], all.length[other]);
    if (between >= std::max(neighbourhood(radius, length), across_joints)) return j;
  }
  return end;
}

void set_first_partners(const MemberSpec& spec, int* first_partner) {
  const std::vector<RodPlace> places = rod_places(spec);
  const auto entries = static_cast<std::size_t>(array_elements(spec));
  std::fill_n(first_partner, entries, static_cast<int>(entries));
  Neighbours all{std::vector(entries, 0.0), std::vector(entries, 0.0), std::vector(entries, 0.0)};
  for (std::size_t k = 0; k < places.size(); ++k) {
    const RodSpec rod = rod_alone(spec, static_cast<int>(k)).rod;
    std::fill_n(all.length.begin() + places[k].first, places[k].elements, element_length(rod));
    std::fill_n(all.radius.begin() + places[k].first, places[k].elements, rod.radius);
    if (places[k].joint == JointKind::none) continue;
    const RodSpec before = rod_alone(spec, static_cast<int>(k) - 1).rod;
    all.closest[static_cast<std::size_t>(places[k].first)] =
        neighbourhood_of_joint(std::max(before.radius, rod.radius), before.direction, rod.direction);
  }
  // Joined rods make one chain; elements of different chains are never neighbours.
  int end = 0;
  for (std::size_t k = places.size(); k-- > 0;) {
    const int rod_end = places[k].first + places[k].elements;
    if (k + 1 == places.size() || places[k + 1].joint == JointKind::none) end = rod_end;
    for (int i = places[k].first; i < rod_end; ++i) first_partner[i] = first_beyond_neighbours(all, i, end);
  }
}

}  // namespace

ContactSize contact_size(const MemberSpec& spec) {
  if (spec.contact.kind == ContactKind::none) return {};
  const int capacity = encounter_capacity(spec);
  return {real_size(array_elements(spec), capacity), integer_size(array_elements(spec), capacity)};
}

Penalty make_penalty(const MemberSpec& spec) {
  Penalty law;
  if (spec.contact.kind == ContactKind::none) return law;
  law.enabled = true;
  law.stiffness = spec.contact.stiffness;
  law.damping = spec.contact.damping;
  law.skin = skin_per_radius * smallest_radius(spec);
  law.view.elements = array_elements(spec);
  law.view.blocks = block_count(law.view.elements);
  law.view.leaves = leaf_count(law.view.elements);
  law.view.capacity = encounter_capacity(spec);
  return law;
}

void build_contact(const MemberSpec& spec, const ContactView& view) {
  constexpr double no_radius = -1e30;  // m
  const std::ptrdiff_t pitch = field_pitch(view.elements);
  std::fill_n(view.reals, lane_array::count * pitch, 0.0);
  std::fill_n(view.lanes(lane_array::radius), pitch - field_front, no_radius);
  std::fill_n(view.integers, list_entry::count, 0);
  std::fill_n(view.element_start(), view.elements + 1, 0);
  set_first_partners(spec, view.first_partner());
}

}  // namespace rodeo::contact
