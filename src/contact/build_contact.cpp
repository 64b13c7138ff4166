#include "rodeo/contact/build_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rodeo/contact/pair_rooms.hpp"
#include "rodeo/rod/rod_places.hpp"
#include "rodeo/rod/rod_properties.hpp"

namespace rodeo::contact {

namespace {

constexpr int most_pairs = 1'000'000'000;  // indices of pairs stay within an int

double largest_radius(const RodSpec& rod) { return rod.radius * std::max(1.0, rod.end_radius_ratio); }

/// Pairs there is room for on a device: a rod packed like a hexagonal bundle has six strands around each
/// element, half of which are later ones, and more where other rods are thinner. Elements of a strand are
/// within reach along a window of its length; twice that leaves room for elements pressed into each other. No
/// element has more partners than there are elements.
[[maybe_unused]] int largest_list(const MemberSpec& spec) {
  constexpr double later_strands = 3.0;
  constexpr double spare = 2.0;
  double thickest = 0.0;
  double shortest = std::numeric_limits<double>::max();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    thickest = std::max(thickest, largest_radius(rod));
    shortest = std::min(shortest, shortest_element(rod));
  }
  const double thinnest = smallest_radius(spec);
  constexpr double usual_margin = 0.1;  // of those that move
  const double skin = 2.0 * usual_margin * thinnest;
  const double elements = array_elements(spec);
  double sum = 0.0;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    const double touching = largest_radius(rod) + thickest;
    const double window = 2.0 * std::sqrt(skin * (2.0 * touching + skin)) / shortest + 2.0;
    const double strands = later_strands * 0.5 * (1.0 + largest_radius(rod) / thinnest);
    sum += rod.elements * std::min(std::ceil(strands * spare * window), elements);
  }
  return static_cast<int>(std::min(sum, static_cast<double>(most_pairs)));
}

/// Criteria for neighbouring elements, for all entries of a member's arrays.
struct Neighbours {
  std::vector<double> length;   ///< m
  std::vector<double> radius;   ///< m
  std::vector<double> closest;  ///< neighbours across the joint before this element are nearer than this, m
};

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

/// Later elements that each element may touch (ContactView).
struct Partners {
  int* first;
  int* seam_begin;
  int* seam_end;
};

/// Elements at the end of a closed rod are neighbours of those at its beginning.
void set_partners_across_seam(const Neighbours& all, int begin, int end, const Partners& partners) {
  const auto at = [&](int i) { return static_cast<std::size_t>(i); };
  for (int i = begin; i < end; ++i) {
    double before = 0.0;  // between the first element and i
    for (int j = begin; j < i; ++j) before += all.length[at(j)];
    double between = before;
    int first_neighbour = end;
    while (first_neighbour - 1 > i) {
      const int j = first_neighbour - 1;
      const double radius = std::max(all.radius[at(i)], all.radius[at(j)]);
      const double length = std::max(all.length[at(i)], all.length[at(j)]);
      if (between >= neighbourhood(radius, length)) break;
      between += all.length[at(j)];
      first_neighbour = j;
    }
    if (first_neighbour == end) break;
    partners.seam_begin[i] = first_neighbour;
    partners.seam_end[i] = end;
  }
}

