#include <algorithm>
#include <array>
#include <cmath>

#include "rodeo/math/rotation.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/member/held_motions.hpp"
#include "rodeo/member/set_loads.hpp"
#include "rodeo/member/spread_motions.hpp"
#include "rodeo/tangent/internal_loads.hpp"

#include "resting_rods.hpp"

namespace rodeo::statics {

using tangent::element_unknown;
using tangent::node_unknown;

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

bool RestingRods::begin_motions(std::int64_t steps) {
  bool released = false;
  const boundary::Motions& motions = member_.motions;
  for (int k = 0; k < motions.count; ++k) {
    const boundary::Motion& motion = motions.data[k];
    boundary::MotionState& state = motions.states[k];
    const bool begins = steps == motion.first_step && state.begun == 0;
    released = released || steps == motion.last_step;
    change_hold(member_, k, steps);
    if (begins) state.work = 0.0;  // of motion, which there is none
    if (motion.acts_or_ends(steps)) stop(motion, member_.all);
  }
  hold_places(steps);
  return released;
}

void RestingRods::hold_places(std::int64_t steps) {
  hold_at(steps);
  note_slow_inertia();
}

void RestingRods::hold_at(std::int64_t steps) {
  find_held(steps);
  for (CosseratRod& r : rods_) {
    if (r.seam) r.held.add_node(r.rod.elements);  // node 0 once more
  }
}

void RestingRods::place_motions(double from, double to, bool spread) {
  const boundary::Motions& motions = member_.motions;
  if (motions.count == 0) return;
  for (std::size_t k = 0; spread && k < rods_.size(); ++k)
    spread_motions(motions, held_step_, static_cast<int>(k), *rods_[k].data, rods_[k].rod, from, to);
  set_motions(to);
  ties_.place(member_.all);
  for (const CosseratRod& r : rods_) {
    if (r.seam) r.data->closure.fill_ghosts(r.rod);
  }
}

/// Sets the loads anew: on a branch the arrays are those of a member that has just been made.
void RestingRods::note(double from) {
  if (member_.motions.count > 0) set_loads(load_time_, load_part_);
  if (!record_.empty()) record_platen(from);
  note_reactions(from);
}

void RestingRods::note_reactions(double from) {
  const boundary::Motions& motions = member_.motions;
  if (motions.count == 0) return;
  std::vector<double> gradient;
  set_gradient(gradient);
  for (const CosseratRod& r : rods_) tangent::set_internal_loads(r.rod, r.ends);
  for_each_motion([&](int k, const boundary::Motion& motion) {
    const double* const own = gradient.data() + rods_[static_cast<std::size_t>(motion.rod)].first;
    const Vec3 borne = load_part_ * motion.borne_couple(load_time_);
    note_reaction_at_rest(motions, k, force_on_rod(motion, member_.all, own) - borne, from, load_time_);
  });
}

}  // namespace rodeo::statics
