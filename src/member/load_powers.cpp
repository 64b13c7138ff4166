#include "load_powers.hpp"

#include <algorithm>

#include "rodeo/boundary/closure.hpp"
#include "rodeo/forces/further_ground.hpp"
#include "rodeo/forces/muscle_loads.hpp"
#include "rodeo/forces/node_drag.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/rod/initial_shape.hpp"

namespace rodeo {

namespace {

/// Mean of the platen's velocities at both ends of a step that ends at `time`, m/s: it works at this.
Vec3 mean_velocity(const PlatenSpec& platen, double time, double step, std::span<const double> live) {
  const auto rate = [&](std::size_t c) {
    const Formula& course = platen.course[c];
    return 0.5 * (course.with_rate(time - step, 0.0, live).rate + course.with_rate(time, 0.0, live).rate);
  };
  return {rate(0), rate(1), rate(2)};
}

/// Whether a source acts on the masses of all rods that meet at a node.
bool acts_on_masses(PowerSource source) {
  return source == PowerSource::gravity || source == PowerSource::drag || source == PowerSource::damping;
}

}  // namespace

LoadPowers::LoadPowers(const MemberSpec& spec)
    : spec_(spec), actuation_(spec), gravity_(spec.load.gravity), motions_(spec.motions) {
  const std::vector<RodPlace> places = rod_places(spec);
  int elements = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const MemberSpec rod = rod_alone(spec, static_cast<int>(k));
    const bool joined_to_next = k + 1 < places.size() && places[k + 1].joint != JointKind::none;
    rods_.push_back({places[k],
                     {rod.rod.closed, initial_shape(rod.rod).seam},
                     RodForces::of(rod),
                     joined_to_next ? forces::EndLoad{} : forces::EndLoad::of(rod),
                     forces::Muscle::of(rod.muscle, spec.muscle.phase),
                     actuation_.of_rod(k),
                     {forces::damping_law(rod.rod), rod.rod.damping_decay_time, rod.time.step}});
    first_.push_back(elements);
    elements += places[k].elements;
  }
  if (spec.connections.empty()) return;
  std::vector<double> start(rod_size(array_elements(spec), spec.has_circular_sections()));
  const RodView all(start.data(), array_elements(spec), spec.sections_shrink, spec.has_circular_sections());
  build_rods(spec, all);
  connections_ = connection::build_connections(spec, all);
}

void LoadPowers::stand_at(const Glance& glance) {
  const double time = glance.time();
  const ConstRodView all = glance.rods.all();
  time_ = time;
  states_ = glance.rods.motions();
  record_ = glance.rods.platen();
  if (!record_.empty())
    platen_velocity_ = mean_velocity(spec_.ground.platen, time, spec_.time.step, glance.live);
  connections_.points = glance.rods.links();
  connection_energies_.clear();
  for (std::vector<double>& powers : powers_) powers.clear();
  if (!glance.live.empty()) actuation_.set_live(glance.live);
  const bool first = storage_.empty();
  if (first) {
    storage_.resize(rod_size(all.elements, all.circular));
    all_.emplace(storage_.data(), all.elements, all.shrink, all.circular);
  }
  // The rest is constant.
  const int fields = first ? lasting_count<double>(all.circular) : field::state_count;
  std::copy_n(all.base, static_cast<std::ptrdiff_t>(fields) * all.pitch, storage_.data());
  for (const Rod& rod : rods_) {
    const RodView view = all_->part(rod.place.first, rod.place.elements);
    if (rod.actuation.count > 0) rod.actuation.renew_natural_strains(OneThread{}, view, time);
  }
}

void LoadPowers::touch(const std::vector<contact::Touch>& pairs) {
  std::vector<int> first;
  for (const Rod& rod : rods_) first.push_back(rod.place.first);
  std::ranges::sort(first);
  touches_ = contact::touches_of_elements(pairs, first, array_elements(spec_), spec_.contact.friction);
}

double LoadPowers::of(PowerSource source, int rod, int i) {
  if (source == PowerSource::platen) return -dot(platen_force(rod, i), platen_velocity_);
  if (source == PowerSource::motions) return of_motions(rod, i, &boundary::MotionState::power);
  std::vector<double>& powers = powers_[static_cast<std::size_t>(source)];
  if (powers.empty()) evaluate(source);
  return powers[static_cast<std::size_t>(first_[static_cast<std::size_t>(rod)] + i)];
}

