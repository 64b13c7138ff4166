#pragma once

#include <array>
#include <span>
#include <vector>

#include "equilibrium.hpp"
#include "rods_in_lanes.hpp"

namespace rodeo::statics {

/// Finds the equilibria of up to eight members side by side, in the time of three. Each takes the same
/// operations as alone, and so has the same bits. Once few are left, each goes on alone.
class EquilibriaInLanes {
 public:
  static constexpr std::size_t lanes = RodsInLanes::lanes;

  /// For members that are alike (RestingRods::go_beside).
  explicit EquilibriaInLanes(const Equilibrium& like) : rods_(like.rods()) {}

  /// Solves for members side by side, as Equilibrium::solve(time, 1) does for one.
  std::vector<SolveOutcome> solve(std::span<Equilibrium* const> members, std::span<const double> times);

  /// Stability of members side by side, as Equilibrium::stability() has it for one.
  std::vector<Stability> stability(std::span<Equilibrium* const> members);

 private:
  struct Lane {
    Equilibrium* member;
    double time;
    RestCriterion criterion;

    bool runs() const { return criterion.goes_on(); }
  };

  void iterate(std::vector<Lane>& members);
  void set_loads(std::span<const Lane> members, bool first);
  void take_steps(std::span<Lane> members, const std::array<double, lanes>& inertia);
  std::vector<bool> ordinary_stability(std::span<Equilibrium* const> members, std::span<Stability> answers);
  std::array<double, lanes> find_steps(std::span<const Lane> members);

  RodsInLanes rods_;
  RodsInLanes::Vector pull_;
  RodsInLanes::Vector step_;
  RodsInLanes::Vector trial_;
  RodsInLanes::Vector mode_;
};

}  // namespace rodeo::statics
