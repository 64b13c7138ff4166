#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/plan/result.hpp"
#include "rodeo/plan/table.hpp"

namespace rodeo {

/// Inequality constraints g <= 0 of a search for the smallest f: terms of an augmented Lagrangian besides f,
/// with multipliers and penalty factors that follow the search from generation to generation (Atamna, Auger
/// and Hansen, Foundations of Genetic Algorithms 2017, algorithm 1; changes of the factors as in
/// ConstrainedFitnessAL of pycma 4; their first values are of the unit that they have).
class AugmentedLagrangian {
 public:
  AugmentedLagrangian(int dimension, std::size_t constraints);

  /// Penalty added to f where the constraints have these values: lambda g + mu g^2/2 of each, or its least
  /// value where g is so far below 0 that it would rise again. NaN if a constraint has no value.
  double penalty(std::span<const double> g) const;

  /// Follows a generation, of whose candidates f[k] and g[k] are known (NaN: not). Without any, nothing
  /// changes.
  void update(std::span<const double> f, const std::vector<std::vector<double>>& g);

  std::vector<double> multipliers() const;
  std::vector<double> factors() const;

 private:
  struct Constraint {
    double multiplier = 0.0;  ///< lambda
    double factor = 0.0;      ///< mu
    bool started = false;     ///< both have values that the search has confirmed
    int same_changes = 0;     ///< of the factor in one direction so far; negative: downwards
    std::deque<double> past;  ///< g of the best candidate of each generation, the newest last

    double penalty(double g) const;
    bool acts(double g) const { return factor * g > -multiplier; }
  };

  void start(std::span<const double> f, const std::vector<std::vector<double>>& g);
  void start(Constraint& constraint, double range_of_f, std::span<const double> g) const;
  void move(Constraint& constraint, double g) const;
  void change_factor(Constraint& constraint, int direction) const;
  double share_fulfilled(const Constraint& constraint) const;

  double dimension_;
  int updates_ = 0;
  std::vector<Constraint> constraints_;
};

/// The constraints of a search: how far its candidates violate them, and by what fitness they rank. Without
/// any it does nothing.
class Constraints {
 public:
  Constraints() = default;
  explicit Constraints(std::vector<Constraint> constraints) : constraints_(std::move(constraints)) {}

  bool any() const { return !constraints_.empty(); }

  /// Forgets all candidates, for a new search over so many parameters.
  void start(int dimension);

  /// Keeps the result of a candidate until its generation is told.
  void keep(const Result& result);

  bool fulfilled(std::uint64_t candidate) const;

  /// The fitness by which a candidate ranks, from its fitness without constraints.
  double ranked(std::uint64_t candidate, double fitness) const;

  /// Remembers the values of a candidate as those of the best one so far.
  void set_best(std::uint64_t candidate);

  /// Follows a generation of candidates, `first` and those after it, that have these fitnesses without
  /// constraints, and forgets them; the row of the table.
  TableRow follow(std::uint64_t generation, std::uint64_t first, std::span<const double> fitness);

  Table table(std::uint64_t generations) const;

  /// The observables of the best candidate beside their bounds, a line each.
  std::string conclusion() const;

 private:
  std::vector<Constraint> constraints_;
  AugmentedLagrangian lagrangian_{1, 0};
  std::map<std::uint64_t, std::vector<double>> excess_;  ///< of candidates whose generation is not told yet
  std::vector<double> best_;                             ///< excess
};

}  // namespace rodeo
