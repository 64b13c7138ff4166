#include "rodeo/coupling/mechanisms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/linear/dense.hpp"

namespace rodeo::coupling {

namespace {

constexpr int kinds = Mechanisms::kinds;
constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr double straight = 1e-6;   ///< rad, which elements in one line are apart at most
constexpr double unsheared = 1e-8;  ///< rad, by which an element's d3 and edge are apart at most then

/// Largest resistance that counts as none. Held motions have about 1, the tip of a chain of n rods about
/// 3/n^3, of which elimination leaves errors up to epsilon n^3 of either sign.
double no_resistance(std::size_t rods) {
  const double n = static_cast<double>(rods);
  return std::max(1e-11, std::numeric_limits<double>::epsilon() * n * n * n);
}

/// A symmetric matrix of squares, of which rows are eliminated one by one (Cholesky by blocks). Where the
/// pivot of a row is singular, what it leaves free is coupled to no other row: no eigenvalue is negative.
class Elimination {
 public:
  explicit Elimination(std::vector<std::map<int, Eigen::MatrixXd>> rows)
      : rows_(std::move(rows)), own_(rows_.size()) {
    std::vector<int> left(rows_.size());
    for (std::size_t k = 0; k < left.size(); ++k) left[k] = static_cast<int>(k);
    while (!left.empty()) {
      const auto next = std::ranges::min_element(left, {}, [&](int k) { return row(k).size(); });
      eliminate(*next);
      left.erase(next);
    }
  }

  /// Vectors that span the null space.
  std::vector<std::vector<Eigen::VectorXd>> null_space() const {
    std::vector<std::vector<Eigen::VectorXd>> all;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Eigen::MatrixXd& free = own_[static_cast<std::size_t>(order_[k])].free;
      for (Eigen::Index j = 0; j < free.cols(); ++j) all.push_back(vector_of(k, free.col(j)));
    }
    return all;
  }

 private:
  /// Solution of a row for its own unknowns by the others.
  struct Own {
    std::map<int, Eigen::MatrixXd> by;  ///< minus those of others
    Eigen::MatrixXd free;
  };

  std::map<int, Eigen::MatrixXd>& row(int k) { return rows_[static_cast<std::size_t>(k)]; }

  void eliminate(int k) {
    Own& own = own_[static_cast<std::size_t>(k)];
    order_.push_back(k);
    const SymmetricEigen eigen = symmetric_eigen(row(k)[k]);
    Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(kinds, kinds);
    Eigen::Index free = 0;
    for (Eigen::Index i = 0; i < kinds; ++i) {
      if (eigen.values(i) <= no_resistance(rows_.size())) {
        ++free;  // in ascending order
      } else {
        inverse += eigen.vectors.col(i) * eigen.vectors.col(i).transpose() / eigen.values(i);
      }
    }
    own.free = eigen.vectors.leftCols(free);
    row(k).erase(k);
    for (const auto& [other, block] : row(k)) own.by[other] = inverse * block;
    for (const auto& [i, block] : row(k)) {
      row(i).erase(k);
      for (const auto& [j, by] : own.by) {
        const auto at = row(i).try_emplace(j, Eigen::MatrixXd::Zero(kinds, kinds)).first;
        at->second -= block.transpose() * by;
      }
    }
    row(k).clear();
  }

  /// Null vector with the part `left` in the k-th row to go, and zeros in those that go after it.
  std::vector<Eigen::VectorXd> vector_of(std::size_t k, const Eigen::VectorXd& left) const {
    std::vector<Eigen::VectorXd> vector(rows_.size(), Eigen::VectorXd::Zero(kinds));
    vector[static_cast<std::size_t>(order_[k])] = left;
    while (k-- > 0) {
      Eigen::VectorXd& before = vector[static_cast<std::size_t>(order_[k])];
      for (const auto& [other, by] : own_[static_cast<std::size_t>(order_[k])].by)
        before -= by * vector[static_cast<std::size_t>(other)];
    }
    return vector;
  }

  std::vector<std::map<int, Eigen::MatrixXd>> rows_;
  std::vector<Own> own_;
  std::vector<int> order_;
};

}  // namespace

Mechanisms::Mechanisms(const Rods& rods, const RodView& all, int stride)
    : all_(all), stride_(stride), resistance_(static_cast<std::size_t>(rods.count)) {
  int unknown = 0;
  for (const RodData& data : rods) {
    const ConstRodView rod = data.part(all).as_const();
    bodies_.push_back({rod, data.first, unknown, rod.vec3(field::position, rod.elements / 2)});
    unknown += stride * rod.elements + 3;
    double length = 0.0;
    for (int i = 0; i < rod.elements; ++i) length += rod.array(field::rest_length)[i];
    length_ = std::max(length_, length);
  }
  for (int k = 0; k < rods.count; ++k) leave_one_roll(k);
}

