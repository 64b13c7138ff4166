#include "resting_rods.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/math/vec3.hpp"
#include "rodeo/member/stability.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo::statics {

namespace {

using tangent::element_unknown;

}  // namespace

RestingRods::RestingRods(const MemberSpec& spec, const MemberArrays& member)
    : CosseratRods(spec, member), ground_(spec) {
  if (spec.ground.platen.exists()) {
    record_.resize(static_cast<std::size_t>(forces::platen_array::count) *
                   static_cast<std::size_t>(array_elements(spec)));
  }
  hold_at(held_step_);
  note_rates(spec);
  is_stiff_at_first_ = relative_rounding_ > rounding_of_branches;
  couple(spec, member_.all);
  measure(spec);
  take_form_by_rounding(spec.branch.exists() ? rounding_of_branches : rounding_of_newton);
}

void RestingRods::note_rates(const MemberSpec& spec) {
  slowest_ = slowest_rate(spec);
  relative_rounding_ = 4.0 * std::numeric_limits<double>::epsilon() * stiffest_rate() / slowest_;
}

/// Largest stiffness of an element against stretch or shear over the mass of a node, 1/s^2.
double RestingRods::stiffest_rate() const {
  double stiffest = 0.0;
  for (const CosseratRod& r : rods_) {
    for (int i = 0; i < r.rod.elements; ++i) {
      const Vec3 stiffness = r.rod.shear_stretch_stiffness(i);
      const double* const mass = r.rod.array(field::mass);
      const double rate = r.rod.array(field::inverse_rest_length)[i] / std::max(mass[i], mass[i + 1]);
      stiffest = std::max(stiffest, rate * std::max({stiffness.x, stiffness.y, stiffness.z}));
    }
  }
  return stiffest;
}

void RestingRods::take_mixed_form(bool mixed) {
  const auto is_closed = [](const CosseratRod& r) { return r.seam.has_value(); };
  const bool before = mixed_;
  mixed_ = mixed && (assembly_ || std::ranges::none_of(rods_, is_closed));
  if (mixed_ == before) return;
  for (CosseratRod& r : rods_) {
    r.mixed_matrix.reset();
    r.mixed_factors.reset();
    if (mixed_) r.mixed_matrix.emplace(r.rod.elements);
    if (mixed_) r.mixed_factors.emplace(r.rod.elements);
  }
  if (assembly_) make_assembly();
}

/// Share of the stiffness against shear and stretch that the band bears with little rounding.
double RestingRods::share_in_band() const {
  constexpr double rounding_of_band = 1e-9;
  return std::min(0.5, rounding_of_band / relative_rounding_);
}

/// Sets inertia, mass and the scale of energy, and whether loads have an energy.
void RestingRods::measure(const MemberSpec& spec) {
  set_inertia();
  mass_ = 0.0;
  energy_scale_ = 0.0;
  have_energy_ = true;
  for (CosseratRod& r : rods_) {
    have_energy_ = have_energy_ && r.load_tangent.has_energy();
    r.length = r.rest_length();
    const double* const mass = r.rod.array(field::mass);
    for (int i = 0; i <= r.rod.elements; ++i) energy_scale_ += slowest_ * mass[i] * r.length * r.length;
    for (int i = r.first_own_node(); i < r.end_of_own_nodes(); ++i) mass_ += mass[i];
  }
  if (has_one_matrix_ && !assembly_) make_assembly();
  if (groups_.empty()) group();
  note_slow_inertia();
  if (spec.modes > 0) note_masses_along(spec);
}

/// Sets the inertia in slow motions, where an element turns by phi while its end moves by l phi.
void RestingRods::note_slow_inertia() {
  slow_inertia_ = inertia_;
  is_held_.assign(inertia_.size(), false);
  for (const CosseratRod& r : rods_) {
    const double* const mass = r.rod.array(field::mass);
    const double* const length = r.rod.array(field::rest_length);
    double* const of_rod = slow_inertia_.data() + r.first;
    for (int i = 0; i < r.rod.elements; ++i) {
      double* const turn = of_rod + element_unknown(i);
      const double added = mass[i] * length[i] * length[i];
      for (int c = 0; c < 3; ++c) turn[c] += added;
    }
    for (const int unknown : r.held.supported()) is_held_[r.first + static_cast<std::size_t>(unknown)] = true;
  }
  if (assembly_) assembly_->set_inertia(inertia_, step_inertia());
}

