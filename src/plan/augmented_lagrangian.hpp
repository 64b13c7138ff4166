#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

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

}  // namespace rodeo