Vec3 LoadPowers::motion_force(int rod, int i) { return reaction(rod, i, true); }
Vec3 LoadPowers::motion_couple(int rod, int i) { return reaction(rod, i, false); }
double LoadPowers::motion_work(int rod, int i) { return of_motions(rod, i, &boundary::MotionState::work); }

/// A number of the platen's record.
double LoadPowers::recorded(int array, int rod, int i) const {
  if (record_.empty()) return 0.0;
  const std::size_t elements = record_.size() / forces::platen_array::count;
  const int entry = rods_[static_cast<std::size_t>(rod)].place.first + i;
  return record_[static_cast<std::size_t>(array) * elements + static_cast<std::size_t>(entry)];
}

Vec3 LoadPowers::platen_force(int rod, int i) {
  using forces::platen_array::force;
  return {recorded(force, rod, i), recorded(force + 1, rod, i), recorded(force + 2, rod, i)};
}

double LoadPowers::platen_work(int rod, int i) { return recorded(forces::platen_array::work, rod, i); }

const contact::ElementTouches& LoadPowers::touches(int rod, int i) {
  return touches_[static_cast<std::size_t>(rods_[static_cast<std::size_t>(rod)].place.first + i)];
}

Vec3 LoadPowers::reaction(int rod, int i, bool of_node) const {
  Vec3 sum;
  for (std::size_t k = 0; k < motions_.size(); ++k) {
    const MotionSpec& motion = motions_[k];
    const bool here = motion.rod == rod && motion.index == i && (motion.kind == MotionKind::node) == of_node;
    if (here) sum = sum + states_[k].reaction;
  }
  return sum;
}

/// Share of an element in the power or work of motions.
double LoadPowers::of_motions(int rod, int element, double boundary::MotionState::*number) const {
  const Rod& own = rods_[static_cast<std::size_t>(rod)];
  const int next = own.closure.closed && element + 1 == own.place.elements ? 0 : element + 1;
  double sum = 0.0;
  for (std::size_t k = 0; k < motions_.size(); ++k) {
    const MotionSpec& motion = motions_[k];
    if (motion.rod != rod) continue;
    if (motion.kind != MotionKind::node) {
      if (motion.index == element) sum += states_[k].*number;
      continue;
    }
    for (const int node : {element, next}) {
      const int entry = own.place.first + node;
      if (motion.index == node) sum += all_->array(field::force_share)[entry] * states_[k].*number;
    }
  }
  return sum;
}

/// Share of an element of this rod in the force on a node. A force on this rod alone counts in full at an
/// end, also where the node is shared with another rod.
double LoadPowers::share_of(const Rod& rod, const RodView& view, PowerSource source, int node) {
  const bool end = !rod.closure.closed && (node == 0 || node == view.elements);
  const bool alone = !acts_on_masses(source);
  return alone && end ? 1.0 : view.array(field::force_share)[node];
}

/// Forces of nodes work at their velocities, couples of elements at their angular velocities.
void LoadPowers::evaluate(PowerSource source) {
  std::vector<double>& powers = powers_[static_cast<std::size_t>(source)];
  const bool connects = source == PowerSource::connections || source == PowerSource::connection_damping;
  if (connects) set_connections(source);
  for (std::size_t k = 0; k < rods_.size(); ++k) {
    const Rod& rod = rods_[k];
    const RodView view = all_->part(rod.place.first, rod.place.elements);
    const int n = view.elements;
    for (int i = 0; i <= n && !connects; ++i) {
      const Vec3 weight = source == PowerSource::gravity ? view.array(field::mass)[i] * gravity_ : Vec3{};
      view.set_vec3(field::external_force, i, weight);
      view.set_vec3(field::external_couple, i, {});
    }
    if (source == PowerSource::loads) add_loads(rod, view);
    if (source == PowerSource::muscles) forces::add_muscle_loads(rod.muscle, view, time_);
    if (source == PowerSource::actuation && rod.actuation.count > 0) add_actuation(rod, view);
    if (source == PowerSource::drag) add_drag(view);
    if (source == PowerSource::damping) add_damping(rod, view);
    if (rod.closure.closed && !acts_on_masses(source)) {
      boundary::Closure::add_ghost_force(view);
    }
    const std::size_t first = powers.size();
    const double borne = source == PowerSource::loads ? power_of_borne_load(k) : 0.0;
    for (int i = 0; i < n; ++i) {
      double power = dot(view.vec3(field::external_couple, i), angular_velocity(view, i));
      for (const int node : {i, rod.closure.closed && i + 1 == n ? 0 : i + 1}) {
        power += share_of(rod, view, source, node) *
                 dot(view.vec3(field::external_force, node), view.vec3(field::velocity, node));
      }
      powers.push_back(i + 1 == n ? power + borne : power);
    }
    std::vector<double> of_regions(static_cast<std::size_t>(n), 0.0);
    if (source == PowerSource::damping) add_shared(k, view, power_of_material_damping, of_regions);
    if (source == PowerSource::actuation && rod.actuation.count > 0) of_regions = strain_powers(k, view);
    for (std::size_t i = 0; i < of_regions.size(); ++i) powers[first + i] += of_regions[i];
  }
}

