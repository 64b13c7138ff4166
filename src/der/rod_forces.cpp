#include "rod_forces.hpp"

#include <algorithm>
#include <cmath>

#include "rodeo/der/elastic_energy.hpp"
#include "rodeo/forces/node_drag.hpp"

#include "edge_loads.hpp"
#include "node_entries.hpp"

namespace rodeo::der {

namespace {

/// Resistance of an element to turning in a step of so many seconds.
TurnDrag turn_drag(const RodStep& rod, int i, double step) {
  const double* const start = rod.start.data();
  return {rod.damping.rotational * rod.rod.array(field::rest_length)[i], step,
          get(start, i + 1) - get(start, i), rod.edge[static_cast<std::size_t>(i)]};
}

/// Spin of an element that turns in a step of so many seconds.
TurningSpin turning_spin(const RodStep& rod, int i, double step) {
  const double* const start = rod.start.data();
  return {rod.rod.inertia(i).z, step, get(start, i + 1) - get(start, i)};
}

/// Damping of a node, kg/s.
double node_drag(const RodStep& rod, const forces::DampingLaw& damping, int i) {
  if (i == rod.rod.elements && rod.closure.closed) return 0.0;
  return forces::damping_of_node(damping, rod.rod, i, rod.shares_first_node, rod.shares_last_node,
                                 rod.end_masses);
}

/// Whether a node's entries in the arrays are its own, not counted with another node.
bool is_own(const RodStep& rod, int node) {
  return node >= rod.first_own_node() && node < rod.end_of_own_nodes();
}

/// Damping of an element's turning about its tangent, kg m^2/s.
double twist_drag(const RodStep& rod, const forces::DampingLaw& damping, int i) {
  return forces::damping_of_element(damping, rod.rod, i).z;
}

forces::NodeDrag fluid_drag(const RodStep& rod, int i) {
  return forces::slender_body_drag(rod.rod, i, 0, rod.rod.elements,
                                   [&](int k) { return rod.edge[static_cast<std::size_t>(k)]; });
}

/// Subtracts the derivative of a force on an edge by the edge: of the force on its last node, which is the
/// force, and of that on its first, which is minus the force (`node` is the first one's first row).
void subtract_edge_gradient(BandedMatrix& jacobian, int node, const double (&g)[3][3]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      jacobian.at(node + i, node + j) -= g[i][j];
      jacobian.at(node + 4 + i, node + 4 + j) -= g[i][j];
      jacobian.at(node + i, node + 4 + j) += g[i][j];
      jacobian.at(node + 4 + i, node + j) += g[i][j];
    }
  }
}

bool is_zero(const Vec3& v) { return dot(v, v) == 0.0; }

void add_load_answer(const RodStep& rod, const double* q, double* force) {
  rod.load_answer->for_each([&](int i, int j, double entry) {
    force[i] += entry * (q[j] - rod.start[static_cast<std::size_t>(j)]);
  });
}

/// Adds inertia, the damping of nodes and of the elements' twist, and external forces.
void add_inertia(const RodStep& rod, const double* q, double step, double* force) {
  const double* const mass = rod.rod.array(field::mass);
  const double* const spin = rod.rod.array(field::angular_velocity, 2);
  const double rate = 1.0 / step;
  const double of_inertia = rod.inertia_part * rate;
  const int n = rod.rod.elements;
  for (int i = 0; i <= n; ++i) {
    const double drag = node_drag(rod, rod.damping, i);
    const Vec3 velocity = rate * (get(q, i) - get(rod.start.data(), i));
    add(force, i,
        is_own(rod, i) ? (mass[i] * of_inertia) * (velocity - rod.rod.vec3(field::velocity, i)) +
                             drag * velocity - rod.rod.vec3(field::external_force, i)
                       : drag * velocity);
  }
  for (int i = 0; i < n; ++i) {
    const double now = rate * q[4 * i + 3];
    force[4 * i + 3] +=
        rod.rod.inertia(i).z * of_inertia * (now - spin[i]) + twist_drag(rod, rod.damping, i) * now;
  }
}

void add_inertia_jacobian(const RodStep& rod, double step, BandedMatrix& jacobian) {
  const double* const mass = rod.rod.array(field::mass);
  const double rate = 1.0 / step;
  const double of_inertia = rod.inertia_part * rate;
  const int n = rod.rod.elements;
  for (int i = 0; i <= n; ++i) {
    const double drag = node_drag(rod, rod.damping, i);
    const double own_mass = is_own(rod, i) ? mass[i] : 0.0;
    for (int c = 0; c < 3; ++c) {
      const int row = rod.first + 4 * i + c;
      jacobian.at(row, row) += (own_mass * of_inertia + drag) * rate;
    }
    if (i == n) break;
    const int row = rod.first + 4 * i + 3;
    jacobian.at(row, row) += (rod.rod.inertia(i).z * of_inertia + twist_drag(rod, rod.damping, i)) * rate;
  }
}

