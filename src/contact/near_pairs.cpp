#include "rodeo/contact/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rodeo/contact/cells.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo::contact {

namespace {

/// View of the arrays in these vectors, whose memory stays in place when their owner moves.
ContactView view_of(std::vector<double>& reals, std::vector<int>& integers, std::vector<double>& cells,
                    int elements) {
  ContactView view;
  view.reals = reals.data();
  view.integers = integers.data();
  view.cells = cells.data();
  view.elements = elements;
  return view;
}

}  // namespace

NearPairs::NearPairs(const MemberSpec& spec, const ConstRodView& all, std::vector<ElementPair> left_out)
    : all_(all),
      left_out_(std::move(left_out)),
      radii_(static_cast<std::size_t>(all.elements)),
      reals_(real_size(all.elements)),
      integers_(integer_size(all.elements)),
      cells_(static_cast<std::size_t>(cell_size(all.elements))) {
  const ContactView view = view_of(reals_, integers_, cells_, all.elements);
  build_contact(spec, view);
  double* const radius = view.lanes(lane_array::radius);
  for (const RodPlace& rod : rod_places(spec)) {
    for (int i = rod.first; i < rod.first + rod.elements; ++i)
      radius[i] = all.array(field::contact_radius)[i] / std::sqrt(all.array(field::rest_length)[i]);
  }
  std::copy_n(radius, all.elements, radii_.begin());
}

std::vector<ElementPair> NearPairs::find(double gap) {
  return find(gap, std::vector<double>(radii_.size(), 0.0));
}

std::vector<ElementPair> NearPairs::find(double gap, std::span<const double> moves) {
  const ContactView view = view_of(reals_, integers_, cells_, all_.elements);
  const ConstVec3Array nodes = all_.vec3_array(field::position);
  double* const reach = view.lanes(lane_array::listed_reach);
  for (int i = 0; i < all_.elements; ++i)
    reach[i] = radius(i) + 0.5 * gap + moves[static_cast<std::size_t>(i)];
  set_records(OneThread{}, view, nodes);
  const Grid grid = sort_into_cells(OneThread{}, view, nodes);
  std::vector<ElementPair> pairs;
  for_each_near(OneThread{}, view, grid, [&](int i, const int* others, int count) {
    for (int k = 0; k < count; ++k) {
      const ElementPair pair{std::min(i, others[k]), std::max(i, others[k])};
      if (!std::ranges::binary_search(left_out_, pair)) pairs.push_back(pair);
    }
  });
  std::ranges::sort(pairs);
  return pairs;
}

}  // namespace rodeo::contact
