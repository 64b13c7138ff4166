#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "rodeo/linear/dense.hpp"
#include "rodeo/member/stability.hpp"

#include "eigenvalue_search.hpp"
#include "resting_rods.hpp"

// Motions that cost no energy: of each rod by itself, or of all together where they have one matrix.

namespace rodeo::statics {

using tangent::element_unknown;
using tangent::half_bandwidth;
using tangent::node_unknown;

namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

/// Parts rods into those that have a matrix of their own.
void RestingRods::group() {
  groups_.clear();
  if (assembly_) groups_.push_back({0, rods_.size(), 0, unknowns()});
  for (std::size_t k = 0; !assembly_ && k < rods_.size(); ++k)
    groups_.push_back({k, k + 1, rods_[k].first, rods_[k].size()});
}

/// Mechanisms of a group, orthonormal in the measure of the inertia.
std::vector<std::vector<double>> RestingRods::whole_motions(const Group& group) const {
  Rods rods = member_.rods;
  rods.data += group.first_rod;
  rods.count = static_cast<int>(group.end_rod - group.first_rod);
  coupling::Mechanisms mechanisms(rods, member_.all, coupling::cosserat_stride);
  if (assembly_) mechanisms.hold(ties_);
  if (links_) links_->hold(mechanisms);
  const auto set = [&](int rod, const coupling::Mechanisms::Parts& parts, std::vector<double>& motion) {
    const CosseratRod& r = rods_[group.first_rod + static_cast<std::size_t>(rod)];
    double* const own = motion.data() + (r.first - group.first);
    for (int i = 0; i < r.end_of_own_nodes(); ++i) {
      set_at(own + node_unknown(i), mechanisms.displacement(rod, i, parts));
      if (i == r.rod.elements) break;
      set_at(own + element_unknown(i),
             directors(r.rod.quaternion(i)).to_body(mechanisms.turn(rod, i, parts)));
    }
  };
  const auto hold = [&](std::vector<double>& motion) {
    for (std::size_t k = group.first_rod; k < group.end_rod; ++k)
      rods_[k].held.hold(motion.data() + (rods_[k].first - group.first));
  };
  return mechanisms.motions({inertia_.data() + group.first, group.size}, set, hold,
                            [&](std::vector<double>& motion) {
                              hold(motion);  // what is left there costs energy in a unit of its own
                              if (assembly_) ties_.clear(motion);
                            });
}

/// Product of a group's matrix and a vector.
std::vector<double> RestingRods::image(const Group& group, const std::vector<double>& vector) const {
  std::vector<double> image(vector.size());
  const CosseratRod& r = rods_[group.first_rod];
  if (assembly_) {
    assembly_->multiply(vector, image);
  } else if (r.mixed_matrix) {
    r.mixed_matrix->multiply(vector.data(), image.data());
  } else {
    r.matrix.multiply(vector.data(), image.data());
  }
  if (!assembly_ && r.seam) r.seam->complete_product(vector, image);
  return image;
}

/// Sum of the sizes of all terms of a product motion' H motion except those of forces that are unknowns of
/// their own; the rounding of the product is epsilon times this.
double RestingRods::size_of_terms(const Group& group, const std::vector<double>& motion) const {
  if (assembly_) return assembly_->size_of_terms(motion);
  const CosseratRod& r = rods_[group.first_rod];
  double sum = 0.0;
  const auto entry = [&](int row, int column) {
    if (!r.mixed_matrix) return r.matrix.at(row, column);
    using tangent::mixed_place;  // which leaves room for forces within the band
    const bool is_there = mixed_place(row) - mixed_place(column) <= tangent::mixed_bandwidth;
    return is_there ? r.mixed_matrix->at(row, column) : 0.0;
  };
  for (int j = 0; j < r.matrix.size(); ++j) {
    for (int i = j; i < std::min(r.matrix.size(), j + half_bandwidth + 1); ++i) {
      sum += (i == j ? 1.0 : 2.0) * std::abs(entry(i, j) * motion[static_cast<std::size_t>(i)] *
                                             motion[static_cast<std::size_t>(j)]);
    }
  }
  return sum;
}

/// Combinations of motions that diagonalise the stiffness among them, as far as their squares are at most
/// limit(motion) in size.
template <class Limit>
std::vector<std::vector<double>> RestingRods::cheap(const Group& group,
                                                    const std::vector<std::vector<double>>& motions,
                                                    const Limit& limit) const {
  const auto count = static_cast<Eigen::Index>(motions.size());
  if (count == 0) return {};
  Eigen::MatrixXd stiffness(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::vector<double> answer = image(group, motions[static_cast<std::size_t>(i)]);
    for (Eigen::Index j = 0; j <= i; ++j)
      stiffness(i, j) = stiffness(j, i) = product(motions[static_cast<std::size_t>(j)], answer);
  }
  const SymmetricEigen eigen = symmetric_eigen(stiffness);
  std::vector<std::vector<double>> kept;
  for (Eigen::Index i = 0; i < count; ++i) {
    std::vector<double> motion(group.size);
    for (Eigen::Index j = 0; j < count; ++j) {
      for (std::size_t k = 0; k < motion.size(); ++k)
        motion[k] += eigen.vectors(j, i) * motions[static_cast<std::size_t>(j)][k];
    }
    if (std::abs(eigen.values(i)) <= limit(motion)) kept.push_back(std::move(motion));
  }
  return kept;
}

/// Keeps the mechanisms that loads, contact and the ground allow. In the mixed form their cost is found among
/// the slow ones alone, where nothing stiff rounds it: then only their own terms do. For a roll, whose
/// inertia is small, that may be more.
void RestingRods::find_free_motions(double no_sign) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (Group& group : groups_) {
    group.motions = cheap(group, whole_motions(group), [&](const std::vector<double>& motion) {
      return std::max(no_sign, mixed_ ? epsilon * size_of_terms(group, motion) : 0.0);
    });
    if (!mixed_) continue;
    group.motions = cheap(group, group.motions, [&](const std::vector<double>& motion) {
      return least_sign(neutral_part * slowest_, epsilon * size_of_terms(group, motion));
    });
  }
}