void set_partners(const MemberSpec& spec, const Partners& partners) {
  const std::vector<RodPlace> places = rod_places(spec);
  const auto entries = static_cast<std::size_t>(array_elements(spec));
  for (int* const limit : {partners.first, partners.seam_begin, partners.seam_end})
    std::fill_n(limit, entries, static_cast<int>(entries));
  Neighbours all{std::vector(entries, 0.0), std::vector(entries, 0.0), std::vector(entries, 0.0)};
  InitialShape before;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const RodSpec rod = rod_alone(spec, static_cast<int>(k)).rod;
    InitialShape shape = initial_shape(rod);
    const std::vector<double> radii = rod_properties(rod, shape).radii;
    const auto first = static_cast<std::size_t>(places[k].first);
    std::ranges::copy(shape.rest_lengths, all.length.begin() + places[k].first);
    std::ranges::copy(radii, all.radius.begin() + places[k].first);
    if (places[k].joint != JointKind::none) {
      all.closest[first] = neighbourhood_of_joint(std::max(all.radius[first - 1], all.radius[first]),
                                                  directors(before.frames[before.frames.size() - 2]).d3,
                                                  directors(shape.frames[1]).d3);
    }
    before = std::move(shape);
  }
  // Joined rods make one chain; elements of different chains are never neighbours.
  int end = 0;
  for (std::size_t k = places.size(); k-- > 0;) {
    const int rod_end = places[k].first + places[k].elements;
    if (k + 1 == places.size() || places[k + 1].joint == JointKind::none) end = rod_end;
    for (int i = places[k].first; i < rod_end; ++i) partners.first[i] = first_beyond_neighbours(all, i, end);
    if (rod_alone(spec, static_cast<int>(k)).rod.closed) {
      set_partners_across_seam(all, places[k].first, rod_end, partners);
    }
  }
}

}  // namespace

double neighbourhood(double radius, double length) { return 0.8 * M_PI * radius + length; }

double neighbourhood_of_joint(double radius, const Vec3& before, const Vec3& after) {
  constexpr double sharpest = 0.05;  // a rod folded back on its neighbour touches it all along
  const double half_sine = std::sqrt(std::max(0.5 * (1.0 + dot(before, after)), 0.0));
  return 2.0 * radius / std::max(half_sine, sharpest);
}

ContactSize contact_size(const MemberSpec& spec) {
  if (spec.contact.kind != ContactKind::penalty) return {};
  const ContactView view = contact_view(spec);
  return {real_size(view.elements, view.has_friction, view.is_wide),
          integer_size(view.elements, view.has_friction)};
}

ContactView contact_view(const MemberSpec& spec) {
  ContactView view;
  view.elements = array_elements(spec);
  view.has_friction = spec.contact.kind == ContactKind::penalty && spec.contact.friction > 0.0;
  view.is_wide = spec.single_precision;
  return view;
}

int pairs_at_start(const MemberSpec& spec) {
  if (spec.contact.kind != ContactKind::penalty) return 0;
  const int elements = array_elements(spec);
  if constexpr (!PairRooms::memory_is_on_host) {
    // Enough room to list anew any number of pairs.
    const auto enough = static_cast<int>(cell_size(elements) / (pair_record::count - of_spring) + 2);
    return std::max(largest_list(spec), enough);
  }
  return static_cast<int>(pairs_to_list(elements, 0));
}

std::size_t pair_memory(const MemberSpec& spec) {
  const bool has_friction = contact_view(spec).has_friction;
  return static_cast<std::size_t>(pairs_at_start(spec)) *
         (pair_reals(has_friction) * sizeof(double) + pair_integers * sizeof(int));
}

void build_contact(const MemberSpec& spec, const ContactView& view) {
  constexpr double no_radius = -1e30;  // m
  const std::size_t reals = real_size(view.elements, view.has_friction, view.is_wide);
  std::fill_n(view.reals, reals, 0.0);
  std::fill_n(view.lanes(lane_array::radius), field_pitch(view.elements) - field_front, no_radius);
  std::fill_n(view.integers, integer_size(view.elements, view.has_friction), 0);
  set_partners(spec, {view.first_partner(), view.seam_begin(), view.seam_end()});
}

std::optional<ElementPair> leave_out(std::span<const ElementPair> pairs, const ContactView& view) {
  for (const ElementPair& pair : pairs) {
    int& begin = view.seam_begin()[pair.first];
    int& end = view.seam_end()[pair.first];
    const int j = pair.second;
    if (j < view.first_partner()[pair.first] || (j >= begin && j < end)) continue;
    if (begin == end) {
      begin = j;
      end = j + 1;
    } else if (j == end) {
      ++end;
    } else if (j == begin - 1) {
      --begin;
    } else {
      return pair;
    }
  }
  return std::nullopt;
}

}  // namespace rodeo::contact
