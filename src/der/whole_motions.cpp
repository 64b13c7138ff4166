#include "whole_motions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "rodeo/math/vec3.hpp"

namespace rodeo::der {

namespace {

using coupling::Mechanisms;

/// Sets the degrees of freedom of a rod.
void set_motion(const RodStep& rod, int number, const Mechanisms& mechanisms, const Mechanisms::Parts& parts,
                std::vector<double>& motion) {
  double* const own = motion.data() + rod.first;
  const int n = rod.rod.elements;
  for (int i = 0; i <= n; ++i) {
    set_at(own + 4 * i, mechanisms.displacement(number, i, parts));
    if (i == n) break;
    const Vec3 along = rod.rod.vec3(field::position, i + 1) - rod.rod.vec3(field::position, i);
    own[4 * i + 3] = dot(mechanisms.turn(parts), along) / rodeo::norm(along) + mechanisms.roll(parts);
  }
}

/// Removes the mechanisms that ends and motions hold.
void hold_supports(const Constraints& constraints, const std::vector<RodStep>& rods, Mechanisms& mechanisms,
                   std::size_t unknowns) {
  std::array<std::vector<double>, Mechanisms::kinds> held;
  for (std::size_t kind = 0; kind < held.size(); ++kind) {
    Mechanisms::Parts parts{};
    parts[kind] = 1.0;
    held[kind].resize(unknowns);
    for (std::size_t k = 0; k < rods.size(); ++k)
      set_motion(rods[k], static_cast<int>(k), mechanisms, parts, held[kind]);
    std::vector<double> free = held[kind];
    constraints.hold(free);
    for (std::size_t i = 0; i < unknowns; ++i) held[kind][i] -= free[i];
  }
  for (std::size_t k = 0; k < rods.size(); ++k) {
    for (int i = 0; i < degrees_of_freedom(rods[k].rod.elements); ++i) {
      Mechanisms::Parts row;
      for (std::size_t kind = 0; kind < row.size(); ++kind)
        row[kind] = held[kind][static_cast<std::size_t>(rods[k].first + i)];
      mechanisms.hold(static_cast<int>(k), row);
    }
  }
}

}  // namespace

WholeMotions::WholeMotions(const LoadedRods& rods) : inertia_(rods.solver().inertia()) {
  const ImplicitEuler& solver = rods.solver();
  Mechanisms mechanisms(rods.member().rods, rods.member().all, layout.stride);
  mechanisms.hold(solver.ties());
  if (solver.links()) solver.links()->hold(mechanisms);
  const std::vector<RodStep>& all = solver.rods();
  if (!solver.constraints().hold_nothing())
    hold_supports(solver.constraints(), all, mechanisms, inertia_.size());
  for (const std::vector<Mechanisms::Parts>& parts : mechanisms.find()) {
    std::vector<double> motion(inertia_.size());
    for (std::size_t k = 0; k < all.size(); ++k)
      set_motion(all[k], static_cast<int>(k), mechanisms, parts[k], motion);
    add(std::move(motion));
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
  if (!(left > dependent * whole)) return;
  for (double& entry : motion) entry /= left;
  motions_.push_back(std::move(motion));
}

}  // namespace rodeo::der
