#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "rodeo/linear/dense.hpp"
#include "rodeo/math/vec3.hpp"

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

/// True if a band for each rod is not enough. `stiff`: nor is the plain form.
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

void RestingRods::hold_supports(coupling::Mechanisms& mechanisms, std::size_t rod) const {
  const RestingRod& r = rods_[rod];
  std::array<std::vector<double>, coupling::Mechanisms::kinds> held;
  for (std::size_t kind = 0; kind < held.size(); ++kind) {
    coupling::Mechanisms::Parts parts{};
    parts[kind] = 1.0;
    held[kind] = motion_of(mechanisms, rod, parts);
    std::vector<double> free = held[kind];
    r.held.hold(free.data());
    for (std::size_t i = 0; i < free.size(); ++i) held[kind][i] -= free[i];
  }
  for (const int unknown : r.held.supported()) {
    coupling::Mechanisms::Parts row;
    for (std::size_t kind = 0; kind < row.size(); ++kind)
      row[kind] = held[kind][static_cast<std::size_t>(unknown)];
    mechanisms.hold(static_cast<int>(rod), row);
  }
}

/// Motion of a rod's unknowns with such parts of its mechanisms.
std::vector<double> RestingRods::motion_of(const coupling::Mechanisms& mechanisms, std::size_t rod,
                                           const coupling::Mechanisms::Parts& parts) const {
  const RestingRod& r = rods_[rod];
  const int number = static_cast<int>(rod);
  std::vector<double> motion(r.size());
  for (int i = 0; i <= r.rod.elements; ++i) {
    if (i == r.rod.elements && r.seam) break;  // node 0 once more
    set_at(motion.data() + tangent::node_unknown(i), mechanisms.displacement(number, i, parts));
    if (i == r.rod.elements) break;
    const Vec3 turn = directors(r.rod.quaternion(i)).to_body(mechanisms.turn(parts));
    set_at(motion.data() + element_unknown(i), turn + Vec3{0.0, 0.0, mechanisms.roll(parts)});
  }
  return motion;
}

/// Mechanisms of all rods, orthonormal in the measure of the inertia.
std::vector<std::vector<double>> RestingRods::coupled_motions() const {
  coupling::Mechanisms mechanisms(member_.rods, member_.all, static_cast<int>(pair_size));
  couplings_->hold(mechanisms);
  for (std::size_t k = 0; k < rods_.size(); ++k) hold_supports(mechanisms, k);
  std::vector<std::vector<double>> motions;
  for (const std::vector<coupling::Mechanisms::Parts>& parts : mechanisms.find()) {
    std::vector<double> motion(unknowns());
    for (std::size_t k = 0; k < rods_.size(); ++k) {
      std::ranges::copy(motion_of(mechanisms, k, parts[k]),
                        motion.begin() + static_cast<std::ptrdiff_t>(rods_[k].first));
    }
    hold(motion);
    orthonormalize(motion, motions);
    if (!motion.empty()) motions.push_back(std::move(motion));
  }
  return motions;
}

/// Takes others out of a motion and gives it unit norm in the measure of the inertia; empties one that they
/// span.
void RestingRods::orthonormalize(std::vector<double>& motion,
                                 const std::vector<std::vector<double>>& others) const {
  constexpr double dependent = 1e-9;  // of its norm
  const auto weighted = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * inertia_[i] * b[i];
    return sum;
  };
  const double whole = weighted(motion, motion);
  for (const std::vector<double>& other : others) {
    const double part = weighted(other, motion);
    for (std::size_t i = 0; i < motion.size(); ++i) motion[i] -= part * other[i];
  }
  const double left = weighted(motion, motion);
  if (!(left > dependent * dependent * whole)) return motion.clear();
  for (double& entry : motion) entry /= std::sqrt(left);
}

/// Combinations of motions that diagonalise the stiffness among them, as far as their squares are at most
/// limit(motion) in size.
template <class Limit>
std::vector<std::vector<double>> RestingRods::cheap(const std::vector<std::vector<double>>& motions,
                                                    const Limit& limit) const {
  if (motions.empty()) return {};
  const auto count = static_cast<Eigen::Index>(motions.size());
  Eigen::MatrixXd stiffness(count, count);
  std::vector<double> answer(unknowns());
  for (Eigen::Index i = 0; i < count; ++i) {
    assembly_->multiply(motions[static_cast<std::size_t>(i)], answer);
    for (Eigen::Index j = 0; j <= i; ++j)
      stiffness(i, j) = stiffness(j, i) = product(motions[static_cast<std::size_t>(j)], answer);
  }
  const SymmetricEigen eigen = symmetric_eigen(stiffness);
  std::vector<std::vector<double>> kept;
  for (Eigen::Index i = 0; i < count; ++i) {
    std::vector<double> motion = combination(motions, {&eigen.vectors(0, i), motions.size()});
    if (std::abs(eigen.values(i)) <= limit(motion)) kept.push_back(std::move(motion));
  }
  return kept;
}

/// Keeps the mechanisms that loads, contact and the ground allow. In the mixed form their cost is found among
/// the slow ones alone, where nothing stiff rounds it.
void RestingRods::find_coupled_motions(double no_sign) {
  coupled_free_motions_ = cheap(coupled_motions(), [&](const std::vector<double>& motion) {
    const double rounding =
        mixed_ ? std::numeric_limits<double>::epsilon() * assembly_->size_of_terms(motion) : 0.0;
    return std::max(no_sign, rounding);
  });
  if (!mixed_) return;
  coupled_free_motions_ = cheap(coupled_free_motions_, [&](const std::vector<double>& motion) {
    return square_without_cost(assembly_->size_of_terms(motion));
  });
}

/// Chooses as many unknowns as there are free motions, as choose_gauge() does for one rod: each where the
/// remainder of the others is largest.
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