void add_fluid_drag(const RodStep& rod, const double* q, double step, double* force) {
  for (int i = 0; i <= rod.rod.elements; ++i) {
    const Vec3 velocity = (1.0 / step) * (get(q, i) - get(rod.start.data(), i));
    add(force, i, fluid_drag(rod, i).times(velocity));
  }
}

void add_fluid_drag_jacobian(const RodStep& rod, double step, BandedMatrix& jacobian) {
  constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i <= rod.rod.elements; ++i) {
    const forces::NodeDrag drag = fluid_drag(rod, i);
    const int node = rod.first + 4 * i;
    for (int c = 0; c < 3; ++c) {
      const Vec3 column = (1.0 / step) * drag.times(axes[c]);
      jacobian.at(node, node + c) += column.x;
      jacobian.at(node + 1, node + c) += column.y;
      jacobian.at(node + 2, node + c) += column.z;
    }
  }
}

/// Adds couples on elements, and the damping of their turning.
void add_edge_loads(const RodStep& rod, const double* q, double step, double* force) {
  for (int i = 0; i < rod.rod.elements; ++i) {
    if (rod.damping.rotational > 0.0) {
      const Vec3 f = turn_drag(rod, i, step).force(get(q, i + 1) - get(q, i));
      add(force, i, f);
      add(force, i + 1, -1.0 * f);
    }
    const SteadyCouple load{rod.couple[static_cast<std::size_t>(i)]};
    if (is_zero(load.couple)) continue;
    const TurnedEdge edge = rod.edge_at(q, i);
    add(force, i, load.force(edge));
    add(force, i + 1, -1.0 * load.force(edge));
    force[4 * i + 3] -= load.moment(edge);
  }
}

void add_edge_load_jacobian(const RodStep& rod, const double* q, double step, BandedMatrix& jacobian) {
  for (int i = 0; i < rod.rod.elements; ++i) {
    const int node = rod.first + 4 * i;
    if (rod.damping.rotational > 0.0) {
      double g[3][3];
      turn_drag(rod, i, step).gradient(g);
      subtract_edge_gradient(jacobian, node, g);
    }
    const SteadyCouple load{rod.couple[static_cast<std::size_t>(i)]};
    if (is_zero(load.couple)) continue;
    Vec3 columns[3];
    Vec3 by_edge;
    load.gradients(rod.edge_at(q, i), columns, by_edge);
    const double g[3][3] = {{columns[0].x, columns[1].x, columns[2].x},
                            {columns[0].y, columns[1].y, columns[2].y},
                            {columns[0].z, columns[1].z, columns[2].z}};
    subtract_edge_gradient(jacobian, node, g);
    const double moment[3] = {by_edge.x, by_edge.y, by_edge.z};
    for (int j = 0; j < 3; ++j) {
      jacobian.at(node + 3, node + 4 + j) -= moment[j];
      jacobian.at(node + 3, node + j) += moment[j];
    }
  }
}

/// Adds the forces of turning spins; elements that do not spin have none, nor have equilibria.
void add_turning_spins(const RodStep& rod, const double* q, double step, double* force) {
  for (int i = 0; i < rod.rod.elements; ++i) {
    const double twist = q[4 * i + 3];
    if (twist == 0.0) continue;
    const Vec3 f = turning_spin(rod, i, step).force(get(q, i + 1) - get(q, i), twist);
    add(force, i, f);
    add(force, i + 1, -1.0 * f);
  }
}

void add_turning_spins_jacobian(const RodStep& rod, const double* q, double step, BandedMatrix& jacobian) {
  for (int i = 0; i < rod.rod.elements; ++i) {
    const int node = rod.first + 4 * i;
    const TurningSpin spin = turning_spin(rod, i, step);
    const Vec3 edge = get(q, i + 1) - get(q, i);
    double g[3][3];
    spin.gradient(edge, q[4 * i + 3], g);
    subtract_edge_gradient(jacobian, node, g);
    const Vec3 by_twist = spin.by_twist(edge);
    const double column[3] = {by_twist.x, by_twist.y, by_twist.z};
    for (int c = 0; c < 3; ++c) {
      jacobian.at(node + c, node + 3) += column[c];
      jacobian.at(node + 4 + c, node + 3) -= column[c];
    }
  }
}

