#include "whole_motions.hpp"

#include <cmath>
#include <utility>

namespace rodeo::der {

namespace {}  // namespace

WholeMotions::WholeMotions(const std::vector<RodStep>& rods, const std::vector<double>& inertia)
    : inertia_(inertia) {
  const Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const RodStep& rod : rods) {
    const int n = rod.rod.elements;
    const auto place = [&](int node) { return rod.rod.vec3(field::position, node); };
    const Vec3 centre = place(n / 2);
    for (int kind = 0; kind < most_of_rod; ++kind) {
      std::vector<double> motion(inertia.size());
      double* const own = motion.data() + rod.first;
      const bool turns = kind >= 3 && kind < 6;
      for (int i = 0; i <= n; ++i) {
        const Vec3 way = kind < 3 ? axes[kind] : turns ? cross(axes[kind - 3], place(i) - centre) : Vec3{};
        own[4 * i] = way.x;
        own[4 * i + 1] = way.y;
        own[4 * i + 2] = way.z;
        if (kind < 3 || i == n) continue;
        const Vec3 along = place(i + 1) - place(i);
        own[4 * i + 3] = turns ? dot(axes[kind - 3], along) / rodeo::norm(along) : 1.0;
      }
      add(std::move(motion));
    }
  }
}

bool WholeMotions::hold(const std::vector<double>& displacement) const {
  constexpr double other_part = 1e-3;
  std::vector<double> left = displacement;
  const double whole = norm(left);
  for (const std::vector<double>& motion : motions_) take_out(motion, left);
  return norm(left) <= other_part * whole;
}

double WholeMotions::inner(const std::vector<double>& a, const std::vector<double>& b) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += inertia_[i] * a[i] * b[i];
  return sum;
}

double WholeMotions::norm(const std::vector<double>& a) const { return std::sqrt(inner(a, a)); }

void WholeMotions::take_out(const std::vector<double>& motion, std::vector<double>& from) const {
  const double part = inner(motion, from);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= part * motion[i];
}

void WholeMotions::add(std::vector<double> motion) {
  constexpr double dependent = 1e-6;  // of a vector's norm
  const double whole = norm(motion);
  for (const std::vector<double>& other : motions_) take_out(other, motion);
  const double left = norm(motion);
  if (left <= dependent * whole) return;
  for (double& entry : motion) entry /= left;
  motions_.push_back(std::move(motion));
}

}  // namespace rodeo::der
