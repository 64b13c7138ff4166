#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <Eigen/Core>

#include "rodeo/input/deck.hpp"
#include "rodeo/plan/study_state.hpp"
#include "rodeo/plan/table.hpp"

namespace rodeo {

/// First and total Sobol indices, one of each for every parameter: the shares of a response's variance that
/// are a parameter's alone, and with all that it does together with others.
struct SobolIndices {
  Eigen::VectorXd first;
  Eigen::VectorXd total;

  /// The largest difference of an index; infinite where there are none to compare with.
  double largest_difference(const SobolIndices& other) const;
  double largest() const;
};

/// Indices, and half the widths of their 95 % confidence intervals.
struct EstimatedIndices {
  SobolIndices indices;
  SobolIndices errors;
};

/// Groups of points that are left out, one at a time, to estimate the error of a result.
inline constexpr int jackknife_groups = 8;

/// Errors of indices by delete-a-group jackknife, from the indices without each group: `first` and `total`
/// [parameters, groups].
SobolIndices jackknife_errors(const Eigen::MatrixXd& first, const Eigen::MatrixXd& total);

/// Something like a response whose indices are known exactly. The better it is, the smaller the errors of
/// estimators of what it leaves (a control variate).
struct Approximation {
  double variance = 0.0;
  SobolIndices indices;
  Eigen::MatrixXd pairs;  ///< its values, less its mean, where jansen_indices() takes the response's
};

/// Jansen's (1999) estimators from rows f(a), f(b), f(a with b_0 in place of a_0), ..., one for each pair of
/// points a and b; values less the mean of the approximation. The errors are those of a delete-a-group
/// jackknife over pairs that follow each other: of points that fill space evenly each such group is almost as
/// even, as no group drawn at random would be.
EstimatedIndices jansen_indices(const Eigen::MatrixXd& pairs, const Approximation& approximation);

inline constexpr std::string_view sensitivity_table_name = "sensitivity";

/// Method by which the indices of a row were estimated; the numbers are part of the file format.
enum class SensitivityMethod : std::uint8_t { none = 0, chaos, jansen };

/// Shares of the quantiles of a row.
inline constexpr std::array quantile_shares = {0.05, 0.25, 0.5, 0.75, 0.95};

/// Results of a round for an observable.
struct SensitivityRow {
  std::uint64_t round = 0;
  std::uint64_t evaluations = 0;  ///< candidates so far
  std::uint64_t failed = 0;       ///< of these, those without a number
  std::size_t observable = 0;     ///< place among those of sensitivity.observable
  SensitivityMethod method = SensitivityMethod::none;
  double prediction_error = 0.0;  ///< error of the chaos, as a share of the variance; NaN without
  std::uint64_t degree = 0;       ///< of the chaos
  std::uint64_t terms = 0;        ///< likewise
  double change = 0.0;  ///< of an index since half as many candidates, at most; NaN if there are none
  double mean = 0.0;
  double deviation = 0.0;
  std::array<double, quantile_shares.size()> quantiles{};
  EstimatedIndices estimate;
  bool steady = false;  ///< as sensitivity.tolerance asks
  bool last = false;    ///< no round follows
};

/// The table of rounds: a row for each observable in each; `units` are those of the observables.
Table sensitivity_table(std::span<const ParameterAddress> parameters, std::uint64_t rounds,
                        std::span<const std::string> observables, std::span<const std::string> units);

/// `observables`: how many there are.
TableRow to_table_row(const SensitivityRow& row, std::size_t observables);

/// Progress of a study of sensitivities. Throws std::invalid_argument where the table is none of one.
StudyState sensitivity_state(const Table& table, const std::optional<TableRow>& newest);

}  // namespace rodeo
