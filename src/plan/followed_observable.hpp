#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rodeo/plan/table.hpp"

#include "convergence_table.hpp"

namespace rodeo {

/// An observable whose values are followed from level to level of a convergence study.
struct FollowedObservable {
  std::string name;
  std::string unit;
  std::size_t place = 0;             ///< in the study's list of observables
  std::optional<double> exact = {};  ///< what it converges to; else the finest level's is the reference
  std::vector<double> values = {};   ///< of the levels from coarse to fine, NaN where one did not end well
  std::vector<double> errors = {};   ///< their distance from the reference
  std::vector<double> orders = {};   ///< observed from the level before to each
  /// Limits by Richardson's extrapolation from each level and the two before it, and the band of the grid
  /// convergence index around the level's value (Roache 1994; Celik et al. 2008: 1.25 times the distance to
  /// the limit). NaN where the three do not approach anything, or by an order below a half.
  std::vector<double> extrapolated = {};
  std::vector<double> bands = {};
};

/// Sets all but values; `levels` have the spacings to which orders refer.
void set_errors(FollowedObservable& observable, std::span<const ConvergenceRow> levels);

/// The columns of the study's table after those of the levels, with a number for each observable.
std::vector<TableColumn> columns_of(std::span<const FollowedObservable> observables);

/// The numbers of a level in these columns.
std::vector<double> numbers_of(std::span<const FollowedObservable> observables, std::size_t level);

/// The table as it is printed, an observable after the other.
std::string to_text(const ConvergenceTable& table, std::span<const FollowedObservable> observables);

}  // namespace rodeo
