#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/linear/dense_solvers.hpp"

#include "resting_rods.hpp"

// Rods that act on each other: one matrix for all of them, and free motions of all together.

namespace rodeo::statics {

using tangent::element_unknown;

namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Whether the band of each rod alone does not do. `stiff`: nor does the plain form.
bool needs_assembly(const MemberSpec& spec, const RodData& rod, const coupling::LoadTangent& loads,
                    bool stiff) {
  return !spec.connections.empty() || spec.contact.kind != ContactKind::none || rod.shares_first_node ||
         (rod.closure.closed && (stiff || !loads.has_energy()));
}

}  // namespace

void RestingRods::couple(const MemberSpec& spec, const RodView& made) {
  const bool are_coupled = std::ranges::any_of(rods_, [&](const RestingRod& r) {
    return needs_assembly(spec, *r.data, r.load_tangent, is_stiff_at_first_);
  });
  std::vector<connection::PointLink> before;
  if (links() != nullptr) before = links()->points();
  couplings_.reset();
  if (!are_coupled) return assembly_.reset();
  couplings_.emplace(spec, made, member_);
  if (links() == nullptr) return;
  for (std::size_t k = 0; k < before.size(); ++k) links()->points()[k].broken = before[k].broken;
}

/// The factors of the matrix outlast a change of what the rods are.
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

/// What follows begins anew from the present state unless it goes on with predicted stresses.
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
  for (const int unknown : coupled_gauge_) assembly_->hold(unknown);
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

/// Those of each rod by itself, among all unknowns.
std::vector<std::vector<double>> RestingRods::coupled_motions() const {
  std::vector<std::vector<double>> motions;
  for (const RestingRod& r : rods_) {
    for (const std::vector<double>& own : rigid_motions(r)) {
      std::vector<double>& motion = motions.emplace_back(unknowns());
      std::ranges::copy(own, motion.begin() + static_cast<std::ptrdiff_t>(r.first));
    }
  }
  return motions;
}

/// What is held of a displacement, and by how much it tears nodes apart that are one, times the root of the
/// inertia.
std::vector<double> RestingRods::moved_apart(const std::vector<double>& motion) const {
  std::vector<double> apart;
  for (const RestingRod& r : rods_) {
    const auto begin = motion.begin() + static_cast<std::ptrdiff_t>(r.first);
    std::vector<double> own(begin, begin + r.matrix.size());
    const std::vector<double> held = held_part(r, own);
    apart.insert(apart.end(), held.begin(), held.end());
  }
  for (const coupling::Ties::Follower& f : couplings_->ties().followers()) {
    if (f.is_ghost) continue;
    for (int c = 0; c < 3; ++c) {
      const auto own = static_cast<std::size_t>(f.unknown + c);
      const auto leader = static_cast<std::size_t>(f.leader + c);
      apart.push_back(std::sqrt(inertia_[leader]) * (motion[own] - motion[leader]));
    }
  }
  return apart;
}

/// Of motions that cost so little that the stiffest part of rods hides it, by what they tear apart: those
/// that cost nothing. Others are slow modes, as the swing of a long rod on a stub. What they cost is found
/// among them alone, where nothing stiff rounds it.
std::vector<std::vector<double>> RestingRods::motions_without_cost(
    const std::vector<std::vector<double>>& slow, const std::vector<std::vector<double>>& apart,
    double prevented) const {
  if (slow.empty()) return {};
  const auto count = static_cast<Eigen::Index>(slow.size());
  Eigen::MatrixXd stiffness(count, count);
  std::vector<double> answer(unknowns());
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    assembly_->multiply(slow[k], answer);
    for (Eigen::Index j = 0; j <= i; ++j) {
      const auto m = static_cast<std::size_t>(j);
      stiffness(i, j) = stiffness(j, i) = product(slow[m], answer) + prevented * product(apart[k], apart[m]);
    }
  }
  const SymmetricEigen eigen = symmetric_eigen(stiffness);
  std::vector<std::vector<double>> free;
  for (Eigen::Index i = 0; i < count; ++i) {
    std::vector<double> motion = combination(slow, {&eigen.vectors(0, i), slow.size()});
    if (std::abs(eigen.values(i)) <= square_without_cost(assembly_->size_of_terms(motion)))
      free.push_back(std::move(motion));
  }
  return free;
}

