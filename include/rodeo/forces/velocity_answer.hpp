#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "rodeo/forces/forces.hpp"
#include "rodeo/math/matrix3.hpp"

namespace rodeo::forces {

/// The derivative of the force on one node by the velocity of another, kg/s.
struct VelocityBlock {
  int force;     ///< node
  int velocity;  ///< node
  Matrix3 derivative;
};

/// None of rodeo's built-in laws on single rods depends on velocities; users' own laws may.
inline constexpr bool may_answer_velocities = !std::is_same_v<own::Laws, LawList<>>;

/// Derivatives of the forces of laws on a rod by the velocities of its nodes, by differences over a change of
/// velocity (m/s): for each node by its own and those next to it. Empty without any dependence. The arrays
/// stay as they are.
template <class Laws>
class VelocityAnswer {
 public:
  VelocityAnswer(const Laws& laws, const RodView& rod, double time, double change)
      : laws_(laws), rod_(rod), time_(time), change_(change) {
    for (int i = 0; i <= rod.elements; ++i) {
      kept_.push_back({rod.vec3(field::external_force, i), rod.vec3(field::velocity, i),
                       i < rod.elements ? Vec3(rod.vec3(field::external_couple, i)) : Vec3{}});
    }
  }

  std::vector<VelocityBlock> blocks() const {
    std::vector<VelocityBlock> found;
    const std::vector<Vec3> before = forces();
    if (depends(before)) {
      for (int first = 0; first < apart; ++first) add_blocks(first, before, found);
    }
    for (int i = 0; i <= rod_.elements; ++i) {
      const Kept& kept = kept_[static_cast<std::size_t>(i)];
      rod_.set_vec3(field::external_force, i, kept.force);
      rod_.set_vec3(field::velocity, i, kept.velocity);
      if (i < rod_.elements) rod_.set_vec3(field::external_couple, i, kept.couple);
    }
    return found;
  }

 private:
  struct Kept {
    Vec3 force;
    Vec3 velocity;
    Vec3 couple;
  };
  static constexpr int apart = 3;  // nodes whose neighbours are none of each other

  std::vector<Vec3> forces() const {
    for (int i = 0; i <= rod_.elements; ++i) {
      rod_.set_vec3(field::external_force, i, {});
      if (i < rod_.elements) rod_.set_vec3(field::external_couple, i, {});
    }
    laws_.add(OneThread{}, rod_, time_);
    std::vector<Vec3> all;
    for (int i = 0; i <= rod_.elements; ++i) all.push_back(rod_.vec3(field::external_force, i));
    return all;
  }

  /// True if any force changes when all velocities do.
  bool depends(const std::vector<Vec3>& before) const {
    for (int i = 0; i <= rod_.elements; ++i) {
      const Vec3 change =
          change_ * Vec3{1.0 + 0.1 * std::sin(i), 0.9 - 0.1 * std::cos(i), 1.1 + 0.2 * std::sin(2.0 * i)};
      rod_.set_vec3(field::velocity, i, kept_[static_cast<std::size_t>(i)].velocity + change);
    }
    const std::vector<Vec3> after = forces();
    for (int i = 0; i <= rod_.elements; ++i)
      rod_.set_vec3(field::velocity, i, kept_[static_cast<std::size_t>(i)].velocity);
    return !std::ranges::equal(
        before, after, [](const Vec3& a, const Vec3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; });
  }

  /// Adds the derivatives by the velocities of every third node, from `first` on.
  void add_blocks(int first, const std::vector<Vec3>& before, std::vector<VelocityBlock>& found) const {
    const int n = rod_.elements;
    const std::size_t begin = found.size();
    for (int j = first; j <= n; j += apart) {
      for (int i = std::max(j - 1, 0); i <= std::min(j + 1, n); ++i) found.push_back({i, j, {}});
    }
    for (int c = 0; c < 3; ++c) {
      const Vec3 axis = {c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0};
      const auto set = [&](double way) {
        for (int j = first; j <= n; j += apart)
          rod_.set_vec3(field::velocity, j, kept_[static_cast<std::size_t>(j)].velocity + way * axis);
      };
      set(change_);
      const std::vector<Vec3> after = forces();
      set(0.0);
      for (std::size_t k = begin; k < found.size(); ++k) {
        const auto i = static_cast<std::size_t>(found[k].force);
        const Vec3 slope = (1.0 / change_) * (after[i] - before[i]);
        found[k].derivative = found[k].derivative + outer(slope, axis);
      }
    }
  }

  const Laws& laws_;
  const RodView& rod_;
  double time_;
  double change_;
  std::vector<Kept> kept_;
};

/// A change of velocity that is small beside those of a rod, or beside its length in a second, m/s.
inline double small_change_of_velocity(const ConstRodView& rod) {
  double largest = norm(rod.vec3(field::position, rod.elements) - rod.vec3(field::position, 0));
  largest = std::max(largest, 1.0 / rod.array(field::inverse_rest_length)[0]);
  double fastest = 0.0;
  for (int i = 0; i <= rod.elements; ++i) fastest = std::max(fastest, norm(rod.vec3(field::velocity, i)));
  return 1e-4 * (fastest > 0.0 ? fastest : 1e-3 * largest);
}

}  // namespace rodeo::forces
