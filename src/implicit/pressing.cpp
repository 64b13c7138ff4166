#include "pressing.hpp"

#include <algorithm>

#include "rodeo/coupling/blocks.hpp"

namespace rodeo::implicit {

Pressing::Pressing(const MemberSpec& spec, const RodView& all, const coupling::Ties& ties)
    : ties_(ties), contacts_(coupling::make_contacts(spec, all, all, coupling::cosserat_stride)) {
  if (spec.ground.exists()) ground_.emplace(spec, coupling::cosserat_stride);
}

/// With rod contact, which keeps its own list of near pairs, the ground is never left out.
void Pressing::begin_step(const std::vector<CosseratRod>& rods, const std::vector<double>& start, double end,
                          double step, bool has_pressed) {
  start_ = start;
  end_ = end;
  if (!ground_) return;
  ground_->place_platen(end - step, end);
  std::vector<coupling::GroundContact::Strand> strands;
  strands.reserve(rods.size());
  for (const CosseratRod& r : rods)
    strands.push_back({r.rod, static_cast<int>(r.first), r.of(std::as_const(start_))});
  ground_->begin_step(strands, step);
  is_out_of_reach_ = !contacts_ && !has_pressed && !ground_->is_in_reach();
}

bool Pressing::begin_iteration(const std::vector<double>& guess, double step) {
  return !contacts_ || contacts_->begin_step(start_, guess, step);
}

bool Pressing::take_ground_if_reached(const std::vector<double>& q) {
  if (!is_out_of_reach_ || !ground_->is_reached_by(q)) return false;
  is_out_of_reach_ = false;
  return true;
}

void Pressing::find(const std::vector<double>& q, const std::vector<double>& pull,
                    std::vector<double>& force) {
  at_ = q;
  force.assign(q.size(), 0.0);
  if (has_ground()) ground_->add_residual(q, force);
  acts_ = std::ranges::any_of(force, [](double f) { return f != 0.0; });
  ties_.gather(force);
  if (contacts_) {
    of_ground_ = force;
    ties_.spread(of_ground_);
    without_contact_ = pull;
    for (std::size_t i = 0; i < force.size(); ++i) without_contact_[i] -= force[i];
    ties_.spread(without_contact_);
    contacts_->set_stiffness(without_contact_);
    contacts_->add_residual(q, force);
    acts_ = acts_ || contacts_->active();
    ties_.gather(force);
  }
  ties_.spread(force);
}

void Pressing::add_matrix(double share, coupling::Assembly& matrix) {
  if (!is_symmetric()) matrix.expect_unsymmetric();
  if (has_ground()) {
    if (!band_) band_.emplace(static_cast<int>(at_.size()), tangent::half_bandwidth);
    band_->set_zero();
    ground_->add_jacobian(at_, *band_);
    band_->scale(share);
    matrix.add_band(0, *band_);
  }
  if (!contacts_) return;
  const contact::PairMatrix nothing(contacts_->turns());
  for (const coupling::PairNodes& nodes : contacts_->near_pairs())  // a pattern for what may come next
    coupling::for_each_block(nodes, nothing, [&](int row, int column, const Matrix3& entries) {
      matrix.add(row, column, entries);
    });
  contacts_->linearize(change_);
  contacts_->for_each_jacobian([&](const coupling::PairNodes& nodes, const contact::PairMatrix& block) {
    coupling::for_each_block(nodes, block, [&](int row, int column, const Matrix3& entries) {
      matrix.add(row, column, share * entries);
    });
  });
}

bool Pressing::is_symmetric() const {
  return !(contacts_ && contacts_->has_friction()) && !(has_ground() && !ground_->is_symmetric());
}

double Pressing::bound(const std::vector<double>& p) {
  const double part = contacts_ ? contacts_->bound(at_, p) : 1.0;
  return has_ground() ? std::min(part, ground_->bound(at_, p)) : part;
}

bool Pressing::accept(const std::vector<double>& q) {
  if (contacts_ && !contacts_->is_passable(q)) return false;
  if (contacts_) contacts_->watch().look();
  if (has_ground()) {
    ground_->look(q);
    ground_->accept(q);
  }
  return true;
}

void Pressing::forget() {
  if (!contacts_) return;
  contacts_->forget();
  contacts_->watch().stand();
}

void Pressing::count(bool converged, int iterations, ImplicitSample& counts) const {
  if (contacts_) coupling::count_contacts(contacts_->state(), converged, iterations, counts);
  if (ground_) counts.passed_through = counts.passed_through || ground_->has_passed();
}

void Pressing::visit_state(StateArchive& archive) {
  if (ground_) ground_->visit_state(archive);
}

}  // namespace rodeo::implicit