/// Rods may move against each other as wholes, as at hinges. Of all that each may do alone those together are
/// free that cost nothing.
void RestingRods::find_coupled_motions(double no_sign) {
  const double prevented = std::max(assembly_->largest_ratio(), slowest_);
  coupled_free_motions_.clear();
  const std::vector<std::vector<double>> motions = coupled_motions();
  const auto count = static_cast<Eigen::Index>(motions.size());
  Eigen::MatrixXd stiffness(count, count);
  std::vector<double> answer(unknowns());
  std::vector<std::vector<double>> led = motions;
  std::vector<std::vector<double>> apart;
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    hold(led[k]);
    assembly_->multiply(led[k], answer);
    apart.push_back(moved_apart(motions[k]));
    for (Eigen::Index j = 0; j <= i; ++j) {
      const auto m = static_cast<std::size_t>(j);
      stiffness(i, j) = stiffness(j, i) = product(led[m], answer) + prevented * product(apart[k], apart[m]);
    }
  }
  const SymmetricEigen eigen = symmetric_eigen(stiffness);
  std::vector<std::vector<double>> slow;
  std::vector<std::vector<double>> slow_apart;
  for (Eigen::Index i = 0; i < count; ++i) {
    const double square = std::abs(eigen.values(i));
    if (!mixed_ && !(square <= no_sign)) continue;
    const std::span<const double> parts(&eigen.vectors(0, i), led.size());
    std::vector<double> motion = combination(led, parts);
    const double rounding =
        mixed_ ? std::numeric_limits<double>::epsilon() * assembly_->size_of_terms(motion) : 0.0;
    if (!(square <= std::max(no_sign, rounding))) continue;
    slow.push_back(std::move(motion));
    slow_apart.push_back(combination(apart, parts));
  }
  coupled_free_motions_ = mixed_ ? motions_without_cost(slow, slow_apart, prevented) : std::move(slow);
  // Those of nodes that are one are not orthogonal yet.
  for (std::size_t k = 0; k < coupled_free_motions_.size(); ++k) {
    std::vector<double>& motion = coupled_free_motions_[k];
    std::vector<double> weighted(motion.size());
    for (std::size_t m = 0; m <= k; ++m) {
      const std::vector<double>& other = coupled_free_motions_[m];
      for (std::size_t i = 0; i < motion.size(); ++i) weighted[i] = inertia_[i] * other[i];
      const double part = product(weighted, motion);
      for (std::size_t i = 0; i < motion.size(); ++i) {
        motion[i] = m < k ? motion[i] - part * other[i] : motion[i] / std::sqrt(part);
      }
    }
  }
}

/// As for a rod alone: as many unknowns as there are free motions, each where what the others leave of them
/// is largest.
void RestingRods::choose_coupled_gauge() {
  std::vector<std::vector<double>> left = coupled_free_motions_;
  std::vector<double> scale(unknowns(), 1.0);
  for (const RestingRod& r : rods_) {
    for (std::size_t i = 0; i < r.size(); ++i) scale[r.first + i] = i % pair_size < 3 ? 1.0 / r.length : 1.0;
  }
  coupled_gauge_.clear();
  while (!left.empty()) {
    double largest = 0.0;
    std::size_t motion = 0;
    std::size_t unknown = 0;
    for (std::size_t k = 0; k < left.size(); ++k) {
      for (std::size_t i = 0; i < scale.size(); ++i) {
        const double size = std::abs(left[k][i]) * scale[i];
        if (size <= largest) continue;
        largest = size;
        motion = k;
        unknown = i;
      }
    }
    const std::vector<double> pivot = left[motion];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(motion));
    coupled_gauge_.push_back(static_cast<int>(unknown));
    for (std::vector<double>& other : left) {
      const double part = other[unknown] / pivot[unknown];
      for (std::size_t i = 0; i < other.size(); ++i) other[i] -= part * pivot[i];
    }
  }
}

}  // namespace rodeo::statics
