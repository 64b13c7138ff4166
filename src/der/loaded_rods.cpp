#include "rodeo/der/loaded_rods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rodeo/der/elastic_energy.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/take_sample.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo::der {

namespace {

std::vector<RodStep> make_rod_steps(const MemberArrays& member) {
  std::vector<RodStep> steps;
  int first = 0;
  for (const RodData& rod : member.rods) {
    RodStep step(rod.part(member.all), first);
    const double* const gain = step.rod.array(field::velocity_gain);  // zero where a node is held
    step.ends[0] = {gain[0] == 0.0, rod.sliding.first, rod.sliding.axis, rod.held_elements.first};
    step.ends[1] = {gain[rod.elements] == 0.0, rod.sliding.last, rod.sliding.axis, rod.held_elements.last};
    first += degrees_of_freedom(rod.elements);
    steps.push_back(std::move(step));
  }
  return steps;
}

std::optional<Contacts> make_contacts(const MemberSpec& spec, const RodView& all) {
  if (spec.contact.kind != ContactKind::imc && spec.contact.kind != ContactKind::ipc) return std::nullopt;
  std::vector<int> first_dof(static_cast<std::size_t>(all.elements), -1);
  int first = 0;
  for (const RodPlace& rod : rod_places(spec)) {
    for (int i = 0; i < rod.elements; ++i) first_dof[static_cast<std::size_t>(rod.first + i)] = first + 4 * i;
    first += degrees_of_freedom(rod.elements);
  }
  return Contacts(spec, all, std::move(first_dof));
}

/// newton.tolerance times the scale of the forces, B/L^2, but never below what rounding of the positions
/// leaves of the forces of stretch and inertia in a solve for such a step.
double force_tolerance(const MemberSpec& spec, double step) {
  double scale = 0.0;
  double rounding = 0.0;
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    const double element_length = rod.length / rod.elements;
    const double mass = rod.density * M_PI * rod.radius * rod.radius * element_length;
    const double stiffness = rod.stretch_stiffness / element_length + mass / (step * step);
    const double reach = rod.length + norm(rod.origin);
    scale += rod.bend_stiffness / (rod.length * rod.length);
    rounding += std::numeric_limits<double>::epsilon() * reach * stiffness * std::sqrt(rod.elements + 1.0);
  }
  return std::max(spec.newton.tolerance * scale, 4.0 * rounding);
}

/// The other nodes of elements that are held, where their frames are.
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

/// Adds the end load of a rod to what acts on its last node and element.
void add_end_load(const forces::EndLoad& load, RodStep& step, double time) {
  const RodView& rod = step.rod;
  const int n = rod.elements;
  load.apply(OneThread{}, rod, time);
  rod.set_vec3(field::external_force, n,
               rod.vec3(field::external_force, n) + rod.vec3(field::internal_force, n));
  Vec3& couple = step.couple.back();
  couple = couple + directors(rod.quaternion(n - 1)).to_laboratory(rod.vec3(field::bend_couple, n - 1));
}

/// Internal forces, which balance the elastic forces on the nodes before, and the couples of clamps.
void set_end_fluxes(const RodView& rod, const HingeLaws& hinges, const boundary::Clamp& clamp,
                    const std::vector<double>& q) {
  std::vector<double> gradient(q.size(), 0.0);
  add_elastic_gradient(rod, hinges, q.data(), gradient.data());
  Vec3 force;
  for (int i = 0; i < rod.elements; ++i) {
    const auto k = static_cast<std::size_t>(4 * i);
    force = force - Vec3{gradient[k], gradient[k + 1], gradient[k + 2]};
    rod.set_vec3(field::internal_force, i, force);
    rod.array(field::length)[i] = norm(rod.vec3(field::position, i + 1) - rod.vec3(field::position, i));
  }
  if (clamp.first) rod.set_vec3(field::bend_couple, -1, first_end_couple(rod));
  if (clamp.last) rod.set_vec3(field::bend_couple, rod.elements - 1, last_end_couple(rod));
}

}  // namespace

std::optional<double> barrier_crossed_at_start(const MemberSpec& spec) {
  if (spec.contact.kind != ContactKind::ipc) return std::nullopt;
  std::vector<double> storage(rod_size(array_elements(spec)));
  const RodView all(storage.data(), array_elements(spec), spec.sections_shrink);
  build_rods(spec, all);
  std::vector<double> q;
  for (const RodPlace& rod : rod_places(spec)) {
    const std::vector<double> own = present(all.part(rod.first, rod.elements));
    q.insert(q.end(), own.begin(), own.end());
  }
  std::optional<Contacts> contacts = make_contacts(spec, all);
  contacts->begin_step(q, q, spec.time.step);
  std::vector<double> force(q.size());
  contacts->add_residual(q, force);
  const ContactState state = contacts->state();
  if (state.smallest_gap > 0.0) return std::nullopt;
  return state.deepest;
}