/// Power of the end load's couple where a motion turns that end and bears the couple, W.
double LoadPowers::power_of_borne_load(std::size_t rod) const {
  const forces::EndLoad& load = rods_[rod].end_load;
  if (!load.acts) return 0.0;
  const MotionSpec* holds = nullptr;
  double rate = 0.0;
  for (std::size_t k = 0; k < motions_.size(); ++k) {
    const MotionSpec& motion = motions_[k];
    const bool is_last_end = motion.rod == static_cast<int>(rod) && motion.kind == MotionKind::last_end;
    if (!is_last_end || states_[k].begun == 0) continue;
    holds = &motion;
    rate = states_[k].rate.x;
  }
  const RodPlace& place = rods_[rod].place;
  if (holds == nullptr || all_->array(field::twist_stiffness)[place.first + place.elements - 1] == 0.0)
    return 0.0;
  return rate * load.course.at(time_) * dot(load.couple, holds->axis);
}

/// Angular velocity along the directors, rad/s. Where rods do not shear, elements turn as their nodes move.
Vec3 LoadPowers::angular_velocity(const RodView& view, int i) const {
  const Vec3 rate = view.vec3(field::angular_velocity, i);
  if (spec_.shears) return rate;
  const Vec3 edge = view.vec3(field::position, i + 1) - view.vec3(field::position, i);
  const Vec3 spread = view.vec3(field::velocity, i + 1) - view.vec3(field::velocity, i);
  const Vec3 turning = directors(view.quaternion(i)).to_body((1.0 / dot(edge, edge)) * cross(edge, spread));
  return {turning.x, turning.y, rate.z};
}

/// Sets the loads of connections on all rods; for connection_damping, those of dampers alone.
void LoadPowers::set_connections(PowerSource source) {
  for (int i = 0; i <= all_->elements; ++i) {
    all_->set_vec3(field::external_force, i, {});
    all_->set_vec3(field::external_couple, i, {});
  }
  connection::Parts parts = connections_;
  if (source == PowerSource::connection_damping) {
    for (connection::PointLink& link : parts.points) link.stiffness = 0.0;
    for (connection::TurnLink& link : parts.turns) std::ranges::fill(link.stiffness, Vec3{});
  }
  std::vector<Vec3> loads;
  parts.view(loads).add(OneThread{}, *all_);
}

double LoadPowers::connection_energy(int rod, int i) {
  if (connection_energies_.empty()) {
    connection_energies_.resize(static_cast<std::size_t>(first_.back() + rods_.back().place.elements), 0.0);
    for (const connection::PointLink& link : connections_.points) {
      for (const connection::Site& site : link.sites)
        add_energy(site.entry, site.on_node, 0.5 * link.energy(*all_));
    }
    for (const connection::TurnLink& link : connections_.turns) {
      const bool half = !link.clamped[0] && !link.clamped[1];
      for (const int side : {0, 1}) {
        if (!link.clamped[side])
          add_energy(link.elements[side], false, (half ? 0.5 : 1.0) * link.energy(*all_));
      }
    }
  }
  return connection_energies_[static_cast<std::size_t>(first_[static_cast<std::size_t>(rod)] + i)];
}

/// Adds the energy at an element, or at a node: half to each of its elements, all to that at an end.
void LoadPowers::add_energy(int entry, bool of_node, double energy) {
  for (std::size_t k = 0; k < rods_.size(); ++k) {
    const RodPlace& place = rods_[k].place;
    const int i = entry - place.first;
    const int n = place.elements;
    if (i < 0 || i > n || (!of_node && i == n)) continue;
    double* const energies = connection_energies_.data() + first_[k];
    if (!of_node) {
      energies[i] += energy;
    } else if (i == n || (i == 0 && !rods_[k].closure.closed)) {
      energies[i == n ? n - 1 : 0] += energy;
    } else {
      energies[i] += 0.5 * energy;
      energies[i == 0 ? n - 1 : i - 1] += 0.5 * energy;
    }
    return;
  }
}

