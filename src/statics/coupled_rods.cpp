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
      turns.push_back(static_cast<int>(r.first) + element_unknown(i));
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

}  // namespace rodeo::statics