void RestingRods::hold_free_motions() {
  for (Group& group : groups_) {
    choose_gauge(group);
    hold_gauge(group);
  }
}

/// Chooses as many unknowns as there are free motions, each where the remainder of the others is largest:
/// holding them holds nothing else. A ring that can move as a whole is held at its seam first, whose Schur
/// complement would be rounding alone.
void RestingRods::choose_gauge(Group& group) {
  std::vector<std::vector<double>> left = group.motions;
  std::vector<double> scale;
  for (std::size_t k = group.first_rod; k < group.end_rod; ++k) {
    for (std::size_t i = 0; i < rods_[k].size(); ++i)
      scale.push_back(i % pair_size < 3 ? 1.0 / rods_[k].length : 1.0);
  }
  CosseratRod& first = rods_[group.first_rod];
  first.held_at_seam = !assembly_ && first.seam && left.size() >= tangent::Seam::size;
  group.gauge.clear();
  while (!left.empty()) {
    const std::size_t chosen = group.gauge.size();
    const bool at_seam = first.held_at_seam && chosen < tangent::Seam::size;
    double largest = 0.0;
    std::size_t motion = 0;
    std::size_t unknown = 0;
    for (std::size_t k = 0; k < left.size(); ++k) {
      for (std::size_t i = at_seam ? chosen : 0; i < (at_seam ? chosen + 1 : scale.size()); ++i) {
        const double size = std::abs(left[k][i]) * scale[i];
        if (size <= largest) continue;
        largest = size;
        motion = k;
        unknown = i;
      }
    }
    const std::vector<double> pivot = left[motion];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(motion));
    group.gauge.push_back(group.first + unknown);
    for (std::vector<double>& other : left) {
      const double part = other[unknown] / pivot[unknown];
      for (std::size_t i = 0; i < other.size(); ++i) other[i] -= part * pivot[i];
    }
  }
}

