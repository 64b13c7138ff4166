#include "rodeo/member/start_state.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rodeo/contact/build_contact.hpp"
#include "rodeo/contact/cells.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/held_pairs.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "ground_depth.hpp"

namespace rodeo {

namespace {

/// The arrays of a member at t = 0.
struct StartArrays {
  std::vector<RodPlace> places;
  std::vector<double> storage;
  RodView all;

  explicit StartArrays(const MemberSpec& spec)
      : places(rod_places(spec)),
        storage(rod_size(array_elements(spec), spec.has_circular_sections())),
        all(storage.data(), array_elements(spec), spec.sections_shrink, spec.has_circular_sections()) {
    build_rods(spec, all);
  }

  /// Radius of an element, m.
  double radius(int i) const {
    return all.array(field::contact_radius)[i] * std::sqrt(all.array(field::inverse_rest_length)[i]);
  }

  ElementPlace place(int i) const {
    const auto holds = [i](const RodPlace& rod) { return i >= rod.first && i < rod.first + rod.elements; };
    const auto rod = std::ranges::find_if(places, holds);
    return {static_cast<int>(rod - places.begin()), i - rod->first};
  }
};

/// Contact arrays with no room for pairs.
struct StartContact {
  std::vector<double> reals;
  std::vector<int> integers;
  std::vector<double> cells;
  contact::ContactView view;
  std::optional<contact::ElementPair> refused;  ///< by leave_out()

  StartContact(const MemberSpec& spec, const RodView& start)
      : reals(contact::real_size(start.elements)),
        integers(contact::integer_size(start.elements)),
        cells(static_cast<std::size_t>(contact::cell_size(start.elements))),
        view(contact::contact_view(spec)) {
    view.has_friction = false;
    view.is_wide = false;
    view.reals = reals.data();
    view.integers = integers.data();
    view.cells = cells.data();
    contact::build_contact(spec, view);
    const connection::Parts parts = connection::build_connections(spec, start);
    refused = contact::leave_out(held_pairs(spec, start.as_const(), parts), view);
  }
};

}  // namespace

std::optional<StartOverlap> overlap_at_start(const MemberSpec& spec) {
  if (spec.contact.kind != ContactKind::penalty) return std::nullopt;
  const StartArrays start(spec);
  const StartContact contact(spec, start.all);
  const contact::ContactView& view = contact.view;
  const ConstVec3Array node = start.all.vec3_array(field::position);
  double* const radius = view.lanes(contact::lane_array::radius);
  double* const listed_reach = view.lanes(contact::lane_array::listed_reach);
  for (const RodPlace& rod : start.places) {
    for (int i = rod.first; i < rod.first + rod.elements; ++i) listed_reach[i] = radius[i] = start.radius(i);
  }
  contact::set_records(OneThread{}, view, node);
  const contact::Grid grid = contact::sort_into_cells(OneThread{}, view, node);
  std::optional<StartOverlap> worst;
  std::pair<int, int> worst_pair;
  contact::for_each_near(OneThread{}, view, grid, [&](int near, const int* others, int count) {
    for (int k = 0; k < count; ++k) {
      const auto [i, j] = std::minmax(near, others[k]);
      const double distance =
          norm(contact::closest_points(contact::segment(view, i), contact::segment(view, j)).gap);
      const double depth = radius[i] + radius[j] - distance;
      const double thinner = std::min(radius[i], radius[j]);
      if (depth <= most_start_overlap * thinner) continue;
      const bool is_worse =
          !worst || depth > worst->depth ||
          (depth == worst->depth && std::pair(i, j) < worst_pair);  // whatever the order of cells
      if (!is_worse) continue;
      worst = {start.place(i), start.place(j), depth, thinner};
      worst_pair = {i, j};
    }
  });
  return worst;
}

std::optional<HeldPair> held_beside_others(const MemberSpec& spec) {
  if (spec.contact.kind != ContactKind::penalty || spec.connections.empty()) return std::nullopt;
  const StartArrays start(spec);
  const auto pair = StartContact(spec, start.all).refused;
  if (!pair) return std::nullopt;
  return HeldPair{start.place(pair->first), start.place(pair->second)};
}

std::optional<StartDepth> depth_at_start(const MemberSpec& spec) {
  if (!spec.ground.exists()) return std::nullopt;
  GroundSurfaces ground(spec);
  const StartArrays start(spec);
  const ConstRodView all = start.all.as_const();
  std::optional<StartDepth> worst;
  if (!ground.look_at(all, 0.0)) return worst;
  for (const RodPlace& rod : start.places) {
    for (int i = rod.first; i < rod.first + rod.elements; ++i) {
      const double radius = start.radius(i);
      const double depth = ground.depth(all, i, radius, 0.0);
      if (depth <= most_start_overlap * radius || (worst && depth <= worst->depth)) continue;
      worst = {start.place(i), depth, radius};
    }
  }
  return worst;
}

}  // namespace rodeo
