#include "resting_rods.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "rodeo/forces/muscle_loads.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/held_motions.hpp"
#include "rodeo/member/stability.hpp"
#include "rodeo/member/take_sample.hpp"
#include "rodeo/tangent/internal_loads.hpp"
#include "rodeo/tangent/rod_pack.hpp"

#include "largest_step.hpp"

namespace rodeo::statics {

namespace {

using tangent::element_unknown;
using tangent::half_bandwidth;
using tangent::node_unknown;

/// Of the slowest vibration's square, the share of inertia with which forces are balanced: it keeps motions
/// that cost no energy from going far, where forces would no longer change linearly, and hides no vibration.
constexpr double balancing_share = 1e-3;

Vec3 three(const double* v) { return {v[0], v[1], v[2]}; }

void subtract(double* v, const Vec3& a) {
  v[0] -= a.x;
  v[1] -= a.y;
  v[2] -= a.z;
}

}  // namespace

RestingRods::RestingRod::RestingRod(const RodData& rod_data, const forces::Muscle& muscle,
                                    const RodView& view, std::size_t first_unknown)
    : data(&rod_data),
      rod(view),
      first(first_unknown),
      ends{rod_data.clamp.first, rod_data.clamp.last},
      load_tangent(rod_data, muscle),
      predicted(view.elements),
      matrix(tangent::unknowns(view.elements)),
      diagonal(static_cast<std::size_t>(tangent::unknowns(view.elements))),
      factors(tangent::unknowns(view.elements)) {
  if (data->closure.closed) {
    ends = tangent::Seam::ends;
    seam.emplace(rod, data->closure.seam);
  }
}

RestingRods::RestingRods(const MemberSpec& spec, const MemberArrays& member)
    : member_(member), ground_(spec) {
  std::size_t unknowns = 0;
  for (const RodData& data : member_.rods) {
    rods_.emplace_back(data, muscle_of(data), data.part(member_.all), unknowns);
    unknowns += rods_.back().diagonal.size();
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

/// Of an element against stretch or shear, over the mass of a node, 1/s^2.
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
    if (mixed_ && !assembly_) r.mixed_factors.emplace(r.rod.elements);
    if (r.unsymmetric) set_unsymmetric(r);
  }
  if (assembly_) make_assembly();
}

/// Of what resists shear and stretch, as much as rounding lets the plain form bear.
double RestingRods::share_in_band() const {
  constexpr double rounding_of_band = 1e-9;
  return std::min(0.5, rounding_of_band / relative_rounding_);
}

void RestingRods::set_unsymmetric(RestingRod& r) {
  if (r.mixed_matrix) {
    r.unsymmetric.emplace(r.mixed_matrix->band().size(), tangent::mixed_bandwidth);
  } else {
    r.unsymmetric.emplace(r.matrix.size(), half_bandwidth);
  }
}

/// Sets what follows from properties and loads.
void RestingRods::measure(const MemberSpec& spec) {
  inertia_.clear();
  mass_ = 0.0;
  energy_scale_ = 0.0;
  have_energy_ = true;
  for (RestingRod& r : rods_) {
    const RodView& rod = r.rod;
    const bool has_energy = r.load_tangent.has_energy();
    have_energy_ = have_energy_ && has_energy;
    if (has_energy || r.seam) {  // a seam does without the tangents of loads that have none
      r.unsymmetric.reset();
    } else if (!r.unsymmetric) {
      set_unsymmetric(r);
    }
    r.length = 0.0;
    for (int i = 0; i < rod.elements; ++i) r.length += rod.array(field::rest_length)[i];
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
  note_slow_inertia();
  if (spec.modes > 0) note_masses_along(spec);
}

/// That of an element which turns by phi while its end moves by l phi.
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
  const std::vector<double> before = state();
  own_arrays_.resize(rod_size(member_.all.elements, member_.all.circular));
  const RodView made(own_arrays_.data(), member_.all.elements, spec.sections_shrink, member_.all.circular);
  build_rods(spec, made);
  own_data_ = make_rod_data(spec, made);
  take_motions(spec, made);
  own_actuation_.emplace(spec);
  ground_ = RestingGround(spec);
  ground_.set_time(time);
  member_.rods = {own_data_.data(), static_cast<int>(own_data_.size())};
  const MemberData own = make_member_data(spec, 0, 0);
  member_.data.muscle = own.muscle;
  member_.data.muscles_differ = own.muscles_differ;
  member_.data.actuated = own.actuated;
  member_.data.forces = Forces::of(spec, 0);
  member_.data.forces.responses = {};
  std::ranges::copy(own_arrays_, member_.all.base);
  restore(before);
  for (std::size_t k = 0; k < rods_.size(); ++k) {
    RestingRod& r = rods_[k];
    own_data_[k].actuation = own_actuation_->of_rod(k);
    r.data = &own_data_[k];
    r.load_tangent = coupling::LoadTangent(own_data_[k], muscle_of(own_data_[k]));
    if (r.seam) {
      r.seam->set_turn(own_data_[k].closure.seam);
      own_data_[k].closure.fill_ghosts(r.rod);
    } else {
      r.put_ends_as_in(own_data_[k].part(made), time);
    }
  }
  find_held(held_step_);
  note_rates(spec);
  couple(spec, made);
  place_motions(time, time);
  place_ties();
  measure(spec);
}

/// Puts ends that are held, and sliding ones on their axes, where those of a rod at rest are, after its
/// motion.
void RestingRods::RestingRod::put_ends_as_in(const RodView& made, double time) {
  const int n = rod.elements;
  const boundary::PinnedSliding& slides = data->sliding;
  for (const int node : {0, n}) {
    const Vec3 foot = made.vec3(field::position, node);
    if (rod.array(field::velocity_gain)[node] == 0.0) {
      rod.set_vec3(field::position, node, foot);
    } else if (node == 0 ? slides.first : slides.last) {
      const double way = dot(slides.axis, rod.vec3(field::position, node) - foot);
      rod.set_vec3(field::position, node, foot + way * slides.axis);
    }
  }
  if (ends.first) rod.set_quaternion(-1, made.quaternion(-1));
  if (ends.last) rod.set_quaternion(n, made.quaternion(n));
  if (data->motion.duration > 0.0) data->motion.place(OneThread{}, rod, time);
}

std::vector<double> RestingRods::length_weights() const {
  std::vector<double> weights;
  double nodes = 0.0;
  for (const RestingRod& r : rods_) nodes += r.rod.nodes();
  for (const RestingRod& r : rods_) {
    for (int i = 0; i <= r.rod.elements; ++i) {
      weights.insert(weights.end(), 3, 1.0 / (nodes * r.length * r.length));
      if (i < r.rod.elements) weights.insert(weights.end(), 3, 1.0 / nodes);
    }
  }
  return weights;
}

bool RestingRods::place(double from, double to) {
  const auto put = [&](bool spread) {
    place_ends(from, to, spread);
    place_motions(from, to, spread);
  };
  has_crossed_ = false;
  if (contacts() == nullptr && !ground_.has_solids()) {
    put(true);
    return true;
  }
  const std::vector<double> before = state();
  const std::vector<Vec3> nodes = node_positions();
  const std::vector<double> places =
      contacts() != nullptr ? couplings_->node_places(unknowns()) : std::vector<double>();
  for (const bool spread : {true, false}) {
    if (!spread && driven_turn(member_, held_step_, from, to) > most_driven_turn) return false;
    put(spread);
    if (!have_crossed(nodes) && (contacts() == nullptr || couplings_->is_clear_from(places))) {
      if (couplings_) couplings_->look();
      return true;
    }
    restore(before);
  }
  return false;
}

std::vector<Vec3> RestingRods::node_positions() const {
  std::vector<Vec3> positions;
  for (const RestingRod& r : rods_) {
    for (int i = 0; i <= r.rod.elements; ++i) positions.push_back(r.rod.vec3(field::position, i));
  }
  return positions;
}

bool RestingRods::have_crossed(std::span<const Vec3> before) const {
  for (const RestingRod& r : rods_) {
    if (ground_.is_crossed(r.rod, before)) return true;
    before = before.subspan(static_cast<std::size_t>(r.rod.nodes()));
  }
  return false;
}

/// The turn of an end is spread in any case: it moves no node.
void RestingRods::place_ends(double from, double to, bool spread_ways) {
  for (const RestingRod& r : rods_) {
    const boundary::PrescribedMotion& motion = r.data->motion;
    const double made = motion.progress(to) - motion.progress(from);
    if (made == 0.0) continue;
    const int n = r.rod.elements;
    const auto spread = [&](double first, double last, double place) {
      return made * (first + (last - first) * place / n);
    };
    for (int i = 1; spread_ways && i < n; ++i) {
      const double way = spread(motion.first.travel, motion.last.travel, i);
      r.rod.set_vec3(field::position, i, r.rod.vec3(field::position, i) + way * motion.axis);
    }
    for (int i = 0; i < n; ++i) {
      const Quaternion q = r.rod.quaternion(i);
      const double turn = spread(motion.first.turn, motion.last.turn, i + 0.5);
      const double along = dot(directors(q).d3, motion.axis);
      r.rod.set_quaternion(i, q * rotation({0.0, 0.0, std::copysign(turn, turn * along)}));
    }
    motion.place(OneThread{}, r.rod, to);
  }
  place_ties();
}

void RestingRods::set_loads(double time, double part) {
  load_time_ = time;
  load_part_ = part;
  ground_.set_time(time);
  member_.rods.set_natural_strains(OneThread{}, member_.all, time);
  member_.data.forces.evaluate(OneThread{}, member_.all, member_.rods, time);
  for (const RestingRod& r : rods_) {
    const int n = r.rod.elements;
    if (r.data->actuation.count > 0) r.data->actuation.add_internal_couples(r.rod, r.data->closure, time);
    forces::add_muscle_loads(r.load_tangent.muscle(), r.rod, time);
    if (r.seam && r.load_tangent.muscle().kind == MuscleKind::force) {  // node n is node 0
      r.rod.set_vec3(field::external_force, 0,
                     r.rod.vec3(field::external_force, 0) - r.rod.vec3(field::internal_force, n - 1));
    }
    if (const forces::EndLoad& load = r.data->end_load; load.acts) {
      load.apply(OneThread{}, r.rod, time);
      r.rod.set_vec3(field::external_force, n,
                     r.rod.vec3(field::external_force, n) + r.rod.vec3(field::internal_force, n));
      r.rod.set_vec3(field::external_couple, n - 1,
                     r.rod.vec3(field::external_couple, n - 1) + r.rod.vec3(field::bend_couple, n - 1));
    }
  }
  for (const RestingRod& r : rods_) {
    for (int i = r.first_own_node(); i <= r.rod.elements; ++i) {
      r.rod.set_vec3(field::external_force, i, part * r.rod.vec3(field::external_force, i));
      r.rod.set_vec3(field::external_couple, i, part * r.rod.vec3(field::external_couple, i));
    }
  }
  if (!couplings_) return;
  member_.rods.clear_ghost_forces(OneThread{}, member_.all);
  couplings_->add_loads();
  member_.rods.add_ghost_forces(OneThread{}, member_.all);
}

void RestingRods::subtract_loads(const RestingRod& r, double* gradient) const {
  for (int i = 0; i <= r.rod.elements; ++i) {
    if (i >= r.first_own_node() && i < r.end_of_own_nodes())
      subtract(gradient + node_unknown(i), r.rod.vec3(field::external_force, i));
    if (i < r.rod.elements) subtract(gradient + element_unknown(i), r.rod.vec3(field::external_couple, i));
  }
}

void RestingRods::balance(std::vector<double>& unbalanced) {
  set_gradient(unbalanced);
  if (couplings_) couplings_->ties().gather(unbalanced);
  for (double& pull : unbalanced) pull = -pull;
  hold(unbalanced);
}

/// Sets what holds the rods as they are.
void RestingRods::set_gradient(std::vector<double>& gradient) {
  gradient.resize(unknowns());
  for (const RestingRod& r : rods_) {
    const std::span<double> own(gradient.data() + r.first, r.diagonal.size());
    tangent::elastic_gradient(r.rod, r.ends, own);
    ground_.add_gradient(r.rod, own);
    if (r.seam) r.seam->close(own);
    subtract_loads(r, own.data());
  }
  if (!couplings_) return;
  couplings_->add_gradient(gradient);
  if (!couplings_->contacts()) return;
  std::vector<double> of_contact(gradient.size());
  couplings_->find_contact_again(of_contact);
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += of_contact[i];
}

/// Sets its gradient and its matrix, with nothing held.
void RestingRods::linearize_rod(RestingRod& r, std::span<double> own, const tangent::RodStress* stress) {
  if (r.mixed_matrix) {
    r.mixed_matrix->set_share(assembly_ ? share_in_band() : 0.0);
    tangent::elastic_gradient(r.rod, r.ends, own);
    tangent::mixed_hessian(r.rod, r.ends, *r.mixed_matrix, stress);
    add_to_hessian(r, *r.mixed_matrix);
  } else {
    tangent::elastic_hessian(r.rod, r.ends, own, r.matrix, stress);
    add_to_hessian(r, r.matrix);
  }
  ground_.add_gradient(r.rod, own);
  if (r.seam) r.seam->close(own);
  subtract_loads(r, own.data());
}

/// What is not elastic in it.
template <class Matrix>
void RestingRods::add_to_hessian(const RestingRod& r, Matrix& hessian) const {
  r.load_tangent.add(r.rod, load_time_, load_part_, hessian);
  ground_.add_hessian(r.rod, hessian);
  if (share_along_ > 0.0) add_masses_along(r, hessian);
}

void RestingRods::linearize(std::vector<double>& unbalanced, bool predicted) {
  if (couplings_) return linearize_coupled(unbalanced, predicted);
  unbalanced.resize(unknowns());
  for (RestingRod& r : rods_) {
    const std::span<double> own(unbalanced.data() + r.first, r.diagonal.size());
    const tangent::RodStress* const stress = predicted ? &r.predicted : nullptr;
    linearize_rod(r, own, stress);
    if (r.seam) r.seam->cut(r.matrix, stress);  // which takes what is there of its unknowns
    if (r.mixed_matrix) {
      r.held.hold(*r.mixed_matrix);
    } else {
      r.held.hold(r.matrix);
    }
    if (r.seam) {
      for (const int unknown : r.held.unknowns()) r.seam->hold(unknown);
    }
    if (r.unsymmetric) r.load_tangent.set_blocks(r.rod, load_time_, load_part_, r.blocks);
    for (int i = 0; i < r.matrix.size(); ++i) r.diagonal[static_cast<std::size_t>(i)] = diagonal_of(r, i);
    hold_gauge(r);
  }
  for (double& pull : unbalanced) pull = -pull;
  hold(unbalanced);
}

void RestingRods::linearize_at_rest() {
  std::vector<double> unbalanced;
  linearize(unbalanced, false);
  if (!mixed_) return;
  note_stress();
  const std::vector<double> changes = balancing_forces(unbalanced);
  const double* change = changes.data();
  for (RestingRod& r : rods_) {
    const double whole = 1.0 / (1.0 - r.mixed_matrix->share());
    for (int i = 0; i < r.rod.elements; ++i, change += 3)
      r.predicted.forces().set(i, r.predicted.forces()(i) + whole * three(change));
  }
  linearize(unbalanced, true);
}

/// By how much the forces of elements differ from those of positions where these balance the loads but for
/// rounding: three numbers each.
std::vector<double> RestingRods::balancing_forces(const std::vector<double>& unbalanced) {
  std::vector<double> step = unbalanced;
  std::vector<double> changes;
  const double share = balancing_share * slowest_;
  if (assembly_) {
    assembly_->factor(share, slow_inertia_);
    assembly_->solve(step, changes);
    return changes;
  }
  for (RestingRod& r : rods_) {
    double* const own = step.data() + r.first;
    const std::size_t first = changes.size();
    changes.resize(first + static_cast<std::size_t>(tangent::forces_of(r.rod.elements)));
    factor_rod(r, share, slow_inertia_, nullptr, LdltSweep::whole);
    r.mixed_factors->solve(own, changes.data() + first);
  }
  return changes;
}

void RestingRods::hold_gauge(RestingRod& r) {
  for (const int unknown : r.gauge) {
    if (r.mixed_matrix) {
      r.mixed_matrix->hold(unknown);
    } else {
      r.matrix.hold(unknown);
    }
    if (r.seam) r.seam->hold(unknown);
    r.diagonal[static_cast<std::size_t>(unknown)] = 1.0;
  }
}

bool RestingRods::factor_unsymmetric(RestingRod& r) {
  BandedMatrix& whole = *r.unsymmetric;
  whole.set_zero();
  const auto copy = [&](const auto& band) {
    for (int j = 0; j < band.size(); ++j) {
      const double* const column = band.column(j);
      const int last = std::min(whole.bandwidth(), band.size() - 1 - j);
      whole.at(j, j) = column[0];
      for (int k = 1; k <= last; ++k) whole.at(j + k, j) = whole.at(j, j + k) = column[k];
    }
  };
  if (r.mixed_matrix) {
    copy(r.mixed_matrix->band());
  } else {
    copy(r.matrix);
  }
  const auto place = [&](int unknown) { return r.mixed_matrix ? tangent::mixed_place(unknown) : unknown; };
  for (const coupling::LoadBlock& block : r.blocks) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        whole.at(place(block.row + i), place(block.column + j)) += block.derivative(i, j);
    }
  }
  if (r.mixed_matrix) {
    r.held.hold_mixed(whole);
  } else {
    r.held.hold(whole);
  }
  return whole.factor();
}

