#include "rodeo/der/rod_step.hpp"

#include <cmath>

#include "node_entries.hpp"

namespace rodeo::der {

std::vector<double> present(const ConstRodView& rod) {
  std::vector<double> q(static_cast<std::size_t>(degrees_of_freedom(rod.elements)), 0.0);
  for (int i = 0; i <= rod.elements; ++i) set(q.data(), i, rod.vec3(field::position, i));
  return q;
}

void RodStep::start_from_arrays() {
  fill_ghosts();
  start = present(rod);
  for (int i = 0; i < rod.elements; ++i) {
    edge[static_cast<std::size_t>(i)] = get(start.data(), i + 1) - get(start.data(), i);
  }
}

TurnedEdge RodStep::edge_at(const double* q, int i) const {
  return turned_edge(rod.quaternion(i), get(q, i + 1) - get(q, i), q[4 * i + 3]);
}

double RodStep::angle_to(const double* q, int element, const Quaternion& frame) const {
  const Quaternion carried = turned_frame(rod.quaternion(element), edge_at(q, element));
  const Quaternion turn = conjugate(carried) * frame;
  return std::remainder(2.0 * std::atan2(turn.z, turn.w), 2.0 * M_PI);
}

void RodStep::move_by(const double* way) const {
  for (int i = first_own_node(); i <= rod.elements; ++i)
    rod.set_vec3(field::position, i, rod.vec3(field::position, i) + get(way, i));
  for (int i = 0; i < rod.elements; ++i) {
    const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
    const Quaternion frame = rod.quaternion(i);
    rod.set_quaternion(i, turned_frame(frame, turned_edge(frame, edge, way[4 * i + 3])));
  }
  fill_ghosts();
}

void RodStep::accept(const double* q, double step) const {
  const RodView& arrays = rod;
  for (int i = 0; i <= arrays.elements; ++i) {
    arrays.set_vec3(field::velocity, i, (1.0 / step) * (get(q, i) - get(start.data(), i)));
    arrays.set_vec3(field::position, i, get(q, i));
  }
  for (int i = 0; i < arrays.elements; ++i) {
    arrays.set_quaternion(i, turned_frame(arrays.quaternion(i), edge_at(q, i)));
    arrays.set_vec3(field::angular_velocity, i, {0.0, 0.0, q[4 * i + 3] / step});
  }
  fill_ghosts();
}

}  // namespace rodeo::der
