#include "rodeo/contact/build_contact.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/rod/initial_shape.hpp"

namespace rodeo::contact {

namespace {

double largest_radius(const RodSpec& rod) { return rod.radius * std::max(1.0, rod.end_radius_ratio); }

/// Encounters there is room for: a rod packed like a hexagonal bundle has six strands around each element,
/// half of which are later ones. Elements of a strand are within reach along a window of its length, which
/// covers some blocks; twice that leaves room for elements pressed into each other. No element has more
/// encounters than blocks.
int encounter_capacity(const RodSpec& rod) {
  constexpr double later_strands = 3.0;
  constexpr double spare = 2.0;
  constexpr double reach = 2.0 + skin_per_radius;
  const double radius_in_elements = largest_radius(rod) / shortest_element(rod);
  const double window = 2.0 * std::sqrt(reach * reach - 4.0) * radius_in_elements + 2.0;
  const double blocks_a_strand = 1.0 + std::ceil(window / block_size);
  const double an_element =
      std::min(later_strands * spare * blocks_a_strand, static_cast<double>(block_count(rod.elements)));
  constexpr double most = 1e8;  // indices of pairs stay within an int
  return static_cast<int>(std::min(an_element * rod.elements, most));
}

/// Next neighbours along the rod that never touch (PHYSICS: the paper does not say): a half circle as tight
/// as a rod can bend without touching itself, and one more.
int skipped_neighbours(const RodSpec& rod) {
  const double count = std::ceil(0.8 * M_PI * largest_radius(rod) / shortest_element(rod)) + 1.0;
  return static_cast<int>(std::min(count, static_cast<double>(rod.elements)));
}

}  // namespace

ContactSize contact_size(const MemberSpec& spec) {
  if (spec.contact.kind == ContactKind::none) return {};
  const int capacity = encounter_capacity(spec.rod);
  return {real_size(spec.rod.elements, capacity), integer_size(spec.rod.elements, capacity)};
}

Penalty make_penalty(const MemberSpec& spec) {
  Penalty law;
  if (spec.contact.kind == ContactKind::none) return law;
  law.enabled = true;
  law.stiffness = spec.contact.stiffness;
  law.damping = spec.contact.damping;
  law.skin = skin_per_radius * largest_radius(spec.rod);
  law.skipped = skipped_neighbours(spec.rod);
  law.view.elements = spec.rod.elements;
  law.view.blocks = block_count(spec.rod.elements);
  law.view.leaves = leaf_count(spec.rod.elements);
  law.view.capacity = encounter_capacity(spec.rod);
  return law;
}

void build_contact(const ContactView& view) {
  constexpr double no_radius = -1e30;  // m
  const std::ptrdiff_t pitch = field_pitch(view.elements);
  std::fill_n(view.reals, lane_array::count * pitch, 0.0);
  std::fill_n(view.lanes(lane_array::radius), pitch - field_front, no_radius);
  std::fill_n(view.integers, list_entry::count, 0);
  std::fill_n(view.element_start(), view.elements + 1, 0);
}

}  // namespace rodeo::contact