/// A straight rod rolls as it turns about itself. Loads bend rods by less than that, and what joins them then
/// resists the turn, however little, as it moves their nodes: the roll alone moves none. Where loads shear
/// its elements they turn about their edges and roll about their d3, which are two motions.
void Mechanisms::leave_one_roll(int rod) {
  const ConstRodView& view = bodies_[static_cast<std::size_t>(rod)].rod;
  const auto along = [&](int i) {
    return normalized(view.vec3(field::position, i + 1) - view.vec3(field::position, i));
  };
  const Vec3 first = along(0);
  for (int i = 0; i < view.elements; ++i) {
    const double shear = norm(directors(view.quaternion(i)).d3 - along(i));
    if (!(norm(along(i) - first) <= straight && shear <= unsheared)) return;
  }
  hold(rod, {0.0, 0.0, 0.0, first.x, first.y, first.z, 0.0});
}

int Mechanisms::rod_of_entry(int entry) const {
  const auto after = std::ranges::upper_bound(bodies_, entry, {}, &Body::entry);
  return static_cast<int>(after - bodies_.begin()) - 1;
}

int Mechanisms::rod_of_unknown(int unknown) const {
  const auto after = std::ranges::upper_bound(bodies_, unknown, {}, &Body::unknown);
  return static_cast<int>(after - bodies_.begin()) - 1;
}

/// Displacements of a point that is carried by the rod's turns, but not by its roll.
Mechanisms::Ways Mechanisms::displacements(int rod, const Vec3& point) const {
  const Vec3 arm = (1.0 / length_) * (point - bodies_[static_cast<std::size_t>(rod)].centre);
  Ways ways{};
  for (std::size_t k = 0; k < 3; ++k) {
    ways[k] = axes[k];
    ways[3 + k] = cross(axes[k], arm);
  }
  return ways;
}

Mechanisms::Ways Mechanisms::turns(int rod, int element) const {
  const ConstRodView& view = bodies_[static_cast<std::size_t>(rod)].rod;
  Ways ways{};
  for (std::size_t k = 0; k < 3; ++k) ways[3 + k] = (1.0 / length_) * axes[k];
  ways[6] = (1.0 / length_) * directors(view.quaternion(element)).d3;
  return ways;
}

Vec3 Mechanisms::displacement(int rod, int node, const Parts& parts) const {
  const Body& body = bodies_[static_cast<std::size_t>(rod)];
  const Vec3 arm = body.rod.vec3(field::position, node) - body.centre;
  return Vec3{parts[0], parts[1], parts[2]} + cross(turn(parts), arm);
}

Mechanisms::Place Mechanisms::place(const connection::Site& site) const {
  const int rod = rod_of_entry(site.entry);
  const connection::SiteState state = connection::detail::state_of(all_, site);
  Place place{rod, displacements(rod, state.centre + state.arm)};
  if (!site.on_node) {
    const int element = site.entry - bodies_[static_cast<std::size_t>(rod)].entry;
    place.ways[6] = cross(turns(rod, element)[6], state.arm);
  }
  return place;
}

Mechanisms::Place Mechanisms::turning(int element) const {
  const int rod = rod_of_entry(element);
  return {rod, turns(rod, element - bodies_[static_cast<std::size_t>(rod)].entry)};
}

void Mechanisms::add(int row, const Parts& a, int column, const Parts& b) {
  Block& block = resistance_[static_cast<std::size_t>(row)][column];
  for (std::size_t i = 0; i < kinds; ++i) {
    for (std::size_t j = 0; j < kinds; ++j) block[i][j] += a[i] * b[j];
  }
}

void Mechanisms::hold(int rod, const Parts& row) {
  double square = 0.0;
  for (const double part : row) square += part * part;
  if (square == 0.0) return;
  Parts unit = row;
  for (double& part : unit) part /= std::sqrt(square);
  add(rod, unit, rod, unit);
}

void Mechanisms::hold_together(const Place& a, const Place& b, const Vec3& direction) {
  Parts of_a{};
  Parts of_b{};
  double square = 0.0;
  for (std::size_t k = 0; k < kinds; ++k) {
    of_a[k] = dot(direction, a.ways[k]);
    of_b[k] = -dot(direction, b.ways[k]);
    square += of_a[k] * of_a[k] + of_b[k] * of_b[k];
  }
  if (a.rod == b.rod) {
    for (std::size_t k = 0; k < kinds; ++k) of_a[k] += of_b[k];
    return hold(a.rod, of_a);
  }
  if (square == 0.0) return;
  const double scale = 1.0 / std::sqrt(square);
  for (std::size_t k = 0; k < kinds; ++k) {
    of_a[k] *= scale;
    of_b[k] *= scale;
  }
  add(a.rod, of_a, a.rod, of_a);
  add(a.rod, of_a, b.rod, of_b);
  add(b.rod, of_b, a.rod, of_a);
  add(b.rod, of_b, b.rod, of_b);
}

