#include <algorithm>

#include "rodeo/math/vec3.hpp"

#include "resting_rods.hpp"

// Rods that act on each other: one matrix for all of them.

namespace rodeo::statics {

using tangent::element_unknown;

/// Makes one matrix of all rods where a symmetric band for each is not enough: nor is the plain form for
/// closed ones that are stiff.
void RestingRods::couple(const MemberSpec& spec, const RodView& made) {
  const bool are_coupled =
      !spec.connections.empty() || spec.contact.kind != ContactKind::none ||
      std::ranges::any_of(rods_, [&](const RestingRod& r) {
        return r.data->shares_first_node || (r.seam && is_stiff_at_first_) || !r.load_tangent.has_energy();
      });
  std::vector<connection::PointLink> before;
  if (links() != nullptr) before = links()->points();
  couplings_.reset();
  if (are_coupled != assembly_.has_value()) groups_.clear();
  if (!are_coupled) return assembly_.reset();
  couplings_.emplace(spec, made, member_);
  if (links() == nullptr) return;
  for (std::size_t k = 0; k < before.size(); ++k) links()->points()[k].broken = before[k].broken;
}

/// Gathers the inertia of tied nodes. An assembly that there is stays, with its factors.
void RestingRods::note_coupled_inertia() {
  couplings_->ties().gather_entries(inertia_);
  if (!assembly_) make_assembly();
}

void RestingRods::make_assembly() {
  std::vector<int> turns;
  for (const RestingRod& r : rods_) {
    for (int i = 0; mixed_ && i < r.rod.elements; ++i)
      turns.push_back(static_cast<int>(r.first) + element_unknown(i));
  }
  assembly_.emplace(couplings_->ties(), inertia_, turns);
  if (!slow_inertia_.empty()) assembly_->set_inertia(inertia_, step_inertia());
}

void RestingRods::place_ties() {
  if (couplings_) couplings_->ties().place(member_.all);
}

/// Linearizes about the present state alone, unless iterations go on with predicted stresses.
void RestingRods::linearize_coupled(std::vector<double>& unbalanced, bool predicted) {
  if (!predicted) {
    couplings_->forget_contact();
    assembly_->forget();
  }
  unbalanced.resize(unknowns());
  for (RestingRod& r : rods_) {
    const std::span<double> own(unbalanced.data() + r.first, r.size());
    linearize_rod(r, own, predicted ? &r.predicted : nullptr);
  }
  couplings_->add_gradient(unbalanced);
  couplings_->ties().gather(unbalanced);
  for (double& pull : unbalanced) pull = -pull;
  hold(unbalanced);
  if (couplings_->contacts()) {
    std::vector<double> of_contact;
    couplings_->find_contact(unbalanced, of_contact);
    couplings_->ties().gather(of_contact);
    for (std::size_t i = 0; i < of_contact.size(); ++i) unbalanced[i] -= of_contact[i];
    hold(unbalanced);
  }
  assemble(predicted);
}

void RestingRods::assemble(bool predicted) {
  std::vector<coupling::Assembly::Held> held;
  for (const RestingRod& r : rods_)
    held.push_back({&r.held, static_cast<int>(r.first), r.matrix.size(), r.seam.has_value()});
  assembly_->begin(held);
  int element = 0;  // the first of the rod among all
  for (RestingRod& r : rods_) {
    const int first = static_cast<int>(r.first);
    if (r.mixed_matrix) {
      assembly_->add_mixed(first, element, *r.mixed_matrix);
    } else {
      assembly_->add_band(first, r.matrix);
    }
    element += r.rod.elements;
    if (r.seam) {
      const tangent::Seam::Blocks blocks = r.seam->blocks(predicted ? &r.predicted : nullptr);
      const int turn = first + element_unknown(0);
      const int last = first + element_unknown(r.rod.elements - 1);
      assembly_->add(turn, turn, blocks.of_first);
      assembly_->add(last, turn, blocks.last_first);
      assembly_->add(turn, last, transpose(blocks.last_first));
    }
    if (r.load_tangent.has_energy()) continue;
    r.load_tangent.set_blocks(r.rod, load_time_, load_part_, r.blocks);
    assembly_->add_unsymmetric(first, r.blocks);
  }
  couplings_->for_each_block(
      [&](int row, int column, const Matrix3& block) { assembly_->add(row, column, block); });
  assembly_->finish();
  hold_gauge(groups_.front());
}

/// The stresses of all rods are predicted before any of them moves: they share nodes.
void RestingRods::take_coupled(std::span<const double> step, double part) {
  std::vector<double> ways(step.begin(), step.end());
  couplings_->ties().spread(ways);
  for (RestingRod& r : rods_) tangent::predict_stress(r.rod, r.ends, r.way(ways), part, r.predicted);
  for (RestingRod& r : rods_) {
    if (r.data->shares_first_node) std::fill_n(ways.begin() + static_cast<std::ptrdiff_t>(r.first), 3, 0.0);
    tangent::take_step(r.rod, r.way(ways), part);
    if (r.seam) r.data->closure.fill_ghosts(r.rod);
  }
  couplings_->look();
}

}  // namespace rodeo::statics
