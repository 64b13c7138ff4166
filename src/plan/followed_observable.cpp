#include "followed_observable.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace rodeo {

namespace {

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
      std::array<char, 128> line{};
      std::snprintf(line.data(), line.size(), "%10lld %13.6g %22s %13s %7s\n",
                    static_cast<long long>(table.rows[k].elements), table.rows[k].step,
                    number_or_dash(observable.values[k], "%.12g").c_str(),
                    number_or_dash(observable.errors[k], "%.6g").c_str(),
                    number_or_dash(observable.orders[k], "%.3f").c_str());
      text += line.data();
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
