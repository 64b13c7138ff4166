#include "followed_observable.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace rodeo {

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
}

std::vector<TableColumn> columns_of(std::span<const FollowedObservable> observables) {
  std::vector<std::string> names;
  for (const FollowedObservable& observable : observables) names.push_back(observable.name);
  const std::string unit = observables.size() == 1 ? observables.front().unit : "";
  const std::size_t count = names.size();
  return {{.name = "value", .unit = unit, .width = count, .names = names},
          {.name = "error", .unit = unit, .width = count, .names = names},
          {.name = "observed_order", .unit = "1", .width = count, .names = names}};
}

std::vector<double> numbers_of(std::span<const FollowedObservable> observables, std::size_t level) {
  std::vector<double> numbers;
  for (const auto column :
       {&FollowedObservable::values, &FollowedObservable::errors, &FollowedObservable::orders}) {
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
  }
  return text;
}

}  // namespace rodeo
