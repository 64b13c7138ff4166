#include "resting_rods.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "rodeo/math/vec3.hpp"
#include "rodeo/member/implicit_sample.hpp"
#include "rodeo/member/stability.hpp"
#include "rodeo/rod/rod_places.hpp"
#include "rodeo/tangent/internal_loads.hpp"

#include "largest_step.hpp"

namespace rodeo::statics {

namespace {

using tangent::element_unknown;
using tangent::node_unknown;

}  // namespace

RestingRods::RestingRod::RestingRod(const RodData& rod_data, const forces::Muscle& muscle,
                                    const RodView& view, std::size_t first_unknown)
    : CosseratRod(rod_data, view, first_unknown),
      load_tangent(rod_data, muscle),
      predicted(view.elements),
      matrix(unknowns()),
      diagonal(size()),
      factors(unknowns()) {}

RestingRods::RestingRods(const MemberSpec& spec, const MemberArrays& member)
    : member_(member), ground_(spec) {
  if (spec.ground.platen.exists()) {
    record_.resize(static_cast<std::size_t>(forces::platen_array::count) *
                   static_cast<std::size_t>(array_elements(spec)));
  }
  std::size_t unknowns = 0;
  for (const RodData& data : member_.rods) {
    rods_.emplace_back(data, member_.muscle_of(data), data.part(member_.all), unknowns);
    unknowns += rods_.back().size();
  }
  find_held(held_step_);
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
  for (const RestingRod& r : rods_) {
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
  const auto is_closed = [](const RestingRod& r) { return r.seam.has_value(); };
  const bool before = mixed_;
  mixed_ = mixed && (assembly_ || std::ranges::none_of(rods_, is_closed));
  if (mixed_ == before) return;
  for (RestingRod& r : rods_) {
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
  inertia_.clear();
  mass_ = 0.0;
  energy_scale_ = 0.0;
  have_energy_ = true;
  for (RestingRod& r : rods_) {
    const RodView& rod = r.rod;
    have_energy_ = have_energy_ && r.load_tangent.has_energy();
    r.length = r.rest_length();
    for (int i = 0; i <= rod.elements; ++i) {
      inertia_.insert(inertia_.end(), 3, rod.array(field::mass)[i]);
      energy_scale_ += slowest_ * rod.array(field::mass)[i] * r.length * r.length;
      const bool is_another = (i == rod.elements && r.seam) || (i == 0 && r.data->shares_first_node);
      if (!is_another) mass_ += rod.array(field::mass)[i];
      if (i == rod.elements) break;
      const Vec3 inertia = rod.inertia(i);
      inertia_.insert(inertia_.end(), {inertia.x, inertia.y, inertia.z});
    }
  }
  if (couplings_) note_coupled_inertia();
  if (groups_.empty()) group();
  note_slow_inertia();
  if (spec.modes > 0) note_masses_along(spec);
}

/// Sets the inertia in slow motions, where an element turns by phi while its end moves by l phi.
void RestingRods::note_slow_inertia() {
  slow_inertia_ = inertia_;
  is_held_.assign(inertia_.size(), false);
  for (const RestingRod& r : rods_) {
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
    RestingRod& r = rods_[k];
    r.data = member_.rods.data + k;
    r.load_tangent = coupling::LoadTangent(*r.data, member_.muscle_of(*r.data));
    if (r.seam) {
      r.seam->set_turn(r.data->closure.seam);
      r.data->closure.fill_ghosts(r.rod);
    } else {
      changed_.put_ends(*r.data, r.rod, r.ends, time);
    }
  }
  find_held(held_step_);
  note_rates(spec);
  couple(spec, changed_.made());
  place_motions(time, time);
  place_ties();
  measure(spec);
}

double RestingRods::length_product(const std::vector<double>& a, const std::vector<double>& b) const {
  double sum = 0.0;
  double nodes = 0.0;
  for (const RestingRod& r : rods_) {
    for (std::size_t i = 0; i < r.size(); ++i) {
      const double unit = i % pair_size < 3 ? 1.0 / r.length : 1.0;
      const std::size_t k = r.first + i;
      sum += unit * a[k] * unit * b[k];
    }
    nodes += r.rod.nodes();
  }
  return sum / nodes;
}

std::vector<double> RestingRods::ways_along(std::span<const double> step) {
  std::vector<double> ways(step.begin(), step.end());
  for (RestingRod& r : rods_) {
    if (!r.seam) continue;
    std::copy_n(r.way(step).begin(), r.size(), ways.begin() + static_cast<std::ptrdiff_t>(r.first));
  }
  if (couplings_) couplings_->ties().spread(ways);
  return ways;
}

void RestingRods::note_stress() { predict_stresses(std::vector<double>(unknowns())); }

/// Predicts the stresses after a step, by their derivatives.
void RestingRods::predict_stresses(const std::vector<double>& step) {
  std::vector<double> ways = step;
  if (couplings_) couplings_->ties().spread(ways);
  for (RestingRod& r : rods_) {
    tangent::predict_stress(r.rod, r.ends, r.way(ways), 1.0, r.predicted);
  }
}

void RestingRods::take(std::span<const double> step, double part) {
  const std::vector<Vec3> before =
      ground_.has_solids() ? coupling::node_positions(views()) : std::vector<Vec3>();
  if (couplings_) {
    take_coupled(step, part);
  } else {
    take_each(step, part);
  }
  has_crossed_ = has_crossed_ || (ground_.has_solids() && ground_.is_crossed(views(), before));
}

void RestingRods::take_each(std::span<const double> step, double part) {
  for (RestingRod& r : rods_) {
    const std::span<const double> own = r.way(step);
    tangent::predict_stress(r.rod, r.ends, own, part, r.predicted);
    tangent::take_step(r.rod, own, part);
    if (r.seam) r.data->closure.fill_ghosts(r.rod);
  }
}

template <class Number>
void RestingRods::hold(std::vector<Number>& vector) const {
  for (const RestingRod& r : rods_) r.held.hold(vector.data() + r.first);
  if (couplings_) couplings_->ties().clear(vector);
}
template void RestingRods::hold(std::vector<double>&) const;
template void RestingRods::hold(std::vector<DoublePack>&) const;

double RestingRods::largest_turn(std::span<const double> step) const {
  LargestStep<double> largest;
  for (const RestingRod& r : rods_) {
    for (int i = 0; i < r.rod.elements; ++i) largest.add(step.data() + r.first + element_unknown(i));
  }
  return largest.size();
}

double RestingRods::largest_shift(std::span<const double> step) const {
  LargestStep<double> largest;
  for (const RestingRod& r : rods_) {
    for (int i = 0; i <= r.rod.elements; ++i)
      largest.add(step.data() + r.first + node_unknown(i), r.length * r.length);
  }
  return largest.size();
}

bool RestingRods::fit_in_lanes() const {
  constexpr int most_elements = 1000;  // eight longer rods do not fit in a core's cache
  const RestingRod& r = rods_.front();
  return rods_.size() == 1 && r.rod.elements <= most_elements && !couplings_ && !r.seam && have_energy_ &&
         !mixed_ && !ground_.exists() && member_.motions.count == 0 &&
         !member_.data.forces.between_elements.acts(load_time_) && groups_.front().gauge.empty();
}

bool RestingRods::have_dead_loads() const {
  const RestingRod& r = rods_.front();
  return r.data->actuation.count == 0 && r.load_tangent.muscle().kind == MuscleKind::none &&
         !r.data->forces.follows_rod(load_time_) && !r.data->forces.hold_nodes() &&
         !member_.data.forces.on_nodes.acts(load_time_);
}

bool RestingRods::go_beside(const RestingRods& others) const {
  const RestingRod& r = rods_.front();
  const RestingRod& other = others.rods_.front();
  return r.rod.elements == other.rod.elements && r.ends.first == other.ends.first &&
         r.ends.last == other.ends.last && r.held == other.held;
}

double RestingRods::distance(const std::vector<Placement>& from) const {
  double squares = 0.0;
  double nodes = 0.0;
  for (const RestingRod& r : rods_) {
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
  for (const RestingRod& r : rods_) {
    tangent::set_internal_loads(r.rod, r.ends);
    if (r.seam) r.data->closure.fill_ghost_loads(r.rod);
  }
  if (couplings_) couplings_->set_joint_couples();
  Sample sample = implicit_sample(member_);
  for (const RestingRod& r : rods_) sample.ground_energy += ground_.energy(r.rod);
  if (couplings_ && couplings_->links()) {
    sample.connection_energy = couplings_->links()->energy();
    sample.broken_bonds = couplings_->links()->broken();
  }
  return sample;
}

}  // namespace rodeo::statics
