#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "rodeo/linear/dense.hpp"
#include "rodeo/member/stability.hpp"

#include "eigenvalue_search.hpp"
#include "resting_rods.hpp"

namespace rodeo::statics {

using tangent::element_unknown;
using tangent::half_bandwidth;
using tangent::node_unknown;

namespace {

constexpr int rigid_motion_kinds = 7;

}  // namespace

std::vector<double> RestingRods::combination(const std::vector<std::vector<double>>& motions,
                                             std::span<const double> parts) {
  std::vector<double> sum(motions.front().size());
  for (std::size_t j = 0; j < motions.size(); ++j) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += parts[j] * motions[j][k];
  }
  return sum;
}

/// The three translations, turns about three axes and the roll, orthonormal in the measure of the inertia.
std::vector<std::vector<double>> RestingRods::rigid_motions(const RestingRod& r) const {
  constexpr double dependent = 1e-6;  // of a vector's norm
  const double* const inertia = inertia_.data() + r.first;
  using Numbers = Eigen::Map<const Eigen::ArrayXd>;
  const auto size = static_cast<Eigen::Index>(r.size());
  const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
    return (Numbers(a.data(), size) * Numbers(inertia, size) * Numbers(b.data(), size)).sum();
  };
  const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Vec3 centre = r.rod.vec3(field::position, r.rod.elements / 2);
  std::vector<std::vector<double>> motions;
  for (int kind = 0; kind < rigid_motion_kinds; ++kind) {
    std::vector<double> motion(r.size());
    const auto set = [&](int first, const Vec3& v) {
      const auto k = static_cast<std::size_t>(first);
      motion[k] = v.x;
      motion[k + 1] = v.y;
      motion[k + 2] = v.z;
    };
    for (int i = 0; i <= r.rod.elements; ++i) {
      const Vec3 arm = r.rod.vec3(field::position, i) - centre;
      if (kind < 3) set(node_unknown(i), axes[kind]);
      if (kind >= 3 && kind < 6) set(node_unknown(i), cross(axes[kind - 3], arm));
      if (kind < 3 || i == r.rod.elements) continue;
      const Vec3 turn = kind < 6 ? directors(r.rod.quaternion(i)).to_body(axes[kind - 3]) : axes[2];
      set(element_unknown(i), turn);
    }
    if (r.seam) std::fill_n(motion.end() - 3, 3, 0.0);  // node 0 once more
    const double whole = product(motion, motion);
    for (const std::vector<double>& other : motions) {
      const double part = product(other, motion);
      for (std::size_t i = 0; i < motion.size(); ++i) motion[i] -= part * other[i];
    }
    const double left = product(motion, motion);
    if (left < dependent * dependent * whole) continue;
    for (double& entry : motion) entry /= std::sqrt(left);
    motions.push_back(std::move(motion));
  }
  return motions;
}

/// Held part of a displacement, times the root of the inertia.
std::vector<double> RestingRods::held_part(const RestingRod& r, const std::vector<double>& motion) const {
  std::vector<double> free = motion;
  r.held.hold(free.data());
  std::vector<double> held(motion.size());
  for (std::size_t k = 0; k < motion.size(); ++k) {
    if (motion[k] != free[k]) held[k] = std::sqrt(inertia_[r.first + k]) * (motion[k] - free[k]);
  }
  return held;
}

/// Sum of the sizes of all terms of a product motion' H motion except those of forces that are unknowns of
/// their own; the rounding of the product is epsilon times this.
double RestingRods::size_of_terms(const RestingRod& r, const std::vector<double>& motion) {
  double sum = 0.0;
  const auto entry = [&](int row, int column) {
    if (!r.mixed_matrix) return r.matrix.at(row, column);
    using tangent::mixed_place;  // which leaves room for forces within the band
    const bool is_there = mixed_place(row) - mixed_place(column) <= tangent::mixed_bandwidth;
    return is_there ? r.mixed_matrix->at(row, column) : 0.0;
  };
  for (int j = 0; j < r.matrix.size(); ++j) {
    for (int i = j; i < std::min(r.matrix.size(), j + half_bandwidth + 1); ++i) {
      const double term =
          entry(i, j) * motion[static_cast<std::size_t>(i)] * motion[static_cast<std::size_t>(j)];
      sum += (i == j ? 1.0 : 2.0) * std::abs(term);
    }
  }
  return sum;
}