/// Of the matrix over the inertia, in the mixed form over that in slow motions, the largest entry of the
/// diagonal, 1/s^2.
double RestingRods::largest_rate() const {
  if (assembly_) return assembly_->largest_ratio();
  double largest = 0.0;
  for (const RestingRod& r : rods_) {
    for (std::size_t i = 0; i < r.diagonal.size(); ++i) {
      const std::size_t k = r.first + i;
      if (!is_held_[k]) largest = std::max(largest, r.diagonal[i] / step_inertia()[k]);
    }
  }
  return largest;
}

double RestingRods::rounding() const { return std::numeric_limits<double>::epsilon() * largest_rate(); }

/// Replaces `vector`, if there is one, by what the matrix answers to it.
int RestingRods::factor_rod(RestingRod& r, double share, const std::vector<double>& inertia, double* vector,
                            LdltSweep sweep) {
  for (int i = 0; i < r.matrix.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    diagonal_of(r, i) = r.diagonal[k] + share * inertia[r.first + k];
  }
  const std::span<double> own(vector, vector != nullptr ? r.diagonal.size() : 0);
  if (r.unsymmetric) {
    const bool regular = factor_unsymmetric(r);
    if (vector != nullptr) solve_in_unsymmetric(r, own);
    return regular ? 0 : 1;
  }
  if (r.mixed_matrix) {
    const int negative = r.mixed_factors->factor(*r.mixed_matrix);
    if (vector != nullptr) r.mixed_factors->solve(vector);
    return negative;
  }
  if (r.seam && !r.held_at_seam) {
    std::array<double, tangent::Seam::size> added{};
    for (std::size_t k = 0; k < added.size(); ++k) added[k] = share * inertia_[r.first + k];
    const double negative = r.factors.factor(r.matrix).negative + r.seam->factor(r.factors, added).negative;
    if (vector != nullptr) r.seam->solve(r.factors, own);
    return static_cast<int>(negative);
  }
  const double negative = r.factors.factor_and_forward(r.matrix, vector, sweep).negative;
  if (vector != nullptr && (sweep == LdltSweep::whole || negative == 0.0)) r.factors.back(vector);
  return static_cast<int>(negative);
}

