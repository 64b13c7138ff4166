#include "sensitivity_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rodeo/input/terminal.hpp"

namespace rodeo {

namespace {

std::vector<std::string> quantile_names() {
  std::vector<std::string> names;
  for (const double share : quantile_shares) {
    names.push_back(std::to_string(static_cast<int>(100.0 * share + 0.5)) + " %");
  }
  return names;
}

}  // namespace

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Sums over pairs of which the estimators are made, less the same ones of the approximation.
struct JansenSums {
  double count = 0.0;
  double values = 0.0;   ///< of f(a) and f(b)
  double squares = 0.0;  ///< of the same
  ArrayXd first;         ///< of (f(b) - f(a with b_i))^2
  ArrayXd total;         ///< of (f(a) - f(a with b_i))^2

  explicit JansenSums(Index parameters) : first(ArrayXd::Zero(parameters)), total(first) {}

  void add(const MatrixXd& pairs, Index row, double sign) {
    const double a = pairs(row, 0);
    const double b = pairs(row, 1);
    values += sign * (a + b);
    squares += sign * (a * a + b * b);
    for (Index k = 0; k < first.size(); ++k) {
      const double mixed = pairs(row, 2 + k);
      first[k] += sign * (b - mixed) * (b - mixed);
      total[k] += sign * (a - mixed) * (a - mixed);
    }
  }

  void add(const JansenSums& other, double sign) {
    count += sign * other.count;
    values += sign * other.values;
    squares += sign * other.squares;
    first += sign * other.first;
    total += sign * other.total;
  }

  SobolIndices indices(const Approximation& approximation) const {
    const double mean = values / (2.0 * count);
    const double own = approximation.variance;
    const double variance = own + squares / (2.0 * count) - mean * mean;
    const ArrayXd without = own * (1.0 - approximation.indices.first.array()) + first / (2.0 * count);
    const ArrayXd with = own * approximation.indices.total.array() + total / (2.0 * count);
    return {1.0 - without / variance, with / variance};
  }
};

}  // namespace

double SobolIndices::largest_difference(const SobolIndices& other) const {
  if (first.size() == 0 || other.first.size() != first.size()) {
    return std::numeric_limits<double>::infinity();
  }
  return std::max((first - other.first).cwiseAbs().maxCoeff(), (total - other.total).cwiseAbs().maxCoeff());
}

double SobolIndices::largest() const {
  return first.size() == 0 ? std::numeric_limits<double>::infinity()
                           : std::max(first.maxCoeff(), total.maxCoeff());
}

SobolIndices jackknife_errors(const MatrixXd& first, const MatrixXd& total) {
  constexpr double groups = jackknife_groups;
  constexpr double t = 2.365;  // Student's, 97.5 %, of seven degrees of freedom
  const auto error = [&](const MatrixXd& replicates) -> VectorXd {
    const MatrixXd spread = replicates.colwise() - replicates.rowwise().mean();
    return t * (spread.rowwise().squaredNorm() * (groups - 1.0) / groups).cwiseSqrt();
  };
  return {error(first), error(total)};
}

EstimatedIndices jansen_indices(const MatrixXd& pairs, const Approximation& approximation) {
  constexpr Index groups = jackknife_groups;
  const Index parameters = pairs.cols() - 2;
  JansenSums all(parameters);
  std::vector<JansenSums> of_groups(groups, all);
  for (Index row = 0; row < pairs.rows(); ++row) {
    JansenSums& group = of_groups[static_cast<std::size_t>(row * groups / pairs.rows())];
    group.count += 1.0;
    group.add(pairs, row, 1.0);
    group.add(approximation.pairs, row, -1.0);
  }
  for (const JansenSums& group : of_groups) all.add(group, 1.0);
  MatrixXd first(parameters, groups);
  MatrixXd total(parameters, groups);
  for (Index group = 0; group < groups; ++group) {
    JansenSums rest = all;
    rest.add(of_groups[static_cast<std::size_t>(group)], -1.0);
    const SobolIndices indices = rest.indices(approximation);
    first.col(group) = indices.first;
    total.col(group) = indices.total;
  }
  return {all.indices(approximation), jackknife_errors(first, total)};
}