void RestingRods::become(const MemberSpec& spec, double time) {
  changed_.become(spec, held_step_, time, member_);
  ground_ = coupling::RestingGround(spec);
  ground_.set_time(time);
  stand();
  for (std::size_t k = 0; k < rods_.size(); ++k) {
    CosseratRod& r = rods_[k];
    r.data = member_.rods.data + k;
    r.load_tangent = coupling::LoadTangent(*r.data, member_.muscle_of(*r.data));
    if (r.seam) {
      r.seam->set_turn(r.data->closure.seam);
      r.data->closure.fill_ghosts(r.rod);
    } else {
      changed_.put_ends(*r.data, r.rod, r.ends, time);
    }
  }
  hold_at(held_step_);
  note_rates(spec);
  if (links_) connect(spec, changed_.made());  // ties stay between the same nodes
  couple(spec, changed_.made());
  place_motions(time, time);
  ties_.place(member_.all);
  measure(spec);
}

double RestingRods::length_product(const std::vector<double>& a, const std::vector<double>& b) const {
  double sum = 0.0;
  double nodes = 0.0;
  for (const CosseratRod& r : rods_) {
    for (std::size_t i = 0; i < r.size(); ++i) {
      const double unit = i % pair_size < 3 ? 1.0 / r.length : 1.0;
      const std::size_t k = r.first + i;
      sum += unit * a[k] * unit * b[k];
    }
    nodes += r.rod.nodes();
  }
  return sum / nodes;
}

void RestingRods::take(std::span<const double> step, double part) {
  const std::vector<Vec3> before =
      ground_.has_solids() ? coupling::node_positions(views()) : std::vector<Vec3>();
  move(step, part);
  if (contact_) contact_->look();
  has_crossed_ = has_crossed_ || (ground_.has_solids() && ground_.is_crossed(views(), before));
}

template <class Number>
void RestingRods::hold(std::vector<Number>& vector) const {
  for (const CosseratRod& r : rods_) r.held.hold(vector.data() + r.first);
  ties_.clear(vector);
}
template void RestingRods::hold(std::vector<double>&) const;
template void RestingRods::hold(std::vector<DoublePack>&) const;

bool RestingRods::fit_in_lanes() const {
  constexpr int most_elements = 1000;  // eight longer rods do not fit in a core's cache
  const CosseratRod& r = rods_.front();
  return rods_.size() == 1 && r.rod.elements <= most_elements && !assembly_ && !r.seam && have_energy_ &&
         !mixed_ && !ground_.exists() && member_.motions.count == 0 &&
         !member_.data.forces.between_elements.acts(load_time_) && groups_.front().gauge.empty();
}

bool RestingRods::have_dead_loads() const {
  const CosseratRod& r = rods_.front();
  return r.data->actuation.count == 0 && r.load_tangent.muscle().kind == MuscleKind::none &&
         !r.data->forces.follows_rod(load_time_) && !r.data->forces.hold_nodes() &&
         !member_.data.forces.on_nodes.acts(load_time_);
}

double RestingRods::distance(const std::vector<Placement>& from) const {
  double squares = 0.0;
  double nodes = 0.0;
  for (const CosseratRod& r : rods_) {
    for (int i = 0; i <= r.rod.elements; ++i) {
      const Placement& before = from[static_cast<std::size_t>(r.data->first + i + 1)];
      const Vec3 way = r.rod.vec3(field::position, i) - before.position;
      squares += dot(way, way) / (r.length * r.length);
      ++nodes;
    }
  }
  return std::sqrt(squares / nodes);
}

void RestingRods::restore(const std::vector<Placement>& state) {
  rodeo::place(state, member_.all);
  stand();
}

Sample RestingRods::sample() const {
  Sample sample = sums(true);
  for (const CosseratRod& r : rods_) sample.ground_energy += ground_.energy(r.rod);
  return sample;
}

}  // namespace rodeo::statics
