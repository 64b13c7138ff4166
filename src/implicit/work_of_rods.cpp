#include <algorithm>

#include "rodeo/math/rotation.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/member/set_loads.hpp"

#include "moving_rods.hpp"

// Work of the loads on a member's rods in a step.

namespace rodeo::implicit {

namespace {

using tangent::element_unknown;
using tangent::node_unknown;

}  // namespace

void MovingRods::read_sources(double time, std::vector<double>& loads) {
  set_loads(member_, time);
  loads.assign(unknowns(), 0.0);
  for (const CosseratRod& r : rods_) {
    double* const own = r.of(loads);
    for (int i = 0; i <= r.rod.elements; ++i) {
      const bool is_own = i >= r.first_own_node() && i < r.end_of_own_nodes();
      if (is_own) set_at(own + node_unknown(i), force(r, i));
      if (i < r.rod.elements) set_at(own + element_unknown(i), couple(r, i));
    }
  }
}

double MovingRods::work_of_sources(const std::vector<double>& loads) const {
  double work = 0.0;
  for (const CosseratRod& r : rods_) {
    const double* const own = r.of(loads);
    for (int i = 0; i <= r.rod.elements; ++i) {
      work += dot(three_at(own + node_unknown(i)), r.rod.vec3(field::position, i) - start_position(r, i));
      if (i == r.rod.elements) break;
      const Vec3 turn = rotation_vector(conjugate(start_orientation(r, i)) * r.rod.quaternion(i));
      work += dot(three_at(own + element_unknown(i)), turn);
    }
  }
  return work;
}

double MovingRods::work_of_pressing(const std::vector<double>& forces) const {
  double work = 0.0;
  for (const CosseratRod& r : rods_) {
    const double* const own = r.of(forces);
    for (int i = 0; i <= r.rod.elements; ++i) {
      if (!ties_.leads(static_cast<int>(r.first) + node_unknown(i))) continue;
      work += dot(three_at(own + node_unknown(i)), r.rod.vec3(field::position, i) - start_position(r, i));
    }
  }
  return work;
}

double MovingRods::change_of_natural_strains(double from, double to) {
  const auto strains_stay = [](const RodData& rod) {
    return rod.actuation.count == 0 || rod.actuation.strains_stay;
  };
  if (!member_.data.actuated || std::all_of(member_.rods.begin(), member_.rods.end(), strains_stay))
    return 0.0;
  const auto energy_at = [&](double time) {
    member_.rods.set_natural_strains(OneThread{}, member_.all, time);
    const Sample now = sums({});
    return now.bend_energy + now.twist_energy + now.shear_energy;
  };
  const double before = energy_at(from);
  return energy_at(to) - before;
}

}  // namespace rodeo::implicit
