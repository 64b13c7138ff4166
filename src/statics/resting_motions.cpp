#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/held_ends.hpp"
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

/// Gives what a motion holds no velocity.
void RestingRods::stop(const Motion& motion, const RodView& all) {
  if (motion.kind == MotionKind::node) all.set_vec3(field::velocity, motion.place, {});
  if (motion.kind == MotionKind::node && motion.ghost >= 0) all.set_vec3(field::velocity, motion.ghost, {});
  if (motion.kind == MotionKind::element) all.set_vec3(field::angular_velocity, motion.place, {});
}

void RestingRods::hold_places(std::int64_t steps) {
  find_held(steps);
  note_slow_inertia();
}

void RestingRods::find_held(std::int64_t steps) {
  held_step_ = steps;
  for (std::size_t k = 0; k < rods_.size(); ++k) {
    RestingRod& r = rods_[k];
    r.held = held_ends(*r.data, r.rod.as_const());
    r.ends = r.seam ? tangent::Seam::ends : tangent::ClampedEnds{r.data->clamp.first, r.data->clamp.last};
    if (r.seam) r.held.add_node(r.rod.elements);  // node 0 once more
    hold_motions(member_.motions, steps, static_cast<int>(k), r.ends, r.held);
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
  place_ties();
  for (const RestingRod& r : rods_) {
    if (r.seam) r.data->closure.fill_ghosts(r.rod);
  }
}

void RestingRods::note_reactions(double from) {
  const boundary::Motions& motions = member_.motions;
  if (motions.count == 0) return;
  std::vector<double> gradient;
  set_gradient(gradient);
  for (const RestingRod& r : rods_) tangent::set_internal_loads(r.rod, r.ends);
  for (int k = 0; k < motions.count; ++k) {
    const Motion& motion = motions.data[k];
    if (!motion.acts(held_step_)) continue;
    const double* const own = gradient.data() + rods_[static_cast<std::size_t>(motion.rod)].first;
    note_reaction(motions, k, reaction_on(motion, member_.all, own), from, load_time_, false);
  }
}

/// Motions that begin at t = 0 begin from where such rods stand then.
void RestingRods::take_motions(const MemberSpec& spec, const RodView& made) {
  if (member_.motions.count == 0) return;
  own_tables_.clear();
  own_motions_ = make_motions(spec, own_tables_);
  member_.motions.data = own_motions_.data();
  member_.motions.tables = own_tables_.data();
  for (std::size_t k = 0; k < own_motions_.size(); ++k) {
    const Motion& motion = own_motions_[k];
    MotionState& state = member_.motions.states[k];
    if (!motion.acts(held_step_)) continue;
    if (motion.first_step == 0) {
      const MotionState before = state;
      member_.motions.begin(motion, state, made, 0, member_.data.step, 0.0);
      state.work = before.work;
      state.rate = before.rate;
      stop(motion, made);
    } else if (motion.holds_end()) {
      made.set_bend_twist_stiffness(motion.region(), motion.stiffness);
    }
  }
}

}  // namespace rodeo::statics
