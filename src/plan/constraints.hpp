#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/plan/result.hpp"
#include "rodeo/plan/table.hpp"

#include "augmented_lagrangian.hpp"

namespace rodeo {

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
