#include <algorithm>
#include <array>
#include <cmath>

#include "rodeo/math/rotation.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/member/held_motions.hpp"
#include "rodeo/member/set_loads.hpp"

#include "resting_rods.hpp"

namespace rodeo::statics {

namespace {

using tangent::element_unknown;
using tangent::node_unknown;

}  // namespace

bool RestingRods::place(double from, double to) {
  const auto put = [&](bool spread) {
    place_ends(from, to, spread);
    place_motions(from, to, spread);
  };
  has_crossed_ = false;
  if (!contact_ && !ground_.has_solids()) {
    put(true);
    return true;
  }
  const std::vector<Placement> before = state();
  const std::vector<Vec3> nodes = coupling::node_positions(views());
  const std::vector<double> places = node_places();
  for (const bool spread : {true, false}) {
    if (!spread && driven_turn(member_, held_step_, from, to) > most_driven_turn) return false;
    put(spread);
    if (!ground_.is_crossed(views(), nodes) && (!contact_ || contact_->is_clear(places, node_places()))) {
      if (contact_) contact_->look();
      return true;
    }
    restore(before);
  }
  return false;
}

/// Places driven ends. The turn of an end is spread in any case: it moves no node.
void RestingRods::place_ends(double from, double to, bool spread_ways) {
  for (const CosseratRod& r : rods_) {
    const boundary::PrescribedMotion& motion = r.data->motion;
    if (motion.progress(to) == motion.progress(from)) continue;
    spread_driven_ends(*r.data, r.rod, from, to, spread_ways);
    motion.place(OneThread{}, r.rod, to);
  }
  ties_.place(member_.all);
}

void RestingRods::set_loads(double time, double part) {
  load_time_ = time;
  load_part_ = part;
  ground_.set_time(time);
  member_.rods.set_natural_strains(OneThread{}, member_.all, time);
  rodeo::set_loads(member_, time);
  for (const CosseratRod& r : rods_) {
    for (int i = r.first_own_node(); i <= r.rod.elements; ++i) {
      r.rod.set_vec3(field::external_force, i, part * r.rod.vec3(field::external_force, i));
      r.rod.set_vec3(field::external_couple, i, part * r.rod.vec3(field::external_couple, i));
    }
  }
  if (!links_) return;
  member_.rods.clear_ghost_forces(OneThread{}, member_.all);
  links_->add_loads();
  member_.rods.add_ghost_forces(OneThread{}, member_.all);
}

void RestingRods::subtract_loads(const CosseratRod& r, double* gradient) const {
  for (int i = 0; i <= r.rod.elements; ++i) {
    if (i >= r.first_own_node() && i < r.end_of_own_nodes())
      subtract_at(gradient + node_unknown(i), r.rod.vec3(field::external_force, i));
    if (i < r.rod.elements) subtract_at(gradient + element_unknown(i), r.rod.vec3(field::external_couple, i));
  }
}

void RestingRods::balance(std::vector<double>& unbalanced) {
  set_gradient(unbalanced);
  ties_.gather(unbalanced);
  for (double& pull : unbalanced) pull = -pull;
  hold(unbalanced);
}

/// Sets the gradient of the energy less the work of loads: the forces that would hold the rods.
void RestingRods::set_gradient(std::vector<double>& gradient) {
  gradient.resize(unknowns());
  for (const CosseratRod& r : rods_) {
    const std::span<double> own(gradient.data() + r.first, r.size());
    tangent::elastic_gradient(r.rod, r.ends, own);
    ground_.add_gradient(r.rod, own);
    if (r.seam) r.seam->close(own);
    subtract_loads(r, own.data());
  }
  if (!contact_) return;
  std::vector<double> of_contact;
  contact_->find_again(node_places(), of_contact);
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += of_contact[i];
}

}  // namespace rodeo::statics