/// Whether an element spins so fast that Newton's method needs the derivatives of the forces of its turning
/// spin. Where these are small beside the inertia of the element's nodes the matrix may stay symmetric.
bool spins_fast(const RodStep& rod, const double* q, double step) {
  constexpr double small_part = 1e-3;
  if (rod.at_rest) return false;
  const double* const mass = rod.rod.array(field::mass);
  const double* const spin = rod.rod.array(field::angular_velocity, 2);
  const int n = rod.rod.elements;
  for (int i = 0; i < n; ++i) {
    const int next = rod.closure.closed && i + 1 == n ? 0 : i + 1;
    const double turn = std::max(std::abs(q[4 * i + 3]), std::abs(step * spin[i]));
    const Vec3& edge = rod.edge[static_cast<std::size_t>(i)];
    const double of_nodes = rod.inertia_part * std::min(mass[i], mass[next]) * dot(edge, edge);
    if (rod.rod.inertia(i).z * turn > small_part * of_nodes) return true;
  }
  return false;
}

void add_node_laws(const RodStep& rod, const double* q, double* force) {
  rod.laws.for_each_held_node(rod.rod.elements, [&](int node, const auto& law) {
    add(force, node, -rod.load_part * law.force(get(q, node)));
  });
}

void add_node_laws_jacobian(const RodStep& rod, const double* q, BandedMatrix& jacobian) {
  rod.laws.for_each_held_node(rod.rod.elements, [&](int node, const auto& law) {
    const Matrix3 derivative = force_derivative(law, get(q, node));
    const int first = rod.first + 4 * node;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) jacobian.at(first + i, first + j) -= rod.load_part * derivative(i, j);
    }
  });
}

void add_load_answer_jacobian(const RodStep& rod, BandedMatrix& jacobian) {
  rod.load_answer->for_each(
      [&](int i, int j, double entry) { jacobian.at(rod.first + i, rod.first + j) += entry; });
}

}  // namespace

void add_forces(const RodStep& rod, const double* q, double step, double* force) {
  add_elastic_gradient(rod.rod, rod.hinges, q, force);
  add_inertia(rod, q, step, force);
  add_edge_loads(rod, q, step, force);
  if (!rod.at_rest) add_turning_spins(rod, q, step, force);
  add_node_laws(rod, q, force);
  if (rod.load_answer) add_load_answer(rod, q, force);
  if (rod.in_fluid) add_fluid_drag(rod, q, step, force);
}

void add_jacobian(const RodStep& rod, const double* q, double step, bool spins, BandedMatrix& jacobian) {
  add_elastic_hessian(rod.rod, rod.hinges, q, jacobian, rod.first, rod.tensions);
  add_inertia_jacobian(rod, step, jacobian);
  add_edge_load_jacobian(rod, q, step, jacobian);
  if (spins && !rod.at_rest) add_turning_spins_jacobian(rod, q, step, jacobian);
  add_node_laws_jacobian(rod, q, jacobian);
  if (rod.load_answer) add_load_answer_jacobian(rod, jacobian);
  if (rod.in_fluid) add_fluid_drag_jacobian(rod, step, jacobian);
}

/// An element's turning about directions across it, (t x change of the edge)/|e|, is resisted besides.
void add_damping(const RodStep& rod, const forces::DampingLaw& damping, const double* velocity,
                 double* force) {
  for (int i = 0; i <= rod.rod.elements; ++i) {
    add(force, i, node_drag(rod, damping, i) * get(velocity, i));
    if (i == rod.rod.elements) break;
    force[4 * i + 3] += twist_drag(rod, damping, i) * velocity[4 * i + 3];
    if (damping.rotational == 0.0) continue;
    const Vec3 edge = rod.rod.vec3(field::position, i + 1) - rod.rod.vec3(field::position, i);
    const TurnDrag drag{damping.rotational * rod.rod.array(field::rest_length)[i], 1.0, {}, edge};
    const Vec3 f = drag.force(get(velocity, i + 1) - get(velocity, i));
    add(force, i, f);
    add(force, i + 1, -1.0 * f);
  }
}

bool has_unsymmetric_loads(const RodStep& rod, const double* q, double step) {
  return rod.load_answer || !std::ranges::all_of(rod.couple, is_zero) || spins_fast(rod, q, step);
}

}  // namespace rodeo::der
