#include "rodeo/forces/planes.hpp"

#include "rodeo/forces/ground.hpp"

namespace rodeo::forces {

Planes Planes::of(const MemberSpec& spec, std::vector<double>& tables) {
  Planes planes;
  planes.wall = Ground::of(spec).wall;
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

}  // namespace rodeo::forces
