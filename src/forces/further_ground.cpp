#include "rodeo/forces/further_ground.hpp"

#include <algorithm>

namespace rodeo::forces {

FurtherGround FurtherGround::of(const MemberSpec& spec, std::vector<double>& tables) {
  FurtherGround further;
  const Ground surfaces = Ground::surfaces_of(spec);
  further.wall = surfaces.wall;
  if (spec.ground.response == GroundResponse::springs && is_in(spec.ground)) {
    further.on_springs = true;
    further.springs = SurfaceSprings::of(surfaces.wall);
    further.others = surfaces;
  } else if (has_solid(spec.ground)) {
    further.others = surfaces;
    further.others.has_plane = false;
  }
  for (const PlaneSpec& plane : spec.ground.planes) {
    further.still[further.still_count++] = {plane.normal, dot(plane.normal, plane.point)};
  }
  const PlatenSpec& platen = spec.ground.platen;
  if (!platen.exists()) return further;
  further.has_platen = true;
  further.point = platen.point;
  further.normal = platen.normal;
  further.course = compile_all(platen.course, tables);
  return further;
}

bool FurtherGround::is_in(const GroundSpec& ground) {
  const bool is_there = ground.has_plane || ground.solid_count > 0;
  return !ground.planes.empty() || ground.platen.exists() || has_solid(ground) ||
         (is_there && ground.response == GroundResponse::springs);
}

bool FurtherGround::has_solid(const GroundSpec& ground) {
  return std::any_of(ground.solids.begin(), ground.solids.begin() + ground.solid_count,
                     [](const SolidSpec& solid) { return solid.radius > 0.0; });
}

int FurtherGround::records(const GroundSpec& ground) {
  const int of_platen = ground.platen.exists() ? static_cast<int>(platen_array::count) : 0;
  if (!is_in(ground)) return of_platen;
  if (ground.response == GroundResponse::net_force) return of_platen + (has_solid(ground) ? 1 : 0);
  const int surfaces = (ground.has_plane ? 1 : 0) + static_cast<int>(ground.planes.size()) +
                       ground.solid_count + (ground.platen.exists() ? 1 : 0);
  return of_platen + SurfaceSprings::arrays_of_counts + surfaces * SurfaceSprings::arrays;
}

}  // namespace rodeo::forces
