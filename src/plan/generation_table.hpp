#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/plan/study_state.hpp"
#include "rodeo/plan/table.hpp"

namespace rodeo {

/// Why a search stopped; the numbers are part of the file format (/optimize/stop).
enum class StopReason : std::uint8_t {
  none = 0,       ///< it goes on
  target,         ///< optimize.target is reached
  tolfun,         ///< the objective varies by less than optimize.tolerance
  tolfunhist,     ///< the best objectives of generations vary by less than a tenth of optimize.tolerance
  tolx,           ///< all standard deviations are below optimize.tolerance_x
  tolxup,         ///< a standard deviation has grown ten thousandfold: optimize.sigma was far too small
  stagnation,     ///< neither best nor median objective has become better for long
  condition,      ///< the covariance's eigenvalues differ by more than 1e14
  noeffectaxis,   ///< a tenth of a standard deviation along an axis is lost in rounding
  noeffectcoord,  ///< a fifth of a standard deviation of a parameter is lost in rounding
  all_failed,     ///< no candidate of a generation has an objective
  share,          ///< a small search of bipop has used its share of candidates
  generations,    ///< optimize.generations
  evaluations     ///< optimize.evaluations
};

inline constexpr std::array<std::string_view, 14> stop_reason_names = {
    "none",      "target",       "tolfun",        "tolfunhist", "tolx",  "tolxup",      "stagnation",
    "condition", "noeffectaxis", "noeffectcoord", "all_failed", "share", "generations", "evaluations"};

constexpr std::string_view to_string(StopReason reason) {
  return stop_reason_names[static_cast<std::size_t>(reason)];
}

/// Record of a generation; objectives in the sense and unit of the deck, NaN where all failed.
struct GenerationRow {
  std::uint64_t generation = 0;      ///< row, counted over restarts
  std::uint64_t evaluations = 0;     ///< candidates so far, those of this generation included
  std::int64_t restart = 0;          ///< 0 for the first search
  std::int64_t population = 0;       ///< of this generation
  std::int64_t failed = 0;           ///< candidates of this generation without an objective
  double best = 0.0;                 ///< objective so far
  std::int64_t best_candidate = -1;  ///< that has it; -1: none
  double generation_best = 0.0;      ///< objective
  double generation_mean = 0.0;      ///< objective
  double generation_median = 0.0;    ///< objective
  double sigma = 0.0;                ///< after this generation
  double axis_ratio = 0.0;           ///< longest over shortest principal axis of the distribution
  StopReason stop = StopReason::none;
  bool last = false;                ///< no generation follows: the optimisation has ended
  std::vector<double> mean_vector;  ///< [P], deck values at the mean of the distribution
  std::vector<double> deviation;  ///< [P], standard deviations, in the parameters' units; of logarithmic ones
                                  ///< to first order
  std::vector<double> eigenvalues;  ///< [P], of the covariance matrix, ascending
};

inline constexpr std::string_view generation_table_name = "optimize";

/// The table of a search's generations, which has a row for each; `unit` is that of the objective.
Table generation_table(std::span<const ParameterAddress> parameters, std::uint64_t generations,
                       std::string_view unit);

TableRow to_table_row(const GenerationRow& generation);

/// Throws std::invalid_argument where the table is not one of generations.
GenerationRow generation_of(const Table& table, const TableRow& row);

/// Progress of a search. Throws as generation_of.
StudyState generation_state(const Table& table, const std::optional<TableRow>& newest);

/// A value as a deck would give it: a number, or a word of its key.
std::string value_text(const ParameterAddress& address, double value);

/// Lines "  KEY = value" for people; entries of a list that follow one another share one, "  KEY[i:j] =
/// value, value, ...", which goes on in further ones where it is long. Words as a deck would give them.
std::string point_lines(std::span<const ParameterAddress> addresses, std::span<const double> point);

}  // namespace rodeo
