#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rodeo/input/deck.hpp"
#include "rodeo/plan/study_state.hpp"
#include "rodeo/plan/table.hpp"

#include "sobol_indices.hpp"

namespace rodeo {

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