std::size_t implicit_memory(const MemberSpec& spec) {
  const bool touches = spec.contact.kind != ContactKind::none;
  const std::size_t band = (3 * elastic_bandwidth + 1) * sizeof(double);
  // The pattern's values, their copy in the order of the factors, and the factors; each entry with its row.
  const std::size_t sparse = 3 * (2 * elastic_bandwidth + 1) * (sizeof(double) + sizeof(int));
  constexpr std::size_t vectors = 12 * sizeof(double);
  std::size_t unknowns = 0;
  for (const RodPlace& rod : rod_places(spec))
    unknowns += static_cast<std::size_t>(degrees_of_freedom(rod.elements));
  return unknowns * (band + vectors + (touches ? sparse : 0));
}

LoadedRods::LoadedRods(const MemberSpec& spec, const MemberArrays& arrays, double shortest_solve)
    : member_(arrays),
      solver_(
          make_rod_steps(arrays), make_contacts(spec, arrays.all),
          {force_tolerance(spec, shortest_solve), spec.newton.relative_tolerance, spec.newton.iterations}) {
  if (!spec.fluid.acts_by(FluidKind::stokeslets)) return;
  std::vector<RodView> rods;
  for (const RodStep& step : solver_.rods()) rods.push_back(step.rod);
  stokeslets_.emplace(spec, std::move(rods));
}

void LoadedRods::start() {
  for (RodStep& step : solver_.rods()) step.start_from_arrays();
}

void LoadedRods::update_fluid() {
  if (stokeslets_) stokeslets_->update();
}

void LoadedRods::place_ends(double time) {
  member_.rods.place_ends(OneThread{}, member_.all, time, member_.data.step);
  for (const RodData& data : member_.rods) place_held_elements(data.part(member_.all), data.held_elements);
}

void LoadedRods::set_loads(double time) {
  member_.data.forces.evaluate(OneThread{}, member_.all, member_.rods, time);
  if (stokeslets_) stokeslets_->add();
  std::size_t k = 0;
  for (const RodData& data : member_.rods) {
    RodStep& step = solver_.rods()[k++];
    for (int i = 0; i < data.elements; ++i) {
      step.couple[static_cast<std::size_t>(i)] =
          directors(step.rod.quaternion(i)).to_laboratory(step.rod.vec3(field::external_couple, i));
    }
    if (data.end_load.acts) add_end_load(data.end_load, step, time);
    step.damping = data.damping.at(time);
  }
}

void LoadedRods::restore_ends() const {
  for (const RodStep& step : solver_.rods()) {
    const int n = step.rod.elements;
    for (const int i : {0, 1, n - 1, n}) {
      const double* const r = step.start.data() + 4 * i;
      step.rod.set_vec3(field::position, i, {r[0], r[1], r[2]});
    }
  }
}

Sample LoadedRods::sample(const ImplicitSample& solves) const {
  Sample sample = take_sample(OneThread{}, member_.all, member_.rods, member_.data.step);
  sample.distributed_potential = distributed_potential(OneThread{}, member_.all, member_.rods);
  sample.largest_move = 0.0;  // bounds of an explicit step, which an implicit one does not have
  sample.largest_turn = 0.0;
  sample.shear_energy = 0.0;
  sample.bend_energy = 0.0;
  sample.twist_energy = 0.0;
  std::size_t k = 0;
  for (const RodData& data : member_.rods) {
    const RodStep& step = solver_.rods()[k++];
    const std::vector<double> q = present(step.rod);
    const ElasticEnergy energy = elastic_energy(step.rod, step.hinges, q.data());
    sample.shear_energy += energy.stretching;
    sample.bend_energy += energy.bending;
    sample.twist_energy += energy.twisting;
    set_end_fluxes(step.rod, step.hinges, data.clamp, q);
  }
  sample.implicit = solves;
  sample.contact.touching = solves.contact_pairs;
  sample.contact.deepest = solves.deepest_overlap;
  if (stokeslets_) {
    sample.implicit.fluid_solves = stokeslets_->counts().solves;
    sample.implicit.fluid_iterations = stokeslets_->counts().iterations;
    sample.implicit.fluid_force = stokeslets_->total_force();
  }
  return sample;
}

}  // namespace rodeo::der
