#include "rodeo/der/loaded_rods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rodeo/coupling/links.hpp"
#include "rodeo/der/elastic_energy.hpp"
#include "rodeo/linear/nearly_symmetric.hpp"
#include "rodeo/member/held_motions.hpp"
#include "rodeo/member/implicit_sample.hpp"
#include "rodeo/member/set_loads.hpp"
#include "rodeo/member/spread_motions.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "edge_loads.hpp"
#include "load_answer.hpp"

namespace rodeo::der {

namespace {

std::vector<RodStep> make_rod_steps(const MemberSpec& spec, const MemberArrays& member) {
  const CurvatureLaw law = spec.published_laws ? CurvatureLaw::published : CurvatureLaw::untwisted;
  std::vector<RodStep> steps;
  int first = 0;
  for (const RodData& rod : member.rods) {
    if (rod.shares_first_node) steps.back().shares_last_node = true;
    RodStep step(rod.part(member.all), first, law, rod.closure);
    step.shares_first_node = rod.shares_first_node;
    std::ranges::copy(rod.end_masses, step.end_masses);
    step.laws = rod.forces;
    const double* const gain = step.rod.array(field::velocity_gain);  // zero where a node is held
    step.ends[0] = {gain[0] == 0.0, rod.sliding.first, rod.sliding.axis, rod.held_elements.first};
    step.ends[1] = {gain[rod.elements] == 0.0, rod.sliding.last, rod.sliding.axis, rod.held_elements.last};
    first += degrees_of_freedom(rod.elements);
    steps.push_back(std::move(step));
  }
  return steps;
}

/// Makes the links, with the rigid joints of nodes that rods share.
std::optional<LinkForces> make_links(const MemberSpec& spec, const MemberArrays& member,
                                     const connection::Parts& parts) {
  std::vector<connection::TurnLink> joints = coupling::rigid_joints(member.rods);
  if (spec.connections.empty() && joints.empty()) return std::nullopt;
  return LinkForces(parts, std::move(joints), member.all,
                    coupling::first_degrees_of_freedom(spec, layout.stride));
}

/// newton.tolerance times the scale of the forces, B/L^2 of the rod that has the least of it for each rod,
/// and what rounding of the positions leaves of the forces of stretch or bending, inertia and ground.
NewtonLimits newton_limits(const MemberSpec& spec, const connection::Parts& parts, double step,
                           bool stands_on_ground) {
  double of_links = 0.0;  // N/m
  for (const connection::PointLink& link : parts.points) of_links = std::max(of_links, link.stiffness);
  double least_scale = std::numeric_limits<double>::infinity();
  std::array<double, 3> rounding = {};
  double length = 0.0;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    const double element_length = rod.length / rod.elements;
    double mass = rod.density * M_PI * rod.radius * rod.radius * element_length;
    for (const PointMass& point : rod.point_masses) mass += point.mass;
    const double stiffer_bending = rod.bend_stiffness * std::max(1.0, rod.second_bend_ratio);
    const double of_bending = stiffer_bending / (element_length * element_length * element_length);
    double stiffness = std::max(rod.stretch_stiffness / element_length, of_bending);
    if (stands_on_ground) stiffness += spec.ground.stiffness;
    const double damping = stands_on_ground ? spec.ground.damping : 0.0;
    const double reach = rod.length + norm(rod.origin);
    least_scale = std::min(least_scale, rod.bend_stiffness / (rod.length * rod.length));
    const double of_places = 4.0 * std::numeric_limits<double>::epsilon() * reach;
    const double of_nodes = of_places * std::sqrt(rod.elements + 1.0);
    rounding[0] += of_nodes * stiffness + of_places * of_links;
    rounding[1] += of_nodes * damping;
    rounding[2] += of_nodes * mass;
    length += rod.length;
  }
  constexpr double small_part = 1e-4;
  const double scale = spec.rod_count() * least_scale;
  return {.force = spec.newton.tolerance * scale,
          .of_loads = spec.newton.tolerance,
          .rounding_by_rate = rounding,
          .most_rounding = small_part * scale,
          .shortest_step = step,
          .length = length,
          .relative = spec.newton.relative_tolerance,
          .iterations = spec.newton.iterations};
}

/// Places the other nodes of held elements along their frames.
void place_held_elements(const RodView& rod, const HeldElements& held) {
  const double* const length = rod.array(field::rest_length);
  const int n = rod.elements;
  if (held.first) {
    const Vec3 edge = length[0] * directors(rod.quaternion(-1)).d3;
    rod.set_vec3(field::position, 1, rod.vec3(field::position, 0) + edge);
  }
  if (held.last) {
    const Vec3 edge = length[n - 1] * directors(rod.quaternion(n)).d3;
    rod.set_vec3(field::position, n - 1, rod.vec3(field::position, n) - edge);
  }
}

bool holds_elements(const MemberSpec& spec) {
  return std::ranges::any_of(spec.motions,
                             [](const MotionSpec& motion) { return motion.kind == MotionKind::element; });
}

/// Takes the loads that steps find in every state (rod_forces.cpp) out of the external ones.
void leave_out_node_laws(const RodStep& step) {
  const RodView& rod = step.rod;
  step.laws.for_each_held_node(rod.elements, [&](int node, const auto& law) {
    const Vec3 rest = rod.vec3(field::external_force, node) - law.force(rod.vec3(field::position, node));
    rod.set_vec3(field::external_force, node, rest);
  });
}

/// Finds the derivatives of one's own laws by velocities, and leaves the part of their forces that is linear
/// in these to the solve.
void set_velocity_answer(const RodForces& laws, RodStep& step, double time) {
  const RodView& rod = step.rod;
  step.velocity_answer =
      forces::VelocityAnswer(laws, rod, time, forces::small_change_of_velocity(rod)).blocks();
  for (const forces::VelocityBlock& block : step.velocity_answer) {
    const Vec3 linear = block.derivative * rod.vec3(field::velocity, block.velocity);
    rod.set_vec3(field::external_force, block.force, rod.vec3(field::external_force, block.force) - linear);
  }
}

/// Sets the derivatives of loads in a solve of so many seconds, in which a node that moves by dx has the
/// velocity dx/step.
void answer_velocities(RodStep& step, double seconds) {
  if (step.velocity_answer.empty()) {
    step.load_answer.reset();
    return;
  }
  if (!step.load_answer) step.load_answer.emplace(degrees_of_freedom(step.rod.elements));
  step.load_answer->set_zero();
  for (const forces::VelocityBlock& block : step.velocity_answer) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        step.load_answer->at(4 * block.force + i, 4 * block.velocity + j) -= block.derivative(i, j) / seconds;
    }
  }
}