/// Rigid motions that no held unknown prevents, orthonormal too.
std::vector<std::vector<double>> RestingRods::unheld_motions(const RestingRod& r, double no_sign) const {
  std::vector<std::vector<double>> motions = rigid_motions(r);
  const std::vector<int> supported = r.held.supported();
  if (supported.empty()) return motions;
  std::vector<std::vector<double>> held_parts;
  for (const std::vector<double>& motion : motions) held_parts.push_back(held_part(r, motion));
  const auto count = static_cast<Eigen::Index>(motions.size());
  Eigen::MatrixXd held = Eigen::MatrixXd::Zero(count, count);
  for (const int unknown : supported) {
    const auto k = static_cast<std::size_t>(unknown);
    for (Eigen::Index i = 0; i < count; ++i) {
      const double part = held_parts[static_cast<std::size_t>(i)][k];
      for (Eigen::Index j = 0; j < count; ++j)
        held(i, j) += part * held_parts[static_cast<std::size_t>(j)][k];
    }
  }
  const SymmetricEigen eigen = symmetric_eigen(held);
  // As if a held unknown were as stiff as the stiffest; nothing is stiff where one element bears nothing.
  const double prevented = std::max(largest_rate(), slowest_);
  constexpr double rounding = 100.0 * std::numeric_limits<double>::epsilon();
  const double nothing = std::max(no_sign / prevented, rounding);
  std::vector<std::vector<double>> unheld;
  for (Eigen::Index i = 0; i < count; ++i) {
    if (std::abs(eigen.values(i)) > nothing) continue;
    unheld.push_back(combination(motions, {&eigen.vectors(0, i), motions.size()}));
    r.held.hold(unheld.back().data());  // what is left there costs energy in a unit of its own
  }
  return unheld;
}

void RestingRods::find_free_motions(double no_sign) {
  if (assembly_) return find_coupled_motions(no_sign);
  for (RestingRod& r : rods_) {
    r.free_motions.clear();
    const std::vector<std::vector<double>> motions = unheld_motions(r, no_sign);
    const auto count = static_cast<Eigen::Index>(motions.size());
    if (count == 0) continue;
    Eigen::MatrixXd stiffness(count, count);
    std::vector<double> answer(r.size());
    for (Eigen::Index i = 0; i < count; ++i) {
      const std::vector<double>& motion = motions[static_cast<std::size_t>(i)];
      if (r.mixed_matrix) {
        r.mixed_matrix->multiply(motion.data(), answer.data());
      } else {
        r.matrix.multiply(motion.data(), answer.data());
      }
      if (r.seam) r.seam->complete_product(motion, answer);
      // All sums of a row at once: each alone would wait for its own additions.
      std::array<double, rigid_motion_kinds> sums{};
      const auto others = static_cast<std::size_t>(i) + 1;
      for (std::size_t k = 0; k < answer.size(); ++k) {
        for (std::size_t j = 0; j < others; ++j) sums[j] += motions[j][k] * answer[k];
      }
      for (std::size_t j = 0; j < others; ++j) {
        const auto column = static_cast<Eigen::Index>(j);
        stiffness(i, column) = stiffness(column, i) = sums[j];
      }
    }
    const SymmetricEigen eigen = symmetric_eigen(stiffness);
    for (Eigen::Index i = 0; i < count; ++i) {
      const double square = std::abs(eigen.values(i));
      if (!mixed_ && !(square <= no_sign)) continue;
      std::vector<double> motion = combination(motions, {&eigen.vectors(0, i), motions.size()});
      if (square <= (mixed_ ? square_without_cost(size_of_terms(r, motion)) : no_sign))
        r.free_motions.push_back(std::move(motion));
    }
  }
}

