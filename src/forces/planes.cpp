#include "rodeo/forces/planes.hpp"

namespace rodeo::forces {

Planes Planes::of(const MemberSpec& spec, std::vector<double>& tables) {
  Planes planes;
  const Ground surfaces = Ground::surfaces_of(spec);
  planes.wall = surfaces.wall;
  if (spec.ground.response == GroundResponse::springs && are_in(spec.ground)) {
    planes.on_springs = true;
    planes.springs = SurfaceSprings::of(surfaces.wall);
    planes.others = surfaces;
  }
  for (const PlaneSpec& plane : spec.ground.planes) {
    planes.still[planes.still_count++] = {plane.normal, dot(plane.normal, plane.point)};
  }
  const PlatenSpec& platen = spec.ground.platen;
  if (!platen.exists()) return planes;
  planes.has_platen = true;
  planes.point = platen.point;
  planes.normal = platen.normal;
  planes.course = compile_all(platen.course, tables);
  return planes;
}

bool Planes::are_in(const GroundSpec& ground) {
  const bool is_there = ground.has_plane || ground.solid_count > 0;
  return !ground.planes.empty() || ground.platen.exists() ||
         (is_there && ground.response == GroundResponse::springs);
}

int Planes::records(const GroundSpec& ground) {
  const int of_platen = ground.platen.exists() ? static_cast<int>(platen_array::count) : 0;
  if (ground.response == GroundResponse::net_force || !are_in(ground)) return of_platen;
  const int surfaces = (ground.has_plane ? 1 : 0) + static_cast<int>(ground.planes.size()) +
                       ground.solid_count + (ground.platen.exists() ? 1 : 0);
  return of_platen + 1 + surfaces * SurfaceSprings::arrays;
}

}  // namespace rodeo::forces
