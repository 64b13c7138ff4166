#include "moving_rods.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rodeo/math/vec3.hpp"
#include "rodeo/member/held_motions.hpp"
#include "rodeo/member/set_loads.hpp"
#include "rodeo/tangent/internal_loads.hpp"

namespace rodeo::implicit {

namespace {

using tangent::element_unknown;
using tangent::node_unknown;

void add(const RodView& rod, int f, int i, const Vec3& load) { rod.set_vec3(f, i, rod.vec3(f, i) + load); }

/// Drag of a fluid on a node, by the present lengths of its elements.
forces::NodeDrag fluid_drag(const CosseratRod& r, int node) {
  const auto edge = [&](int i) {
    return r.rod.vec3(field::position, i + 1) - r.rod.vec3(field::position, i);
  };
  const int end = r.seam || r.shares_last_node ? r.rod.elements + 1 : r.rod.elements;
  return forces::slender_body_drag(r.rod, node, r.seam ? -1 : 0, end, edge);
}

}  // namespace

MovingRods::MovingRods(const MemberSpec& spec, const MemberArrays& arrays)
    : CosseratRods(spec, arrays),
      pressing_(spec, arrays.all, ties_),
      start_(static_cast<std::size_t>(arrays.all.elements + 2)) {
  for (CosseratRod& r : rods_) r.in_fluid = spec.fluid.acts_by(FluidKind::slender_body);
  if (spec.fluid.acts_by(FluidKind::stokeslets)) {
    std::vector<RodView> views;
    for (const CosseratRod& r : rods_) views.push_back(r.rod);
    stokeslets_.emplace(spec, std::move(views));
  }
  ties_.spread(inertia_);
}

bool MovingRods::fit_in_lanes() const {
  constexpr int most_elements = 1000;  // data of eight longer rods exceed the caches near a core
  const CosseratRod& r = rods_.front();
  return rods_.size() == 1 && r.rod.elements <= most_elements && !r.seam && !links_ && !contacts() &&
         !stokeslets_ && !has_motions() && r.data->motion.duration == 0.0;
}

bool MovingRods::begin_motions(std::int64_t steps) {
  if (!has_motions()) return false;
  bool changes = false;
  for (int k = 0; k < member_.motions.count; ++k) {
    const bool changed = change_hold(member_, k, steps);
    changes = changes || changed;
  }
  const bool is_known = held_step_ >= 0 && !changes;
  held_step_ = steps;
  if (!is_known) find_held(steps);
  return changes;
}

/// A reaction balances the forces on its node or element and accelerates it along its course: by the mean
/// acceleration over a step, so that a jump of velocity is not missed. Its work is that against the mean
/// force of the step plus the kinetic energy gained, which includes jumps wherever they are.
void MovingRods::note_reactions(double end, double step, std::vector<double>& pull) {
  for (double& load : pull) load = -load;
  for (const CosseratRod& r : rods_) tangent::set_internal_loads(r.rod, r.ends);
  const double start = end - step;
  pulls_.resize(static_cast<std::size_t>(member_.motions.count));
  const auto rod_of = [&](const boundary::Motion& motion) -> const CosseratRod& {
    return rods_[static_cast<std::size_t>(motion.rod)];
  };
  std::vector<double> works(pulls_.size());
  most_work_of_motions_ = 0.0;
  for_each_motion([&](int k, const boundary::Motion& motion) {
    const Vec3 now = force_on_rod(motion, member_.all, rod_of(motion).of(std::as_const(pull)));
    const double since = start - static_cast<double>(motion.first_step) * member_.data.step;
    Vec3& before = pulls_[static_cast<std::size_t>(k)];
    if (since < 0.5 * step) before = now;
    const double at_start = work_on_way(member_.motions, k, before, start, end);
    const double at_end = work_on_way(member_.motions, k, now, start, end);
    const double gain = kinetic_gain(motion);
    const Vec3 borne = 0.5 * (motion.borne_couple(start) + motion.borne_couple(end));
    works[static_cast<std::size_t>(k)] =
        0.5 * (at_start + at_end) + gain - work_on_way(member_.motions, k, borne, start, end);
    most_work_of_motions_ += std::max(at_start, 0.0) + std::max(at_end, 0.0) + gain;
    before = now;
  });
  for_each_motion([&](int, const boundary::Motion& motion) { add_inertia(motion, end, step, pull); });
  for_each_motion([&](int k, const boundary::Motion& motion) {
    const double* const own = rod_of(motion).of(std::as_const(pull));
    const Vec3 reaction = force_on_rod(motion, member_.all, own) - motion.borne_couple(end);
    note_reaction(member_.motions, k, reaction, works[static_cast<std::size_t>(k)], end);
  });
}

void MovingRods::add_inertia(const boundary::Motion& motion, double end, double step,
                             std::vector<double>& pull) const {
  const auto rate_at = [&](double time) { return motion.at(time, member_.motions.tables).rate; };
  const Vec3 change = (1.0 / step) * (rate_at(end + 0.5 * step) - rate_at(end - 0.5 * step));
  const CosseratRod& r = rods_[static_cast<std::size_t>(motion.rod)];
  const int index = motion.place - motion.rod_first;
  double* const own = r.of(pull);
  if (motion.kind == MotionKind::node) {
    const Vec3 inertial = r.rod.array(field::mass)[index] * motion.held_part(change, {});
    add_at(own + node_unknown(index), inertial);
  } else if (motion.kind == MotionKind::element) {
    const Vec3 turn = change.x * directors(r.rod.quaternion(index)).to_body(motion.axis);
    const Vec3 inertia = r.rod.inertia(index);
    add_at(own + element_unknown(index), {inertia.x * turn.x, inertia.y * turn.y, inertia.z * turn.z});
  }
}

double MovingRods::kinetic_gain(const boundary::Motion& motion) const {
  const Entry& before = start_[place(motion.place)];
  const int index = motion.place - motion.rod_first;
  const RodView& rod = rods_[static_cast<std::size_t>(motion.rod)].rod;
  if (motion.kind == MotionKind::node) {
    const Vec3 was = motion.held_part(before.velocity, {});
    const Vec3 is = motion.held_part(rod.vec3(field::velocity, index), {});
    return 0.5 * rod.array(field::mass)[index] * dot(is - was, is + was);
  }
  if (motion.kind != MotionKind::element) return 0.0;
  const Vec3 inertia = rod.inertia(index);
  const auto energy = [&](const Vec3& w) {
    return 0.5 * (inertia.x * w.x * w.x + inertia.y * w.y * w.y + inertia.z * w.z * w.z);
  };
  return energy(rod.vec3(field::angular_velocity, index)) - energy(before.angular_velocity);
}

void MovingRods::start() {
  free_regions();
  most_work_of_motions_ = 0.0;
  const RodView& all = member_.all;
  for (int i = -1; i <= all.elements; ++i) {
    start_[static_cast<std::size_t>(i + 1)] = {all.vec3(field::position, i), all.quaternion(i),
                                               all.vec3(field::velocity, i),
                                               all.vec3(field::angular_velocity, i)};
  }
}

void MovingRods::restore() {
  free_regions();
  const RodView& all = member_.all;
  for (int i = -1; i <= all.elements; ++i) {
    const Entry& entry = start_[static_cast<std::size_t>(i + 1)];
    all.set_vec3(field::position, i, entry.position);
    all.set_quaternion(i, entry.orientation);
    all.set_vec3(field::velocity, i, entry.velocity);
    all.set_vec3(field::angular_velocity, i, entry.angular_velocity);
  }
}

void MovingRods::place_ties() const {
  for (const coupling::Ties::Follower& f : ties_.followers()) {
    for (const int what : {field::position, field::velocity})
      member_.all.set_vec3(what, f.entry, member_.all.vec3(what, f.leader_entry));
  }
  for (const CosseratRod& r : rods_) {
    if (r.seam) r.data->closure.fill_ghosts(r.rod);
  }
}

void MovingRods::read_rates(std::vector<double>& rates) const {
  rates.resize(unknowns());
  for (const CosseratRod& r : rods_) {
    double* const own = r.of(rates);
    for (int i = 0; i <= r.rod.elements; ++i) {
      set_at(own + node_unknown(i), r.rod.vec3(field::velocity, i));
      if (i < r.rod.elements) set_at(own + element_unknown(i), r.rod.vec3(field::angular_velocity, i));
    }
  }
}

void MovingRods::write_rates(const std::vector<double>& rates) {
  for (const CosseratRod& r : rods_) {
    const double* const own = r.of(rates);
    for (int i = 0; i <= r.rod.elements; ++i) {
      r.rod.set_vec3(field::velocity, i, three_at(own + node_unknown(i)));
      if (i < r.rod.elements) r.rod.set_vec3(field::angular_velocity, i, three_at(own + element_unknown(i)));
    }
  }
}

void MovingRods::set_time(double time) {
  if (member_.data.actuated) member_.rods.set_natural_strains(OneThread{}, member_.all, time);
  for (const CosseratRod& r : rods_) {
    if (r.data->motion.duration > 0.0) r.data->motion.place(OneThread{}, r.rod, time);
  }
  set_motions(time);
  place_ties();
}

void MovingRods::set_damping(double time) {
  for (CosseratRod& r : rods_) {
    r.damping = r.data->damping.at(time);
    if (!r.damping.acts() && !r.in_fluid) continue;
    r.node_damping.clear();
    r.element_damping.clear();
    for (int i = 0; i <= r.rod.elements; ++i) {
      r.node_damping.push_back(forces::damping_of_node(r.damping, r.rod, i, r.data->shares_first_node,
                                                       r.shares_last_node, r.data->end_masses));
      if (i < r.rod.elements) r.element_damping.push_back(forces::damping_of_element(r.damping, r.rod, i));
    }
  }
}

bool MovingRods::are_viscous() const {
  return std::ranges::any_of(rods_,
                             [](const CosseratRod& r) { return r.data->damping.retardation_time > 0.0; });
}

/// Curvatures of regions -1 ... n - 1 with frames -1 ... n.
std::vector<Vec3> MovingRods::curvatures(const CosseratRod& r, const std::vector<Quaternion>& frames) const {
  std::vector<Vec3> all;
  for (int i = -1; i < r.rod.elements; ++i) {
    const auto k = static_cast<std::size_t>(i + 1);
    all.push_back(r.rod.array(field::inverse_rest_voronoi)[i] *
                  rotation_vector(conjugate(frames[k]) * frames[k + 1]));
  }
  return all;
}

/// The rate of a curvature is it over these seconds and `rest`.
void MovingRods::damp_regions(const CosseratRod& r, double seconds, const std::vector<Vec3>& rest) {
  for (int i = -1; i < r.rod.elements; ++i) {
    const auto elastic = law::BendTwist<double>::of(r.rod, i);
    elastic_regions_.push_back(elastic);
    if (norm(elastic.stiffness) == 0.0) continue;  // that of a joint belongs to two rods
    const law::BendTwist<double> damped = law::with_viscosity(
        elastic, r.data->damping.retardation_time, 1.0 / seconds, rest[static_cast<std::size_t>(i + 1)]);
    r.rod.set_bend_twist_stiffness(i, damped.stiffness);
    r.rod.set_vec3(field::rest_curvature, i, damped.rest_curvature);
  }
}

/// A rate is the change of the curvature where that is linear in the unknowns, and else with half its second
/// difference: so much of it as the rates expected tell, which is right to second order.
void MovingRods::damp_regions(double seconds, const std::vector<double>& back,
                              const std::vector<double>& rates) {
  free_regions();
  for (const CosseratRod& r : rods_) {
    if (r.data->damping.retardation_time == 0.0) continue;
    const int n = r.rod.elements;
    const auto after = [&](double times) {
      std::vector<Quaternion> frames{r.rod.quaternion(-1)};
      for (int i = 0; i < n; ++i) {
        const Vec3 turn = three_at(r.of(back) + element_unknown(i)) +
                          times * seconds * three_at(r.of(rates) + element_unknown(i));
        frames.push_back(start_orientation(r, i) * rotation(turn));
      }
      frames.push_back(r.seam ? frames[1] * r.data->closure.seam : r.rod.quaternion(n));
      return curvatures(r, frames);
    };
    const std::vector<Vec3> first = after(0.0);
    const std::vector<Vec3> middle = after(1.0);
    std::vector<Vec3> rest = after(2.0);
    for (std::size_t k = 0; k < rest.size(); ++k)
      rest[k] = (0.5 / seconds) * (rest[k] - 2.0 * middle[k] - first[k]);
    damp_regions(r, seconds, rest);
  }
}

void MovingRods::damp_regions(double seconds) {
  free_regions();
  for (const CosseratRod& r : rods_) {
    if (r.data->damping.retardation_time == 0.0) continue;
    std::vector<Quaternion> frames;
    for (int i = -1; i <= r.rod.elements; ++i) frames.push_back(start_orientation(r, i));
    std::vector<Vec3> rest = curvatures(r, frames);
    for (Vec3& curvature : rest) curvature = (-1.0 / seconds) * curvature;
    damp_regions(r, seconds, rest);
  }
}

void MovingRods::free_regions() {
  auto next = elastic_regions_.begin();
  for (const CosseratRod& r : rods_) {
    if (next == elastic_regions_.end()) break;
    if (r.data->damping.retardation_time == 0.0) continue;
    for (int i = -1; i < r.rod.elements; ++i, ++next) {
      r.rod.set_bend_twist_stiffness(i, next->stiffness);
      r.rod.set_vec3(field::rest_curvature, i, next->rest_curvature);
    }
  }
  elastic_regions_.clear();
}

void MovingRods::find_loads(double time, bool with_links) {
  set_loads(member_, time);
  if (stokeslets_) stokeslets_->add();
  member_.rods.clear_ghost_forces(OneThread{}, member_.all);
  if (with_links && links_) links_->add_loads();
  add_resistance();
  member_.rods.add_ghost_forces(OneThread{}, member_.all);
}

void MovingRods::add_resistance() {
  for (const CosseratRod& r : rods_) {
    if (!r.damping.acts() && !r.in_fluid) continue;
    const int n = r.rod.elements;
    const int end = r.end_of_own_nodes();
    for (int i = 0; i <= n; ++i) {
      if (i < end) {
        add(r.rod, field::external_force, i,
            -1.0 * node_resistance(r, i).times(r.rod.vec3(field::velocity, i)));
      }
      if (i == n) break;
      const Vec3 resistance = element_resistance(r, i);
      const Vec3 rate = r.rod.vec3(field::angular_velocity, i);
      add(r.rod, field::external_couple, i,
          {-resistance.x * rate.x, -resistance.y * rate.y, -resistance.z * rate.z});
    }
  }
}

/// Fluid drag on a node that two rods share belongs to the earlier rod.
forces::NodeDrag MovingRods::node_resistance(const CosseratRod& r, int node) {
  const bool has_drag = r.in_fluid && node >= r.first_own_node();
  forces::NodeDrag resistance = has_drag ? fluid_drag(r, node) : forces::NodeDrag{};
  resistance.all += r.node_damping[static_cast<std::size_t>(node)];
  return resistance;
}

void MovingRods::hold(std::vector<double>& vector) const {
  for (const CosseratRod& r : rods_) r.held.hold(r.of(vector));
  ties_.spread(vector);
}

void MovingRods::hold_rates(double time) {
  for (const CosseratRod& r : rods_) {
    const double* const gain = r.rod.array(field::velocity_gain);
    for (const int node : {0, r.rod.elements}) {
      if (gain[node] == 0.0) r.rod.set_vec3(field::velocity, node, {});
    }
    if (r.data->motion.duration > 0.0) r.data->motion.set_velocity(OneThread{}, r.rod, time);
  }
  for_each_motion([&](int k, const boundary::Motion& motion) {
    boundary::Motions::set_rate(motion, member_.motions.states[k], member_.all,
                                motion.at(time, member_.motions.tables).rate);
  });
  place_ties();
}

Sample MovingRods::sums(const ImplicitSample& counts, bool with_loads) const {
  Sample sample = CosseratRods::sums(with_loads);
  sample.implicit = counts;
  if (stokeslets_) {
    sample.implicit.fluid_solves = stokeslets_->counts().solves;
    sample.implicit.fluid_iterations = stokeslets_->counts().iterations;
    sample.implicit.fluid_force = stokeslets_->total_force();
  }
  sample.ground_energy = pressing_.ground_energy(member_.all);
  sample.ground_loss = pressing_.ground_loss();
  return sample;
}

}  // namespace rodeo::implicit
