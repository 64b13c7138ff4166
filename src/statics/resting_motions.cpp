#include "rodeo/member/held_motions.hpp"
#include "rodeo/member/spread_motions.hpp"
#include "rodeo/tangent/internal_loads.hpp"

#include "resting_rods.hpp"

namespace rodeo::statics {

namespace {

using boundary::Motion;
using boundary::MotionState;

}  // namespace

bool RestingRods::begin_motions(std::int64_t steps) {
  bool released = false;
  const boundary::Motions& motions = member_.motions;
  for (int k = 0; k < motions.count; ++k) {
    const Motion& motion = motions.data[k];
    MotionState& state = motions.states[k];
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
  held_step_ = steps;
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
  for (int k = 0; k < motions.count; ++k) {
    const Motion& motion = motions.data[k];
    if (!motion.acts(held_step_)) continue;
    boundary::Motions::set(motion, motions.states[k], member_.all, motion.at(to, motions.tables).value);
  }
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
  for (int k = 0; k < motions.count; ++k) {
    const Motion& motion = motions.data[k];
    if (!motion.acts(held_step_)) continue;
    const double* const own = gradient.data() + rods_[static_cast<std::size_t>(motion.rod)].first;
    const Vec3 borne = load_part_ * motion.borne_couple(load_time_);
    note_reaction_at_rest(motions, k, force_on_rod(motion, member_.all, own) - borne, from, load_time_);
  }
}

}  // namespace rodeo::statics
