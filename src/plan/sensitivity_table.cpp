#include "sensitivity_table.hpp"

#include <algorithm>
#include <cstdio>

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
  char text[256];
  std::snprintf(text, sizeof text,
                "round %.0f: %.0f evaluations, %.0f failed, prediction error %.3g, "
                "indices changed by %.2g",
                number("round") + 1.0, number("evaluations"), number("failed"), number("prediction_error"),
                number("change"));
  state.line = text;
  state.ended = number("last") != 0.0;
  if (state.ended) state.line += ", ended";
  return state;
}

}  // namespace rodeo