/// Rates of a rod's degrees of freedom as its arrays have them.
std::vector<double> present_rates(const ConstRodView& rod) {
  std::vector<double> rates(static_cast<std::size_t>(degrees_of_freedom(rod.elements)));
  for (int i = 0; i <= rod.elements; ++i) {
    set_at(rates.data() + 4 * i, rod.vec3(field::velocity, i));
    if (i < rod.elements) rates[static_cast<std::size_t>(4 * i + 3)] = rod.vec3(field::angular_velocity, i).z;
  }
  return rates;
}

/// Sets internal forces, which balance the elastic forces on the nodes before, and the couples of clamps and
/// of elements that are held. A couple on an element acts on its nodes by a pair of forces, which is none in
/// the rod.
void set_end_fluxes(const RodStep& step, const RodData& data, const std::vector<double>& q) {
  const RodView& rod = step.rod;
  std::optional<HingeLaws> damped;
  if (data.damping.retardation_time > 0.0) {
    const std::vector<Vec3> rates = curvature_rates(rod, step.hinges, q.data(), present_rates(rod).data());
    damped = with_viscosity(step.hinges, data.damping.retardation_time, 0.0, rates);
  }
  const HingeLaws& hinges = damped ? *damped : step.hinges;
  std::vector<double> gradient(q.size(), 0.0);
  add_elastic_gradient(rod, hinges, q.data(), gradient.data());
  Vec3 force;
  for (int i = 0; i < rod.elements; ++i) {
    const auto k = static_cast<std::size_t>(4 * i);
    force = force - Vec3{gradient[k], gradient[k + 1], gradient[k + 2]};
    const SteadyCouple couple{step.couple[static_cast<std::size_t>(i)]};
    rod.set_vec3(field::internal_force, i, force - couple.force(step.edge_at(q.data(), i)));
    rod.array(field::length)[i] = norm(rod.vec3(field::position, i + 1) - rod.vec3(field::position, i));
  }
  const auto set_couple = [&](bool first, int node) {
    const Vec3 couple = first ? couple_after(rod, hinges, node) : couple_before(rod, hinges, node);
    rod.set_vec3(field::bend_couple, node - 1, couple);
  };
  const int n = rod.elements;
  if (data.clamp.first) set_couple(true, 0);
  if (data.clamp.last) set_couple(false, n);
  if (data.held_elements.first && n > 1) set_couple(true, 1);
  if (data.held_elements.last && n > 1) set_couple(false, n - 1);
}

}  // namespace