void RestingRods::hold_gauge(const Group& group) {
  for (const std::size_t held : group.gauge) {
    if (assembly_) {
      assembly_->hold(static_cast<int>(held));
      continue;
    }
    CosseratRod& r = rods_[group.first_rod];
    const int unknown = static_cast<int>(held - r.first);
    if (r.mixed_matrix) {
      r.mixed_matrix->hold(unknown);
    } else {
      r.matrix.hold(unknown);
    }
    if (r.seam) r.seam->hold(unknown);
    r.diagonal[held - r.first] = 1.0;
  }
}

/// Motions of a group over all unknowns.
void RestingRods::add_motions(const Group& group, const std::vector<std::vector<double>>& own,
                              std::vector<std::vector<double>>& all) const {
  for (const std::vector<double>& one : own)
    std::ranges::copy(one, all.emplace_back(unknowns()).begin() + static_cast<std::ptrdiff_t>(group.first));
}

std::vector<std::vector<double>> RestingRods::free_motions() const {
  std::vector<std::vector<double>> all;
  for (const Group& group : groups_) add_motions(group, group.motions, all);
  return all;
}

std::vector<std::vector<double>> RestingRods::whole_motions() const {
  std::vector<std::vector<double>> all;
  for (const Group& group : groups_) add_motions(group, whole_motions(group), all);
  return all;
}

void RestingRods::forget_free_motions() {
  group();
  for (CosseratRod& r : rods_) r.held_at_seam = false;
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
  for (const CosseratRod& r : rods_) subtract_loads(r, loads.data() + r.first);
  ties_.gather(loads);
  const auto is_moved_by = [&](const Group& group, const std::vector<double>& motion) {
    double work = 0.0;
    double of_loads = 0.0;  // squares, couples over the rod's length and turns times it
    double of_motion = 0.0;
    for (std::size_t k = group.first_rod; k < group.end_rod; ++k) {
      const CosseratRod& r = rods_[k];
      for (std::size_t i = 0; i < r.size(); ++i) {
        const double length = i % pair_size < 3 ? 1.0 : r.length;
        const double load = loads[r.first + i] / length;
        const double way = motion[r.first - group.first + i] * length;
        work += motion[r.first - group.first + i] * pull[r.first + i];
        of_loads += load * load;
        of_motion += way * way;
      }
    }
    const double most = std::sqrt(of_loads * of_motion);
    return most > 0.0 && std::abs(work) > unbalanced_part * most;
  };
  return std::ranges::any_of(groups_, [&](const Group& group) {
    return std::ranges::any_of(group.motions, [&](const auto& motion) { return is_moved_by(group, motion); });
  });
}

/// Whether a support holds a node along an axis of the laboratory.
bool RestingRods::is_held_along(const CosseratRod& r, int axis) const {
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
  for (const CosseratRod& r : rods_) {
    for (int c = 0; c < 3; ++c) held[static_cast<std::size_t>(c)] |= is_held_along(r, c);
    const bool holds_all = held[0] && held[1] && held[2];
    for (int i = r.first_own_node(); !holds_all && i < r.end_of_own_nodes(); ++i) {
      const Vec3 load = r.rod.vec3(field::external_force, i);
      sum = sum + load;
      sizes = sizes + Vec3{std::abs(load.x), std::abs(load.y), std::abs(load.z)};
    }
    if (act_on_each_other() && &r != &rods_.back()) continue;
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
  for (const Group& group : groups_) {
    double* const own = vector.data() + group.first;
    const double* const inertia = inertia_.data() + group.first;
    for (const std::vector<double>& motion : group.motions) {
      double part = 0.0;
      for (std::size_t i = 0; i < motion.size(); ++i) part += motion[i] * inertia[i] * own[i];
      for (std::size_t i = 0; i < motion.size(); ++i) own[i] -= part * motion[i];
    }
  }
}

}  // namespace rodeo::statics