/// Largest square of a motion without cost. In the mixed form the stiffness of rods does not round it, only
/// its own terms do. For a roll, whose inertia is small, that may be more.
double RestingRods::square_without_cost(double size_of_terms) const {
  return least_sign(neutral_part * slowest_, std::numeric_limits<double>::epsilon() * size_of_terms);
}

void RestingRods::hold_free_motions() {
  for (RestingRod& r : rods_) {
    choose_gauge(r);
    hold_gauge(r);
  }
  if (!assembly_) return;
  choose_coupled_gauge();
  for (const int unknown : coupled_gauge_) assembly_->hold(unknown);
}

/// Adds motions of a rod to those of all.
void RestingRods::add_motions(const RestingRod& r, const std::vector<std::vector<double>>& own,
                              std::vector<std::vector<double>>& all) const {
  for (const std::vector<double>& one : own) {
    std::vector<double>& motion = all.emplace_back(unknowns());
    std::ranges::copy(one, motion.begin() + static_cast<std::ptrdiff_t>(r.first));
  }
}

std::vector<std::vector<double>> RestingRods::free_motions() const {
  std::vector<std::vector<double>> all = coupled_free_motions_;
  for (const RestingRod& r : rods_) add_motions(r, r.free_motions, all);
  return all;
}

std::vector<std::vector<double>> RestingRods::whole_motions(double no_sign) const {
  if (assembly_) return coupled_motions();
  std::vector<std::vector<double>> all;
  for (const RestingRod& r : rods_) add_motions(r, unheld_motions(r, no_sign), all);
  return all;
}

/// Chooses as many unknowns as there are free motions, each where the remainder of the others is largest:
/// holding them holds nothing else. A ring that can move as a whole is held at its seam first, whose Schur
/// complement would be rounding alone.
void RestingRods::choose_gauge(RestingRod& r) {
  std::vector<std::vector<double>> left = r.free_motions;
  r.gauge.clear();
  r.held_at_seam = r.seam && left.size() >= tangent::Seam::size;
  const auto is_node = [](std::size_t unknown) { return unknown % pair_size < 3; };
  while (!left.empty()) {
    const std::size_t seam_unknown = r.gauge.size();
    const bool at_seam = r.held_at_seam && seam_unknown < tangent::Seam::size;
    double largest = 0.0;
    std::size_t motion = 0;
    std::size_t unknown = 0;
    for (std::size_t k = 0; k < left.size(); ++k) {
      for (std::size_t i = at_seam ? seam_unknown : 0; i < (at_seam ? seam_unknown + 1 : left[k].size());
           ++i) {
        const double size = std::abs(left[k][i]) / (is_node(i) ? r.length : 1.0);
        if (size <= largest) continue;
        largest = size;
        motion = k;
        unknown = i;
      }
    }
    const std::vector<double> pivot = left[motion];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(motion));
    r.gauge.push_back(static_cast<int>(unknown));
    for (std::vector<double>& other : left) {
      const double part = other[unknown] / pivot[unknown];
      for (std::size_t i = 0; i < other.size(); ++i) other[i] -= part * pivot[i];
    }
  }
}

void RestingRods::forget_free_motions() {
  for (RestingRod& r : rods_) {
    r.free_motions.clear();
    r.gauge.clear();
    r.held_at_seam = false;
  }
  coupled_free_motions_.clear();
  coupled_gauge_.clear();
}

bool RestingRods::is_idle(const std::vector<double>& pull, const std::vector<double>& step) const {
  if (!has_mixed_form()) return false;
  const double work = std::inner_product(pull.begin(), pull.end(), step.begin(), 0.0);
  return std::abs(work) <= std::numeric_limits<double>::epsilon() * energy_scale_;
}