int RestingRods::factor(double share) {
  if (assembly_) return assembly_->factor(share, inertia_);
  int negative = 0;
  for (RestingRod& r : rods_) negative += factor_rod(r, share, inertia_, nullptr, LdltSweep::whole);
  return negative;
}

int RestingRods::solve(double share, const std::vector<double>& pull, std::vector<double>& step) {
  return solve_by(share, pull, step, LdltSweep::whole);
}

bool RestingRods::solve_if_definite(double share, const std::vector<double>& pull,
                                    std::vector<double>& step) {
  return solve_by(share, pull, step, LdltSweep::while_positive) == 0;
}

int RestingRods::solve_by(double share, const std::vector<double>& pull, std::vector<double>& step,
                          LdltSweep sweep) {
  step = pull;
  if (assembly_) {
    for (const int unknown : coupled_gauge_) step[static_cast<std::size_t>(unknown)] = 0.0;
    const int below = assembly_->factor(share, step_inertia());
    if (sweep == LdltSweep::while_positive && below > 0) return below;
    assembly_->solve(step);
    hold(step);
    return below;
  }
  int negative = 0;
  for (RestingRod& r : rods_) {
    double* const own = step.data() + r.first;
    for (const int unknown : r.gauge) own[unknown] = 0.0;
    negative += factor_rod(r, share, step_inertia(), own, sweep);
    if (sweep == LdltSweep::while_positive && negative > 0) return negative;
  }
  hold(step);
  return negative;
}

