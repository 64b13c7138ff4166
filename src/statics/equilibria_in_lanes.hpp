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

  /// Solves for members side by side, as Equilibrium::solve(time, 1, can_be_halved) does for one.
  std::vector<SolveOutcome> solve(std::span<Equilibrium* const> members, std::span<const double> times,
                                  const std::vector<bool>& can_be_halved);

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
  /// Share of the inertia with which a step has been found, and the number of negative eigenvalues without
  /// it.
  struct Found {
    double inertia = 0.0;
    int unstable = 0;
  };
  void take_steps(std::span<Lane> members, const std::array<Found, lanes>& found);
  std::vector<bool> ordinary_stability(std::span<Equilibrium* const> members, std::span<Stability> answers);
  std::array<Found, lanes> find_steps(std::span<const Lane> members);

  RodsInLanes rods_;
  RodsInLanes::Vector pull_;
  RodsInLanes::Vector step_;
  RodsInLanes::Vector trial_;
  RodsInLanes::Vector mode_;
};

}  // namespace rodeo::statics