void LoadPowers::add_loads(const Rod& rod, const RodView& view) const {
  rod.forces.add(OneThread{}, view, time_);
  if (!rod.end_load.acts) return;
  const int n = view.elements;
  const Vec3 force = rod.end_load.course.at(time_) * rod.end_load.force;
  const Vec3 couple = directors(view.quaternion(n - 1)).to_body(rod.end_load.couple_on(view, time_));
  view.set_vec3(field::external_force, n, view.vec3(field::external_force, n) + force);
  view.set_vec3(field::external_couple, n - 1, view.vec3(field::external_couple, n - 1) + couple);
}

void LoadPowers::add_actuation(const Rod& rod, const RodView& view) const {
  rod.actuation.add_loads(OneThread{}, view, time_);
  rod.actuation.add_internal_couples(view, rod.closure, time_);
}

std::vector<double> LoadPowers::strain_powers(std::size_t k, const RodView& view) const {
  const Rod& rod = rods_[k];
  const int n = view.elements;
  const forces::ActuationTable::NaturalRates rates = actuation_.natural_rates(k, time_);
  const ConstRodView state = view;
  const RodAtInstant now{spec_, state, static_cast<int>(k), rod.closure.closed, nullptr};
  std::vector<double> powers(static_cast<std::size_t>(n), 0.0);
  for (int i = 0; i < n; ++i) {
    powers[static_cast<std::size_t>(i)] +=
        power_of_natural_stretch(now, i, rates.stretch[static_cast<std::size_t>(i + 1)]);
  }
  const auto of_region = [&](const RodAtInstant& rod_now, int node) {
    return power_of_natural_curvature(rod_now, node, rates.curvature[static_cast<std::size_t>(node)]);
  };
  add_shared(k, view, of_region, powers);
  return powers;
}

/// A region belongs half to each of the elements beside it.
template <class OfRegion>
void LoadPowers::add_shared(std::size_t k, const RodView& view, const OfRegion& of_region,
                            std::vector<double>& powers) const {
  const Rod& rod = rods_[k];
  const int n = view.elements;
  const ConstRodView state = view;
  const RodAtInstant now{spec_, state, static_cast<int>(k), rod.closure.closed, nullptr};
  const auto add = [&](int i, double power) { powers[static_cast<std::size_t>(i)] += power; };
  for (int node = rod.closure.closed ? 1 : 0; node <= n; ++node) {
    const double power = of_region(now, node);
    const bool end = !rod.closure.closed && (node == 0 || node == n);
    if (end) {
      add(node == 0 ? 0 : n - 1, power);
    } else {
      add(node - 1, 0.5 * power);
      add(node == n ? 0 : node, 0.5 * power);
    }
  }
}

/// Sets -c v on nodes and -c omega on elements. Where rods do not shear, only rotational damping of turns
/// across the tangent is a couple: the rest is that of nodes.
void LoadPowers::add_damping(const Rod& rod, const RodView& view) const {
  const forces::DampingLaw law = rod.damping.at(time_);
  if (!law.acts()) return;
  const double* const length = view.array(field::rest_length);
  for (int i = 0; i <= view.elements; ++i) {
    const double node = law.of_node(length[i - 1] + length[i], view.array(field::mass)[i]);
    view.set_vec3(field::external_force, i, -node * view.vec3(field::velocity, i));
    if (i == view.elements) break;
    Vec3 about = forces::damping_of_element(law, view, i);
    if (!spec_.shears) about.x = about.y = law.rotational * length[i];
    view.set_vec3(field::external_couple, i, -1.0 * scaled(about, angular_velocity(view, i)));
  }
}

/// Sets -C (I - t t'/2) v, which forces::SlenderBodyDrag takes at a middle of its step.
void LoadPowers::add_drag(const RodView& view) const {
  const auto edge = [&](int i) { return view.vec3(field::position, i + 1) - view.vec3(field::position, i); };
  for (int i = 0; i <= view.elements; ++i) {
    const forces::NodeDrag drag = forces::slender_body_drag(view, i, -1, view.elements + 1, edge);
    if (drag.all > 0.0)
      view.set_vec3(field::external_force, i, -1.0 * drag.times(view.vec3(field::velocity, i)));
  }
}

}  // namespace rodeo
