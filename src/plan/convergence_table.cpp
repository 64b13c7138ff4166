#include "convergence_table.hpp"

#include <array>
#include <cmath>

#include "rodeo/input/terminal.hpp"

namespace rodeo {

namespace {

constexpr std::array norms = {&ErrorNorms::l1, &ErrorNorms::l2, &ErrorNorms::linf};

void set_orders(ConvergenceTable& table) {
  const double reference = table.against_finest() ? table.rows.back().spacing : 0.0;
  for (std::size_t k = 1; k < table.rows.size(); ++k) {
    const ConvergenceRow& coarse = table.rows[k - 1];
    ConvergenceRow& fine = table.rows[k];
    for (const auto norm : norms) {
      fine.order.*norm =
          observed_order({coarse.spacing, coarse.error.*norm}, {fine.spacing, fine.error.*norm}, reference);
    }
  }
}

/// Sets what follows from three levels, `fine` being the last of them.
void extrapolate(FollowedObservable& observable, std::span<const ConvergenceRow> levels, std::size_t fine) {
  constexpr double lowest_order = 0.5;  // below it, nothing that comes out could be trusted
  constexpr double safety = 1.25;
  const auto values = std::span(observable.values).subspan(fine - 2, 3);
  const auto spaced = [&](std::size_t k) {
    return SpacedError{levels[fine - 2 + k].spacing, std::abs(values[k] - values[2])};
  };
  const double order = observed_order(spaced(0), spaced(1), levels[fine].spacing);
  const bool approaches = (values[0] - values[1]) * (values[1] - values[2]) > 0.0 && order >= lowest_order;
  if (!approaches) return;
  const double ratio = levels[fine - 1].spacing / levels[fine].spacing;
  const double left = (values[2] - values[1]) / (std::pow(ratio, order) - 1.0);
  observable.extrapolated[fine] = values[2] + left;
  observable.bands[fine] = safety * std::abs(left);
}

}  // namespace

std::string number_or_dash(double value, const char* format) {
  return std::isfinite(value) ? formatted(format, value) : "-";
}

ErrorNorms position_error(const std::vector<double>& coarse, const std::vector<double>& fine) {
  const std::size_t coarse_nodes = coarse.size() / 3;
  const std::size_t fine_nodes = fine.size() / 3;
  if (coarse_nodes < 2 || fine_nodes < 2) return no_error_norms();
  const double ratio = static_cast<double>(fine_nodes - 1) / static_cast<double>(coarse_nodes - 1);
  std::vector<double> squares(coarse_nodes, 0.0);
  std::vector<double> component(fine_nodes);
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t i = 0; i < fine_nodes; ++i) component[i] = fine[3 * i + c];
    for (std::size_t i = 0; i < coarse_nodes; ++i) {
      const double difference = coarse[3 * i + c] - interpolate_at(component, ratio * static_cast<double>(i));
      squares[i] += difference * difference;
    }
  }
  for (double& square : squares) square = std::sqrt(square);
  return error_norms(squares, Sampling::nodes);
}

void set_errors(ConvergenceTable& table, const std::vector<LevelResult>& levels) {
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    ErrorNorms& error = table.rows[k].error;
    error = no_error_norms();
    if (!levels[k].done) continue;
    if (!table.against_finest()) {
      error = levels[k].profile_error;
    } else if (k + 1 < table.rows.size() && levels.back().done) {
      error = position_error(levels[k].last_frame, levels.back().last_frame);
    }
  }
  set_orders(table);
}

std::string to_text(const ConvergenceTable& table) {
  std::string text =
      "convergence over " + table.key + " against " + table.reference +
      "\n  elements      step (s)            L1   order            L2   order          Linf   order\n";
  for (const ConvergenceRow& row : table.rows) {
    text += formatted("%10ld %13.6g", row.elements, row.step);
    for (const auto norm : norms) {
      text += formatted(" %13s %7s", number_or_dash(row.error.*norm, "%.6g"),
                        number_or_dash(row.order.*norm, "%.3f"));
    }
    text += '\n';
  }
  return text;
}

void set_errors(FollowedObservable& observable, std::span<const ConvergenceRow> levels) {
  const std::size_t count = levels.size();
  observable.errors.assign(count, std::nan(""));
  observable.orders.assign(count, std::nan(""));
  const double reference = observable.exact.value_or(observable.values.back());
  const std::size_t compared = observable.exact ? count : count - 1;
  for (std::size_t k = 0; k < compared; ++k)
    observable.errors[k] = std::abs(observable.values[k] - reference);
  const double finest = observable.exact ? 0.0 : levels.back().spacing;
  for (std::size_t k = 1; k < count; ++k) {
    observable.orders[k] = observed_order({levels[k - 1].spacing, observable.errors[k - 1]},
                                          {levels[k].spacing, observable.errors[k]}, finest);
  }
  observable.extrapolated.assign(count, std::nan(""));
  observable.bands.assign(count, std::nan(""));
  for (std::size_t k = 2; k < count; ++k) extrapolate(observable, levels, k);
}

std::vector<TableColumn> columns_of(std::span<const FollowedObservable> observables) {
  std::vector<std::string> names;
  for (const FollowedObservable& observable : observables) names.push_back(observable.name);
  const std::string unit = observables.size() == 1 ? observables.front().unit : "";
  const std::size_t count = names.size();
  return {{.name = "value", .unit = unit, .width = count, .names = names},
          {.name = "error", .unit = unit, .width = count, .names = names},
          {.name = "observed_order", .unit = "1", .width = count, .names = names},
          {.name = "extrapolated", .unit = unit, .width = count, .names = names},
          {.name = "band", .unit = unit, .width = count, .names = names}};
}

std::vector<double> numbers_of(std::span<const FollowedObservable> observables, std::size_t level) {
  std::vector<double> numbers;
  for (const auto column :
       {&FollowedObservable::values, &FollowedObservable::errors, &FollowedObservable::orders,
        &FollowedObservable::extrapolated, &FollowedObservable::bands}) {
    for (const FollowedObservable& observable : observables) numbers.push_back((observable.*column)[level]);
  }
  return numbers;
}

std::string to_text(const ConvergenceTable& table, std::span<const FollowedObservable> observables) {
  std::string text;
  for (const FollowedObservable& observable : observables) {
    text += "convergence of " + observable.name + " (" + observable.unit + ") over " + table.key +
            " against " + table.reference +
            "\n  elements      step (s)                  value         error   order\n";
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
      text += formatted("%10ld %13.6g %22s %13s %7s\n", table.rows[k].elements, table.rows[k].step,
                        number_or_dash(observable.values[k], "%.12g"),
                        number_or_dash(observable.errors[k], "%.6g"),
                        number_or_dash(observable.orders[k], "%.3f"));
    }
    if (table.rows.size() < 3) continue;
    text += std::isnan(observable.bands.back())
                ? "the three finest levels do not approach a value\n"
                : "extrapolated " + number_or_dash(observable.extrapolated.back(), "%.12g") +
                      "; band of the grid convergence index around the finest level +-" +
                      number_or_dash(observable.bands.back(), "%.2g") + "\n";
  }
  return text;
}

}  // namespace rodeo