std::size_t implicit_memory(const MemberSpec& spec) {
  const bool touches = spec.contact.kind != ContactKind::none || !spec.connections.empty();
  const std::size_t band = (3 * elastic_bandwidth + 1) * sizeof(double);
  // The pattern's values, their copy in the order of the factors, and the factors; each entry with its row.
  const std::size_t sparse = 3 * (2 * elastic_bandwidth + 1) * (sizeof(double) + sizeof(int));
  const bool rubs = spec.contact.friction > 0.0;
  const std::size_t vectors =
      (12 + (rubs ? static_cast<std::size_t>(NearlySymmetric::vectors) : 0)) * sizeof(double);
  std::size_t unknowns = 0;
  for (const RodPlace& rod : rod_places(spec))
    unknowns += static_cast<std::size_t>(degrees_of_freedom(rod.elements));
  return unknowns * (band + vectors + (touches ? sparse : 0)) + coupling::GroundContact::memory(spec);
}

LoadedRods::LoadedRods(const MemberSpec& spec, const MemberArrays& arrays, const RodView& made,
                       double shortest_solve)
    : LoadedRods(spec, arrays, made, connection::build_connections(spec, made), shortest_solve) {}

LoadedRods::LoadedRods(const MemberSpec& spec, const MemberArrays& arrays, const RodView& made,
                       connection::Parts parts, double shortest_solve)
    : member_(arrays),
      solver_(make_rod_steps(spec, arrays), coupling::make_contacts(spec, made, arrays.all, layout.stride),
              newton_limits(spec, parts, shortest_solve, false), make_links(spec, arrays, parts),
              coupling::Ties(arrays.rods, parts, arrays.all, layout.stride), holds_elements(spec)) {
  if (spec.rests()) solver_.rest();
  if (spec.ground.exists()) {
    solver_.meet(coupling::GroundContact(spec, layout.stride),
                 newton_limits(spec, parts, shortest_solve, true));
  }
  const bool in_fluid = spec.fluid.acts_by(FluidKind::slender_body);
  for (RodStep& step : solver_.rods()) step.in_fluid = in_fluid;
  if (!spec.fluid.acts_by(FluidKind::stokeslets)) return;
  std::vector<RodView> rods;
  for (const RodStep& step : solver_.rods()) rods.push_back(step.rod);
  stokeslets_.emplace(spec, std::move(rods));
}

/// Takes the laws of hinges from the arrays again, which may come from a checkpoint.
void LoadedRods::forget(double time) {
  solver_.forget();
  end_ = time;
  steps_ = -1;
  std::size_t k = 0;
  for (const RodData& data : member_.rods) {
    RodStep& step = solver_.rods()[k++];
    if (data.actuation.curves) step.set_hinges();
  }
}

void LoadedRods::start() {
  for (RodStep& step : solver_.rods()) step.start_from_arrays();
}

void LoadedRods::update_fluid() {
  if (stokeslets_) stokeslets_->update();
}

void LoadedRods::place_ends(double time) {
  end_ = time;
  member_.rods.place_ends(OneThread{}, member_.all, time, member_.data.step);
  for (const RodData& data : member_.rods) place_held_elements(data.part(member_.all), data.held_elements);
  if (moves()) place_motions(time);
  solver_.ties().place(member_.all);
}

method::SolveOutcome LoadedRods::solve(double step) {
  if (solver_.ground()) solver_.ground()->place_platen(end_ - step, end_);
  if constexpr (forces::may_answer_velocities) {
    for (RodStep& rod : solver_.rods()) answer_velocities(rod, step);
  }
  damp_hinges(step);
  const method::SolveOutcome outcome = solver_.advance(step);
  if (outcome.converged && moves()) finish_motions(step);
  free_hinges();
  if (!outcome.converged) end_ -= step;
  return outcome;
}

