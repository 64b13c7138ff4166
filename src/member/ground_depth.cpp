#include "ground_depth.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "rodeo/member/start_state.hpp"
#include "rodeo/observe/trajectory_fields.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

GroundSurfaces::GroundSurfaces(const MemberSpec& spec)
    : surfaces_(forces::Ground::surfaces_of(spec)),
      tables_(spec.control.live_at_start()),
      further_(forces::FurtherGround::of(spec, tables_)) {}

forces::Plane GroundSurfaces::platen(double time) const {
  return further_.has_platen ? further_.platen(time, tables_.data()) : forces::Plane{};
}

bool GroundSurfaces::look_at(const ConstRodView& all, double time) {
  return reach_.look_at(all, surfaces_, &further_, platen(time)).has_any();
}

double GroundSurfaces::depth(const ConstRodView& all, int element, double radius, double time) const {
  double deepest = surfaces_.depth(all, element, radius, reach_);
  const auto capsule =
      tangent::Capsule::tapered(all.vec3(field::position, element), all.vec3(field::position, element + 1),
                                radius, all.array(field::half_taper)[element]);
  const auto look = [&](const forces::Plane& plane, int bit) {
    if (reach_.has(bit)) deepest = std::max(deepest, -tangent::gap(plane, capsule));
  };
  for (int k = 0; k < further_.still_count; ++k) look(further_.still[k], forces::surface_bit::still + k);
  look(platen(time), forces::surface_bit::platen);
  return deepest;
}

MemberStatus GroundDepth::slice(const Look& look) {
  measure(look);
  return MemberStatus::pending;
}

void GroundDepth::measure(const Glance& look) {
  if (!surfaces_) return;
  surfaces_->set_live(look.live);
  const bool is_first = !std::exchange(has_looked_, true);
  const ConstRodView all = look.rods.all();
  if (!surfaces_->look_at(all, look.time())) return;
  for (const RodPlace& rod : look.places) {
    for (int i = rod.first; i < rod.first + rod.elements; ++i) {
      const double radius = observe::detail::element_radius(all, i);
      const double depth = surfaces_->depth(all, i, radius, look.time()) / radius;
      if (is_first && depth > most_start_overlap) in_at_first_.push_back(i);
      if (depth > deepest_ && !std::ranges::binary_search(in_at_first_, i)) deepest_ = depth;
    }
  }
}

}  // namespace rodeo