bool RestingRods::are_moved_freely(const std::vector<double>& pull) const {
  // Share of the loads, were they all along the motion; a smaller part along it may be rounding alone.
  constexpr double unbalanced_part = 1e-3;
  std::vector<double> loads(unknowns());
  for (const RestingRod& r : rods_) subtract_loads(r, loads.data() + r.first);
  if (couplings_) couplings_->ties().gather(loads);
  double sum = 0.0;
  double of_loads = 0.0;  // squares, couples over the rod's length and turns times it
  double of_motion = 0.0;
  const auto add = [&](const RestingRod& r, const double* motion) {
    for (std::size_t i = 0; i < r.size(); ++i) {
      const double length = i % pair_size < 3 ? 1.0 : r.length;
      const double load = loads[r.first + i] / length;
      const double way = motion[i] * length;
      sum += motion[i] * pull[r.first + i];
      of_loads += load * load;
      of_motion += way * way;
    }
  };
  const auto is_moved = [&] {
    const double most = std::sqrt(of_loads * of_motion);
    const bool moved = most > 0.0 && std::abs(sum) > unbalanced_part * most;
    sum = of_loads = of_motion = 0.0;
    return moved;
  };
  for (const std::vector<double>& motion : coupled_free_motions_) {
    for (const RestingRod& r : rods_) add(r, motion.data() + r.first);
    if (is_moved()) return true;
  }
  for (const RestingRod& r : rods_) {
    for (const std::vector<double>& motion : r.free_motions) {
      add(r, motion.data());
      if (is_moved()) return true;
    }
  }
  return false;
}

/// Whether a support holds a node along an axis of the laboratory.
bool RestingRods::is_held_along(const RestingRod& r, int axis) const {
  for (int i = r.first_own_node(); i < r.end_of_own_nodes(); ++i) {
    if (is_held_[r.first + static_cast<std::size_t>(node_unknown(i) + axis)]) return true;
  }
  return false;
}

std::vector<Vec3> RestingRods::unheld_pulls() const {
  if (ground_.exists()) return {};
  constexpr double rounding = 1e-6;  // of the sum of their sizes
  std::vector<Vec3> pulls;
  std::array<bool, 3> held{};
  Vec3 sum;
  Vec3 sizes;
  for (const RestingRod& r : rods_) {
    for (int c = 0; c < 3; ++c) held[static_cast<std::size_t>(c)] |= is_held_along(r, c);
    const bool holds_all = held[0] && held[1] && held[2];
    for (int i = r.first_own_node(); !holds_all && i < r.end_of_own_nodes(); ++i) {
      const Vec3 load = r.rod.vec3(field::external_force, i);
      sum = sum + load;
      sizes = sizes + Vec3{std::abs(load.x), std::abs(load.y), std::abs(load.z)};
    }
    if (couplings_ && &r != &rods_.back()) continue;
    const auto pull = [&](bool is_held, double of_sum, double of_sizes) {
      return is_held || std::abs(of_sum) <= rounding * of_sizes ? 0.0 : of_sum;
    };
    pulls.push_back(
        {pull(held[0], sum.x, sizes.x), pull(held[1], sum.y, sizes.y), pull(held[2], sum.z, sizes.z)});
    held = {};
    sum = sizes = {};
  }
  return pulls;
}

void RestingRods::leave_out_free_motions(std::vector<double>& vector) const {
  for (const std::vector<double>& motion : coupled_free_motions_) {
    double part = 0.0;
    for (std::size_t i = 0; i < motion.size(); ++i) part += motion[i] * inertia_[i] * vector[i];
    for (std::size_t i = 0; i < motion.size(); ++i) vector[i] -= part * motion[i];
  }
  for (const RestingRod& r : rods_) {
    double* const own = vector.data() + r.first;
    const double* const inertia = inertia_.data() + r.first;
    for (const std::vector<double>& motion : r.free_motions) {
      double part = 0.0;
      for (std::size_t i = 0; i < motion.size(); ++i) part += motion[i] * inertia[i] * own[i];
      for (std::size_t i = 0; i < motion.size(); ++i) own[i] -= part * motion[i];
    }
  }
}

}  // namespace rodeo::statics