void Mechanisms::hold_together(const Place& a, const Place& b) {
  for (const Vec3& axis : axes) hold_together(a, b, axis);
}

void Mechanisms::hold(const Ties& ties) {
  for (const Ties::Follower& f : ties.followers()) {
    if (f.is_ghost) continue;
    const auto end_of = [&](int unknown, int entry) {
      const int rod = rod_of_unknown(unknown);
      return Place{rod, displacements(rod, all_.vec3(field::position, entry))};
    };
    hold_together(end_of(f.unknown, f.leader_entry), end_of(f.leader, f.leader_entry));
  }
}

/// A spring that is drawn to a point holds it along all axes.
void Mechanisms::hold(const std::vector<connection::PointLink>& links) {
  for (const connection::PointLink& link : links) {
    if (link.broken != 0 || link.stiffness == 0.0) continue;
    const Place a = place(link.sites[0]);
    const Place b = place(link.sites[1]);
    const Vec3 gap = link.gap(all_);
    if (link.central && link.length > 0.0) {
      if (norm(gap) > 0.0) hold_together(a, b, normalized(gap));
    } else {
      hold_together(a, b);
    }
  }
}

/// Whether a joint bends as easily about all axes and stands in one line at rest. Then its elements may roll
/// alike, each about its own d3, as those within a rod.
bool is_round(const connection::TurnLink& joint) {
  constexpr double rounding = 1e-9;
  const auto& [first, second, along] = joint.stiffness;
  const double most = rounding * first.x;
  const Vec3 off = {first.x - second.y, first.y, std::abs(first.z) + std::abs(second.z)};
  return norm(off) <= most && norm(directors(joint.rest).d3 - axes[2]) <= rounding;
}

/// A hinge holds its axis. The directors of a clamp stand still.
void Mechanisms::hold(const std::vector<connection::TurnLink>& links) {
  for (const connection::TurnLink& link : links) {
    if (link.takes()) continue;
    std::array<Place, 2> sides;
    for (std::size_t side = 0; side < 2; ++side) {
      const bool still = link.clamped[side];
      sides[side] = still ? Place{turning(link.elements[1 - side]).rod, {}} : turning(link.elements[side]);
    }
    const int own = link.clamped[0] ? 1 : 0;
    const Directors frames[2] = {directors(all_.quaternion(link.elements[0])),
                                 directors(all_.quaternion(link.elements[1]))};
    const Vec3 bend = frames[1].d3 - frames[0].d3;
    if (link.hinge) {
      hold_across(sides[0], sides[1], frames[own].to_laboratory(link.axes[own]));
    } else if (norm(bend) > straight && is_round(link)) {
      hold_across(sides[0], sides[1], normalized(bend));
    } else {
      hold_together(sides[0], sides[1]);
    }
  }
}

/// Holds turns about the directions across an axis of unit length.
void Mechanisms::hold_across(const Place& a, const Place& b, const Vec3& axis) {
  const Vec3 across = normalized(cross(axis, std::abs(axis.x) < 0.6 ? axes[0] : axes[1]));
  hold_together(a, b, across);
  hold_together(a, b, cross(axis, across));
}

void Mechanisms::orthonormalize(std::span<const double> inertia,
                                const std::vector<std::vector<double>>& others, std::vector<double>& motion) {
  constexpr double dependent = 1e-9;  // of its norm
  const auto weighted = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * inertia[i] * b[i];
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

std::vector<std::vector<Mechanisms::Parts>> Mechanisms::find() const {
  std::vector<std::map<int, Eigen::MatrixXd>> rows(resistance_.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].try_emplace(static_cast<int>(k), Eigen::MatrixXd::Zero(kinds, kinds));
    for (const auto& [other, block] : resistance_[k]) {
      Eigen::MatrixXd& matrix = rows[k].try_emplace(other, Eigen::MatrixXd::Zero(kinds, kinds)).first->second;
      for (std::size_t i = 0; i < kinds; ++i) {
        for (std::size_t j = 0; j < kinds; ++j)
          matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = block[i][j];
      }
    }
  }
  std::vector<std::vector<Parts>> all;
  for (const std::vector<Eigen::VectorXd>& vector : Elimination(std::move(rows)).null_space()) {
    std::vector<Parts>& motion = all.emplace_back(bodies_.size());
    for (std::size_t k = 0; k < motion.size(); ++k) std::ranges::copy(vector[k], motion[k].begin());
  }
  return all;
}

}  // namespace rodeo::coupling