Table sensitivity_table(std::span<const ParameterAddress> parameters, std::uint64_t rounds,
                        std::span<const std::string> observables, std::span<const std::string> units) {
  using enum NumberType;
  std::vector<std::string> names;
  for (const ParameterAddress& parameter : parameters) names.push_back(parameter.name());
  const bool one_unit = std::ranges::count(units, units.front()) == std::ssize(units);
  const std::string unit = one_unit ? units.front() : "";
  const auto of_parameters = [&](const char* name) {
    return TableColumn{.name = name, .unit = "1", .width = parameters.size(), .names = names};
  };
  return {.name = std::string(sensitivity_table_name),
          .columns = {of_parameters("first"),
                      of_parameters("total"),
                      of_parameters("first_error"),
                      of_parameters("total_error"),
                      {.name = "observable",
                       .unit = "1",
                       .type = natural,
                       .names = {observables.begin(), observables.end()}},
                      {.name = "round", .unit = "1", .type = natural},
                      {.name = "failed", .unit = "1", .type = natural},
                      {.name = "method", .unit = "1", .type = byte, .names = {"none", "chaos", "jansen"}},
                      {.name = "prediction_error", .unit = "1"},
                      {.name = "degree", .unit = "1", .type = natural},
                      {.name = "terms", .unit = "1", .type = natural},
                      {.name = "change", .unit = "1"},
                      {.name = "mean", .unit = unit},
                      {.name = "deviation", .unit = unit},
                      {.name = "quantiles",
                       .unit = unit,
                       .width = quantile_shares.size(),
                       .names = quantile_names()},
                      {.name = "steady", .unit = "1", .type = byte},
                      {.name = "last", .unit = "1", .type = byte},
                      {.name = "evaluations", .unit = "1", .type = natural}},
          .rows = rounds * observables.size()};
}

TableRow to_table_row(const SensitivityRow& row, std::size_t observables) {
  TableRow stored{.row = row.round * observables + row.observable};
  const SobolIndices& indices = row.estimate.indices;
  const SobolIndices& errors = row.estimate.errors;
  for (const Eigen::VectorXd* const numbers : {&indices.first, &indices.total, &errors.first, &errors.total})
    stored.numbers.insert(stored.numbers.end(), numbers->begin(), numbers->end());
  for (const double number :
       {static_cast<double>(row.observable), static_cast<double>(row.round), static_cast<double>(row.failed),
        static_cast<double>(row.method), row.prediction_error, static_cast<double>(row.degree),
        static_cast<double>(row.terms), row.change, row.mean, row.deviation}) {
    stored.numbers.push_back(number);
  }
  stored.numbers.insert(stored.numbers.end(), row.quantiles.begin(), row.quantiles.end());
  for (const double number :
       {row.steady ? 1.0 : 0.0, row.last ? 1.0 : 0.0, static_cast<double>(row.evaluations)})
    stored.numbers.push_back(number);
  return stored;
}

StudyState sensitivity_state(const Table& table, const std::optional<TableRow>& newest) {
  StudyState state{.line = "round 0", .adaptive = true, .compares = false};
  if (!newest) return state;
  const auto number = [&](const char* column) { return numbers_in(table, *newest, column).front(); };
  state.line =
      formatted("round %.0f: %.0f evaluations, %.0f failed, prediction error %.3g, indices changed by %.2g",
                number("round") + 1.0, number("evaluations"), number("failed"), number("prediction_error"),
                number("change"));
  state.ended = number("last") != 0.0;
  if (state.ended) state.line += ", ended";
  return state;
}

}  // namespace rodeo