void LoadedRods::add_material_drag(const std::vector<double>& velocity, std::vector<double>& force) const {
  std::size_t k = 0;
  for (const RodData& data : member_.rods) {
    const RodStep& step = solver_.rods()[k++];
    const double time = data.damping.retardation_time;
    if (time == 0.0) continue;
    const std::vector<double> q = present(step.rod);
    // The couples of laws in whose natural shape the rod stands, and of those with the damping besides.
    HingeLaws laws = step.hinges;
    const std::vector<Vec3> strained = curvatures(step.rod, laws, q.data());
    for (std::size_t i = 0; i < strained.size(); ++i) laws.at[i].region.rest_curvature = strained[i];
    std::vector<double> elastic(q.size(), 0.0);
    std::vector<double> damped(q.size(), 0.0);
    add_elastic_gradient(step.rod, laws, q.data(), elastic.data());
    const std::vector<Vec3> rates = curvature_rates(step.rod, laws, q.data(), velocity.data() + step.first);
    add_elastic_gradient(step.rod, der::with_viscosity(laws, time, 0.0, rates), q.data(), damped.data());
    double* const own = force.data() + step.first;
    for (std::size_t i = 0; i < q.size(); ++i) own[i] += damped[i] - elastic[i];
  }
}

/// The rate at the end of a solve is the change of the curvature over it where strains are linear in the
/// degrees of freedom, and else with half their second difference: so much of it as the rates at the start
/// tell, which is right to second order.
void LoadedRods::damp_hinges(double seconds) {
  std::size_t k = 0;
  for (const RodData& data : member_.rods) {
    RodStep& step = solver_.rods()[k++];
    const double time = data.damping.retardation_time;
    if (time == 0.0) continue;
    elastic_hinges_.resize(solver_.rods().size());
    elastic_hinges_[k - 1] = step.hinges;
    const std::vector<double> rates = present_rates(step.rod);
    const auto after = [&](double times) {
      std::vector<double> q = step.start;
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += times * seconds * rates[i];
      return curvatures(step.rod, step.hinges, q.data());
    };
    const std::vector<Vec3> start = after(0.0);
    std::vector<Vec3> rest = after(2.0);
    const std::vector<Vec3> middle = after(1.0);
    for (std::size_t i = 0; i < rest.size(); ++i)
      rest[i] = (0.5 / seconds) * (rest[i] - 2.0 * middle[i] - start[i]);
    step.hinges = der::with_viscosity(step.hinges, time, 1.0 / seconds, rest);
  }
}

void LoadedRods::free_hinges() {
  for (std::size_t k = 0; k < elastic_hinges_.size(); ++k) {
    if (elastic_hinges_[k].at.empty()) continue;
    solver_.rods()[k].hinges = std::move(elastic_hinges_[k]);
    elastic_hinges_[k] = {};
  }
}

void LoadedRods::set_natural_strains(double time) {
  std::size_t k = 0;
  for (const RodData& data : member_.rods) {
    RodStep& step = solver_.rods()[k++];
    if (data.actuation.count == 0) continue;
    data.actuation.set_natural_strains(OneThread{}, step.rod, time);
    if (data.actuation.curves) step.set_hinges();
  }
}

void LoadedRods::set_loads(double time) {
  rodeo::set_loads(member_, time);
  if (stokeslets_) stokeslets_->add();
  set_natural_strains(time);
  std::size_t k = 0;
  for (const RodData& data : member_.rods) {
    RodStep& step = solver_.rods()[k++];
    for (int i = 0; i < data.elements; ++i) {
      step.couple[static_cast<std::size_t>(i)] =
          directors(step.rod.quaternion(i)).to_laboratory(step.rod.vec3(field::external_couple, i));
    }
    leave_out_node_laws(step);
    if constexpr (forces::may_answer_velocities) {
      if (!solver_.at_rest()) set_velocity_answer(data.forces, step, time);
    }
    step.damping = data.damping.at(time);
  }
}

void LoadedRods::spread_ends(double from, double to) {
  for (const RodData& data : member_.rods)
    spread_driven_ends(data, data.part(member_.all), from, to, !contacts());
  if (!moves() || contacts()) return;
  member_.rods.place_ends(OneThread{}, member_.all, to, member_.data.step);
  int k = 0;
  for (const RodData& data : member_.rods)
    spread_motions(member_.motions, steps_, k++, data, data.part(member_.all), from, to);
}