template <class Number>
void RestingRods::solve_in_unsymmetric(const RestingRod& r, std::span<Number> vector) {
  if constexpr (!std::is_same_v<Number, double>) {
    std::vector<double> one(vector.size());
    for (int lane = 0; lane < tangent::RodPack::lanes; ++lane) {
      for (std::size_t i = 0; i < one.size(); ++i) one[i] = vector[i][lane];
      solve_in_unsymmetric(r, std::span(one));
      for (std::size_t i = 0; i < one.size(); ++i) vector[i].set(lane, one[i]);
    }
  } else {
    if (!r.mixed_matrix) return r.unsymmetric->solve(vector);
    std::vector<double> whole(static_cast<std::size_t>(r.unsymmetric->size()));
    const auto place = [](std::size_t unknown) {
      return static_cast<std::size_t>(tangent::mixed_place(static_cast<int>(unknown)));
    };
    for (std::size_t i = 0; i < vector.size(); ++i) whole[place(i)] = vector[i];
    r.unsymmetric->solve(whole);
    for (std::size_t i = 0; i < vector.size(); ++i) vector[i] = whole[place(i)];
  }
}

template <class Number>
void RestingRods::solve_again(std::vector<Number>& vector) const {
  hold(vector);
  if (assembly_) {
    for (const int unknown : coupled_gauge_) vector[static_cast<std::size_t>(unknown)] = Number(0.0);
    assembly_->solve(vector);
    return hold(vector);
  }
  for (const RestingRod& r : rods_) {
    const std::span<Number> own(vector.data() + r.first, r.diagonal.size());
    for (const int unknown : r.gauge) own[static_cast<std::size_t>(unknown)] = Number(0.0);
    if (r.unsymmetric) {
      solve_in_unsymmetric(r, own);
    } else if (r.mixed_factors) {
      r.mixed_factors->solve(own.data());
    } else if (r.seam && !r.held_at_seam) {
      r.seam->solve(r.factors, own);
    } else {
      r.factors.solve(own.data());
    }
  }
  hold(vector);
}

