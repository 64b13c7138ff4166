#include "rodeo/member/changed_member.hpp"

#include <algorithm>

#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/held_motions.hpp"
#include "rodeo/member/placements.hpp"

namespace rodeo {

void ChangedMember::become(const MemberSpec& spec, std::int64_t held_step, double time,
                           MemberArrays& member) {
  const double* const numbers = member.motions.tables;
  const std::vector<double> live(numbers, numbers + LiveNumber::size * spec.control.live_count());
  arrays_.resize(rod_size(member.all.elements, member.all.circular));
  made_.emplace(arrays_.data(), member.all.elements, spec.sections_shrink, member.all.circular);
  build_rods(spec, *made_);
  data_ = make_rod_data(spec);
  take_motions(spec, held_step, live, member);
  actuation_.emplace(spec);
  if (!live.empty()) actuation_->set_live(live);
  for (std::size_t k = 0; k < data_.size(); ++k) data_[k].actuation = actuation_->of_rod(k);
  renew_natural_strains(time);
  const MemberData own = make_member_data(spec, 0, 0);
  member.data.muscle = own.muscle;
  member.data.muscles_differ = own.muscles_differ;
  member.data.actuated = own.actuated;
  member.data.forces = Forces::of(spec, 0);
  member.data.forces.responses = {};
  const std::vector<Placement> before = placements(member.all);
  member.rods = {data_.data(), static_cast<int>(data_.size())};
  std::ranges::copy(arrays_, member.all.base);
  place(before, member.all);
}

void ChangedMember::put_ends(const RodData& data, const RodView& rod, const tangent::ClampedEnds& ends,
                             double time) const {
  const int n = rod.elements;
  const RodView at_rest = data.part(*made_);
  const boundary::PinnedSliding& slides = data.sliding;
  for (const int node : {0, n}) {
    const Vec3 foot = at_rest.vec3(field::position, node);
    if (rod.array(field::velocity_gain)[node] == 0.0) {
      rod.set_vec3(field::position, node, foot);
    } else if (node == 0 ? slides.first : slides.last) {
      const double way = dot(slides.axis, rod.vec3(field::position, node) - foot);
      rod.set_vec3(field::position, node, foot + way * slides.axis);
    }
  }
  if (ends.first) rod.set_quaternion(-1, at_rest.quaternion(-1));
  if (ends.last) rod.set_quaternion(n, at_rest.quaternion(n));
  if (data.motion.duration > 0.0) data.motion.place(OneThread{}, rod, time);
}

/// Sets natural strains to those at a time; rods are built with those at t = 0.
void ChangedMember::renew_natural_strains(double time) {
  for (const RodData& data : data_) {
    if (data.actuation.count > 0) data.actuation.renew_natural_strains(OneThread{}, data.part(*made_), time);
  }
}

void ChangedMember::take_motions(const MemberSpec& spec, std::int64_t held_step,
                                 const std::vector<double>& live, MemberArrays& member) {
  if (member.motions.count == 0) return;
  tables_ = live;
  motions_ = make_motions(spec, tables_);
  member.motions.data = motions_.data();
  member.motions.tables = tables_.data();
  for (std::size_t k = 0; k < motions_.size(); ++k) {
    const boundary::Motion& motion = motions_[k];
    boundary::MotionState& state = member.motions.states[k];
    if (!motion.acts(held_step)) continue;
    if (motion.first_step == 0) {
      const boundary::MotionState before = state;
      member.motions.begin(motion, state, *made_, 0, member.data.step, 0.0);
      state.work = before.work;
      state.rate = before.rate;
      stop(motion, *made_);
    } else if (motion.holds_end()) {
      made_->set_bend_twist_stiffness(motion.region(), motion.stiffness);
    }
  }
}

}  // namespace rodeo