void LoadedRods::set_loads_at_rest(double time, double part) {
  set_loads(time);
  for (RodStep& step : solver_.rods()) {
    for (int i = 0; i <= step.rod.elements; ++i) {
      step.rod.set_vec3(field::velocity, i, {});
      if (i < step.rod.elements) step.rod.set_vec3(field::angular_velocity, i, {});
    }
    for (int i = step.first_own_node(); i < step.end_of_own_nodes(); ++i)
      step.rod.set_vec3(field::external_force, i, part * step.rod.vec3(field::external_force, i));
    for (Vec3& couple : step.couple) couple = part * couple;
    step.load_part = part;
    step.damping = {};
  }
  auto step = solver_.rods().begin();
  for (const RodData& data : member_.rods) {
    const coupling::LoadTangent loads(data, member_.muscle_of(data));
    step->loads_have_energy = loads.has_energy();
    const bool has_couples = std::ranges::any_of(step->couple, [](const Vec3& c) { return dot(c, c) > 0.0; });
    if (loads.follows_rod(time) || has_couples) {
      if (!step->load_answer) step->load_answer.emplace(degrees_of_freedom(data.elements));
      set_load_answer(loads, *step, time, part, *step->load_answer);
    } else {
      step->load_answer.reset();
    }
    ++step;
  }
}

/// Notes reactions in an endless step: rods at rest have no inertia.
void LoadedRods::note_at_rest(double from) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  solver_.find_what_holds();
  for (int k = 0; k < member_.motions.count; ++k) {
    const boundary::Motion& motion = member_.motions.data[k];
    if (!acts(k)) continue;
    const Vec3 reaction = motion.turns() ? couple_on(motion, endless, 0.0) : force_on(motion, endless, {});
    note_reaction_at_rest(member_.motions, k, reaction, from, end_);
  }
}

void LoadedRods::copy_state(std::vector<double>& state) const {
  const RodView& all = member_.all;
  state.assign(all.base, all.base + static_cast<std::ptrdiff_t>(field::state_count) * all.pitch);
}

void LoadedRods::put_back(const std::vector<double>& state) const {
  std::ranges::copy(state, member_.all.base);
}

void LoadedRods::count_contacts(bool converged, int iterations, ImplicitSample& counts) const {
  if (contacts()) coupling::count_contacts(contacts()->state(), converged, iterations, counts);
  if (solver_.ground()) counts.passed_through = counts.passed_through || solver_.ground()->has_passed();
}

Sample LoadedRods::sample(const ImplicitSample& solves) const {
  Sample sample = implicit_sample(member_);
  sample.shear_energy = 0.0;
  sample.bend_energy = 0.0;
  sample.twist_energy = 0.0;
  std::vector<double> places;
  std::size_t k = 0;
  for (const RodData& data : member_.rods) {
    const RodStep& step = solver_.rods()[k++];
    const std::vector<double> q = present(step.rod);
    places.insert(places.end(), q.begin(), q.end());
    const ElasticEnergy energy = elastic_energy(step.rod, step.hinges, q.data());
    sample.shear_energy += energy.stretching;
    sample.bend_energy += energy.bending;
    sample.twist_energy += energy.twisting;
    set_end_fluxes(step, data, q);
    if (!data.joint.exists) continue;
    RegionSums joint;
    rodeo::detail::add_joint(step.rod, data.joint, joint);
    sample.bend_energy += joint.bend_energy;
    sample.twist_energy += joint.twist_energy;
    data.joint.apply(OneThread{}, step.rod);
  }
  if (const std::optional<LinkForces>& links = solver_.links()) {
    links->take_couples(places);
    sample.connection_energy = links->energy();
    sample.broken_bonds = links->broken();
  }
  k = 0;
  for (const RodData& data : member_.rods) {
    const RodView& rod = solver_.rods()[k++].rod;
    if (data.closure.closed) data.closure.fill_ghost_loads(rod);
  }
  if (solver_.ground()) {
    sample.ground_energy = solver_.ground()->energy(member_.all, end_);
    sample.ground_loss = solver_.ground()->loss();
  }
  sample.implicit = solves;
  if (stokeslets_) {
    sample.implicit.fluid_solves = stokeslets_->counts().solves;
    sample.implicit.fluid_iterations = stokeslets_->counts().iterations;
    sample.implicit.fluid_force = stokeslets_->total_force();
  }
  return sample;
}

}  // namespace rodeo::der
