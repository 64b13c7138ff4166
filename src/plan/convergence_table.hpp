#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rodeo/plan/table.hpp"
#include "rodeo/profile/error_norms.hpp"

namespace rodeo {

/// One level of a convergence study.
struct ConvergenceRow {
  std::int64_t elements = 0;
  double step = 0.0;  ///< s
  double spacing =
      0.0;  ///< what the order refers to: element length (m), or step (s) where that alone varies
  ErrorNorms error =
      no_error_norms();  ///< NaN before the level has ended, and for a level that is the reference
  ErrorNorms order = no_error_norms();  ///< observed in each norm from the level before to this one
};

/// Results of a convergence study, from coarse to fine: /convergence of the file.
struct ConvergenceTable {
  std::string key;        ///< the number of the deck that makes the levels
  std::string reference;  ///< convergence.reference, or "exact"
  std::vector<ConvergenceRow> rows;

  bool against_finest() const { return reference == "finest"; }
};

/// Result of a level's member.
struct LevelResult {
  bool done = false;               ///< reached time.end
  ErrorNorms profile_error;        ///< against the solution in closed form, as the member reported it
  std::vector<double> last_frame;  ///< nodes x 3, m; only looked at if the finest level is the reference
};

/// Fills in the errors and observed orders; `levels` in the order of the rows.
void set_errors(ConvergenceTable& table, const std::vector<LevelResult>& levels);

/// Norms of the distance between the nodes of a rod and the same material points of a finer one (both nodes x
/// 3, m), by cubic interpolation where no node of the finer one stands.
ErrorNorms position_error(const std::vector<double>& coarse, const std::vector<double>& fine);

/// A number as it is printed in a table; a dash where it is none.
std::string number_or_dash(double value, const char* format);

/// The table as it is printed.
std::string to_text(const ConvergenceTable& table);

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
