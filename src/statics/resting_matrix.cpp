#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "rodeo/math/vec3.hpp"

#include "held_below.hpp"
#include "resting_rods.hpp"

namespace rodeo::statics {

namespace {

/// Share of inertia that balances forces, over the square of the slowest vibration: it keeps motions that
/// cost no energy from going far, where forces would no longer change linearly, and hides no vibration.
constexpr double balancing_share = 1e-3;

}  // namespace

/// Sets the gradient and the matrix of a rod, with nothing held.
void RestingRods::linearize_rod(CosseratRod& r, std::span<double> own, const tangent::RodStress* stress) {
  if (r.mixed_matrix) {
    r.mixed_matrix->set_share(act_on_each_other() ? share_in_band() : 0.0);
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

/// Adds the second derivatives of loads and ground, and masses along elements.
template <class Matrix>
void RestingRods::add_to_hessian(const CosseratRod& r, Matrix& hessian) const {
  r.load_tangent.add(r.rod, load_time_, load_part_, hessian);
  r.data->forces.add_hessian_of_nodes(r.rod, load_part_, hessian);
  ground_.add_hessian(r.rod, hessian);
  if (share_along_ != 0.0) add_masses_along(r, hessian);
}

/// Makes one matrix of all rods where a symmetric band for each is not enough: nor is the plain form for
/// closed ones that are stiff.
void RestingRods::couple(const MemberSpec& spec, const RodView& made) {
  const bool are_coupled =
      !spec.connections.empty() || spec.contact.kind != ContactKind::none ||
      std::ranges::any_of(rods_, [&](const CosseratRod& r) {
        return r.data->shares_first_node || (r.seam && is_stiff_at_first_) || !r.load_tangent.has_energy();
      });
  contact_.reset();
  std::optional<coupling::Contacts> contacts =
      coupling::make_contacts(spec, made, member_.all, coupling::cosserat_stride);
  if (contacts) contact_.emplace(std::move(*contacts));
  if (are_coupled != has_one_matrix_) groups_.clear();
  has_one_matrix_ = are_coupled;
  if (!are_coupled) assembly_.reset();
}

void RestingRods::make_assembly() {
  std::vector<int> turns;
  for (const CosseratRod& r : rods_) {
    for (int i = 0; mixed_ && i < r.rod.elements; ++i)
      turns.push_back(static_cast<int>(r.first) + tangent::element_unknown(i));
  }
  assembly_.emplace(ties_, inertia_, turns);
  if (!slow_inertia_.empty()) assembly_->set_inertia(inertia_, step_inertia());
}

/// Sets the matrix of all rods, with nothing but gauges held that supports do not hold.
void RestingRods::assemble(bool predicted) {
  begin(*assembly_);
  add_to(*assembly_, 0.0, predicted);
  for (CosseratRod& r : rods_) {
    if (r.load_tangent.has_energy()) continue;
    r.load_tangent.set_blocks(r.rod, load_time_, load_part_, r.blocks);
    assembly_->add_unsymmetric(static_cast<int>(r.first), r.blocks);
  }
  if (contact_) {
    contact_->for_each_block(
        [&](int row, int column, const Matrix3& block) { assembly_->add(row, column, block); });
  }
  assembly_->finish();
}

/// Linearizes about the present state alone, unless iterations go on with predicted stresses.
void RestingRods::linearize(std::vector<double>& unbalanced, bool predicted) {
  if (contact_ && !predicted) contact_->forget();
  if (assembly_ && !predicted) assembly_->forget();
  unbalanced.resize(unknowns());
  for (CosseratRod& r : rods_) linearize_rod(r, r.part(unbalanced), predicted ? &r.predicted : nullptr);
  ties_.gather(unbalanced);
  for (double& pull : unbalanced) pull = -pull;
  hold(unbalanced);
  if (contact_) {
    std::vector<double> of_contact;
    std::vector<double> pull = unbalanced;
    ties_.spread(pull);
    contact_->find(node_places(), pull, of_contact);
    ties_.gather(of_contact);
    for (std::size_t i = 0; i < of_contact.size(); ++i) unbalanced[i] -= of_contact[i];
    hold(unbalanced);
  }
  if (assembly_) {
    assemble(predicted);
  } else {
    for (CosseratRod& r : rods_) {
      r.constrain(predicted ? &r.predicted : nullptr, across(r));
      r.diagonal.clear();
      for (int i = 0; i < r.matrix.size(); ++i) r.diagonal.push_back(diagonal_of(r, i));
    }
  }
  for (const Group& group : groups_) hold_gauge(group);
}

void RestingRods::linearize_at_rest() {
  std::vector<double> unbalanced;
  linearize(unbalanced, false);
  if (!mixed_) return;
  note_stress();
  const std::vector<double> changes = balancing_forces(unbalanced);
  const double* change = changes.data();
  for (CosseratRod& r : rods_) {
    const double whole = 1.0 / (1.0 - r.mixed_matrix->share());
    for (int i = 0; i < r.rod.elements; ++i, change += 3)
      r.predicted.forces().set(i, r.predicted.forces()(i) + whole * three_at(change));
  }
  linearize(unbalanced, true);
}

/// Changes that make the elements' forces balance the loads, which those of positions balance but for
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
  for (CosseratRod& r : rods_) {
    double* const own = step.data() + r.first;
    const std::size_t first = changes.size();
    changes.resize(first + static_cast<std::size_t>(tangent::forces_of(r.rod.elements)));
    factor_rod(r, share, slow_inertia_, nullptr, LdltSweep::whole);
    r.mixed_factors->solve(own, changes.data() + first);
  }
  return changes;
}

/// Largest diagonal entry, in size, of the matrix over the inertia, in the mixed form over that in slow
/// motions, 1/s^2. Tension alone makes entries of turns negative.
double RestingRods::largest_rate() const {
  if (assembly_) return assembly_->largest_ratio();
  double largest = 0.0;
  for (const CosseratRod& r : rods_) {
    for (std::size_t i = 0; i < r.size(); ++i) {
      const std::size_t k = r.first + i;
      if (!is_held_[k]) largest = std::max(largest, std::abs(r.diagonal[i]) / step_inertia()[k]);
    }
  }
  return largest;
}

double RestingRods::rounding() const { return std::numeric_limits<double>::epsilon() * largest_rate(); }

/// Factors the matrix of a rod, and replaces `vector`, if there is one, by its solution.
int RestingRods::factor_rod(CosseratRod& r, double share, const std::vector<double>& inertia, double* vector,
                            LdltSweep sweep) {
  for (int i = 0; i < r.matrix.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    diagonal_of(r, i) = r.diagonal[k] + share * inertia[r.first + k];
  }
  std::array<double, tangent::Seam::size> added{};
  for (std::size_t k = 0; k < added.size(); ++k) added[k] = share * inertia_[r.first + k];
  return r.factor(added, vector, sweep);
}

int RestingRods::factor(double share) {
  if (assembly_) return assembly_->factor(share, inertia_);
  int negative = 0;
  for (CosseratRod& r : rods_) {
    negative += factor_rod(r, share, inertia_, nullptr, LdltSweep::whole);
    if (share < 0.0) negative -= held_below(r, share);
  }
  return negative;
}

/// Counts held unknowns below zero; those that a seam takes out of the matrix stand as held ones.
int RestingRods::held_below(const CosseratRod& r, double share) const {
  const double* const inertia = inertia_.data() + r.first;
  const auto in_mixed_form = r.mixed_matrix ? std::optional(across(r)) : std::nullopt;
  double below =
      statics::held_below(r.held, r.matrix.size(), share, inertia, r.diagonal.data(), in_mixed_form);
  for (std::size_t k = 0; r.seam && k < tangent::Seam::size; ++k) below += 1.0 + share * inertia[k] < 0.0;
  return static_cast<int>(std::round(below));
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
  clear_gauge(step);
  if (assembly_) {
    const int below = assembly_->factor(share, step_inertia());
    if (sweep == LdltSweep::while_positive && below > 0) return below;
    assembly_->solve(step);
    hold(step);
    return below;
  }
  int negative = 0;
  for (CosseratRod& r : rods_) {
    double* const own = step.data() + r.first;
    negative += factor_rod(r, share, step_inertia(), own, sweep);
    if (sweep == LdltSweep::while_positive && negative > 0) return negative;
  }
  hold(step);
  return negative;
}

template <class Number>
void RestingRods::solve_again(std::vector<Number>& vector) const {
  hold(vector);
  clear_gauge(vector);
  if (assembly_) {
    assembly_->solve(vector);
    return hold(vector);
  }
  for (const CosseratRod& r : rods_) r.solve(std::span<Number>(vector.data() + r.first, r.size()));
  hold(vector);
}

template void RestingRods::solve_again(std::vector<double>&) const;
template void RestingRods::solve_again(std::vector<DoublePack>&) const;

}  // namespace rodeo::statics