template void RestingRods::solve_again(std::vector<double>&) const;
template void RestingRods::solve_again(std::vector<DoublePack>&) const;

std::vector<double> RestingRods::ways_along(std::span<const double> step) {
  std::vector<double> ways(step.begin(), step.end());
  for (RestingRod& r : rods_) {
    if (!r.seam) continue;
    const std::span<const double> own = r.seam->with_ghosts(step.subspan(r.first, r.diagonal.size()));
    std::copy_n(own.begin(), r.diagonal.size(), ways.begin() + static_cast<std::ptrdiff_t>(r.first));
  }
  if (couplings_) couplings_->ties().spread(ways);
  return ways;
}

void RestingRods::note_stress() { predict_stresses(std::vector<double>(unknowns())); }

/// Those after a step, by their derivatives.
void RestingRods::predict_stresses(const std::vector<double>& step) {
  std::vector<double> ways = step;
  if (couplings_) couplings_->ties().spread(ways);
  for (RestingRod& r : rods_) {
    std::span<const double> own(ways.data() + r.first, r.diagonal.size());
    if (r.seam) own = r.seam->with_ghosts(own);
    tangent::predict_stress(r.rod, r.ends, own, 1.0, r.predicted);
  }
}

void RestingRods::take(std::span<const double> step, double part) {
  const std::vector<Vec3> before = ground_.has_solids() ? node_positions() : std::vector<Vec3>();
  if (couplings_) {
    take_coupled(step, part);
  } else {
    take_each(step, part);
  }
  has_crossed_ = has_crossed_ || (ground_.has_solids() && have_crossed(before));
}

void RestingRods::take_each(std::span<const double> step, double part) {
  for (RestingRod& r : rods_) {
    std::span<const double> own = step.subspan(r.first, r.diagonal.size());
    if (r.seam) own = r.seam->with_ghosts(own);
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
  constexpr int most_elements = 1000;  // what eight longer rods need has no place near a core
  const RestingRod& r = rods_.front();
  return rods_.size() == 1 && r.rod.elements <= most_elements && !couplings_ && !r.seam && have_energy_ &&
         !mixed_ && !ground_.exists() && member_.motions.count == 0 &&
         !member_.data.forces.between_elements.acts(load_time_) && r.gauge.empty();
}

bool RestingRods::have_dead_loads() const {
  const RestingRod& r = rods_.front();
  return r.data->actuation.count == 0 && r.load_tangent.muscle().kind == MuscleKind::none &&
         !r.data->forces.get<forces::MagneticCouple>().acts(load_time_) &&
         !member_.data.forces.on_nodes.acts(load_time_);
}

bool RestingRods::go_beside(const RestingRods& others) const {
  const RestingRod& r = rods_.front();
  const RestingRod& other = others.rods_.front();
  return r.rod.elements == other.rod.elements && r.ends.first == other.ends.first &&
         r.ends.last == other.ends.last && r.held == other.held;
}

std::vector<double> RestingRods::state() const {
  std::vector<double> state;
  for (const RestingRod& r : rods_) {
    for (int i = -1; i <= r.rod.elements; ++i) {
      const Vec3 x = r.rod.vec3(field::position, i);
      const Quaternion q = r.rod.quaternion(i);
      state.insert(state.end(), {x.x, x.y, x.z, q.w, q.x, q.y, q.z});
    }
  }
  return state;
}

double RestingRods::distance(const std::vector<double>& from) const {
  double squares = 0.0;
  double nodes = 0.0;
  const double* s = from.data();
  for (const RestingRod& r : rods_) {
    for (int i = -1; i <= r.rod.elements; ++i, s += 7) {
      if (i < 0) continue;
      const Vec3 way = r.rod.vec3(field::position, i) - three(s);
      squares += dot(way, way) / (r.length * r.length);
      ++nodes;
    }
  }
  return std::sqrt(squares / nodes);
}

void RestingRods::restore(const std::vector<double>& state) {
  const double* s = state.data();
  for (const RestingRod& r : rods_) {
    for (int i = -1; i <= r.rod.elements; ++i, s += 7) {
      r.rod.set_vec3(field::position, i, {s[0], s[1], s[2]});
      r.rod.set_quaternion(i, {s[3], s[4], s[5], s[6]});
    }
  }
  stand();
}

Sample RestingRods::sample() const {
  for (const RestingRod& r : rods_) {
    tangent::set_internal_loads(r.rod, r.ends);
    if (r.seam) r.data->closure.fill_ghost_loads(r.rod);
  }
  if (couplings_) couplings_->set_joint_couples();
  Sample sample{take_sample(OneThread{}, member_.all, member_.rods, member_.data.step)};
  if (!member_.all.circular) sample_two_axes(OneThread{}, member_.all, member_.rods, sample);
  sample.distributed_potential = distributed_potential(OneThread{}, member_.all, member_.rods);
  if (member_.data.actuated)
    sample.shear_energy = natural_shear_energy(OneThread{}, member_.all, member_.rods);
  if (member_.data.actuated && !member_.all.circular)
    sample.shear_energy += second_natural_shear_energy(OneThread{}, member_.all, member_.rods);
  for (const RestingRod& r : rods_) sample.ground_energy += ground_.energy(r.rod);
  if (couplings_ && couplings_->links()) {
    sample.connection_energy = couplings_->links()->energy();
    sample.broken_bonds = couplings_->links()->broken();
  }
  return sample;
}

}  // namespace rodeo::statics
