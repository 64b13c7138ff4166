#include "constraints.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/input/number_text.hpp"
#include "rodeo/plan/objective.hpp"

namespace rodeo {

namespace {

constexpr double multiplier_damping = 5.0;
constexpr double factor_damping = 5.0;
constexpr double quarter = 0.25;

/// Difference of the upper and the lower quartile, linear between values.
double interquartile_range(std::vector<double> values) {
  std::ranges::sort(values);
  const auto quantile = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
  };
  return quantile(1.0 - quarter) - quantile(quarter);
}

std::string text_of(const Constraint& constraint) {
  return constraint.name + (constraint.at_most ? " <= " : " >= ") + format_real(constraint.bound);
}

bool is_fulfilled(std::span<const double> excess) {
  return std::ranges::all_of(excess, [](double value) { return value <= 0.0; });
}

}  // namespace

AugmentedLagrangian::AugmentedLagrangian(int dimension, std::size_t constraints)
    : dimension_(dimension), constraints_(constraints) {}

double AugmentedLagrangian::Constraint::penalty(double g) const {
  if (factor * g < -multiplier) g = -multiplier / factor;
  return g * (multiplier + 0.5 * factor * g);
}

double AugmentedLagrangian::penalty(std::span<const double> g) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < constraints_.size(); ++k) sum += constraints_[k].penalty(g[k]);
  return sum;
}

void AugmentedLagrangian::update(std::span<const double> f, const std::vector<std::vector<double>>& g) {
  std::vector<double> known_f;
  std::vector<std::vector<double>> known_g;
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < f.size(); ++k) {
    const double lagrangian = f[k] + penalty(g[k]);
    if (!std::isfinite(lagrangian)) continue;
    if (lagrangian < least) {
      least = lagrangian;
      best = known_f.size();
    }
    known_f.push_back(f[k]);
    known_g.push_back(g[k]);
  }
  if (known_f.empty()) return;

  // Values with which candidates were ranked tell whether a constraint mattered to any of them.
  std::vector<bool> acted(constraints_.size());
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    acted[i] = std::ranges::any_of(known_g, [&](const auto& each) { return constraints_[i].acts(each[i]); });
  }
  start(known_f, known_g);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    Constraint& constraint = constraints_[i];
    const double value = known_g[best][i];
    constraint.past.push_back(value);
    if (constraint.past.size() > static_cast<std::size_t>(5.0 + dimension_)) constraint.past.pop_front();
    if (constraint.factor == 0.0) continue;
    if (acted[i] || constraint.acts(value)) {
      constraint.multiplier += constraint.factor * value / multiplier_damping;
    }
    if (constraint.multiplier < 0.0) {
      constraint.multiplier = 0.0;  // not active: it would fall on, and the factor rise
    } else if (constraint.factor * value >= -constraint.multiplier) {
      move(constraint, value);
    }
  }
  ++updates_;
}

/// Gives constraints that matter to a generation their first values, again with each generation until it is
/// well mixed.
void AugmentedLagrangian::start(std::span<const double> f, const std::vector<std::vector<double>>& g) {
  const double range_of_f = interquartile_range({f.begin(), f.end()});
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    if (constraints_[i].started && constraints_[i].factor > 0.0) continue;
    std::vector<double> values;
    for (const auto& each : g) values.push_back(each[i]);
    start(constraints_[i], range_of_f, values);
  }
}

/// The multiplier has the unit of f/g and the factor that of f/g^2, so that a search takes the same
/// candidates in whatever unit a constraint is said.
void AugmentedLagrangian::start(Constraint& constraint, double range_of_f, std::span<const double> g) const {
  constexpr double tiny = 1e-11;
  // Measured with a beam (lightest_beam.ini), spheres and ellipsoids, with one constraint and two.
  constexpr double first_factor = 20.0;
  const auto violated =
      static_cast<double>(std::ranges::count_if(g, [](double value) { return value > 0.0; }));
  const double balance = 2.0 * violated / static_cast<double>(g.size()) - 1.0;  // -1: none violates it
  if (balance <= -0.8) return;
  double largest = 0.0;
  for (const double value : g) largest = std::max(largest, std::abs(value));
  const double range = interquartile_range({g.begin(), g.end()});
  const double factor = first_factor * range_of_f / (dimension_ * largest * largest);
  constraint.multiplier = range_of_f / (dimension_ * range + tiny * largest);
  if (balance <= 0.2 && constraint.factor > factor) constraint.multiplier *= factor / constraint.factor;
  const double in_reach = constraint.multiplier / largest;
  constraint.factor = std::min(20.0 * factor, std::max(factor, in_reach));
  constraint.started = updates_ > 2.0 + dimension_ || std::abs(balance) < 0.8;
}

/// Share of past generations whose best candidate fulfils it.
double AugmentedLagrangian::share_fulfilled(const Constraint& constraint) const {
  double sum = 0.0;
  for (const double g : constraint.past) sum += g < 0.0 ? 1.0 : g == 0.0 ? 0.5 : 0.0;
  return sum / static_cast<double>(constraint.past.size());
}

/// A larger factor draws the search to where the constraint is fulfilled; too large a one makes a ridge of
/// its border.
void AugmentedLagrangian::move(Constraint& constraint, double g) const {
  const double share = share_fulfilled(constraint);
  if (g > 0.0 || (constraint.acts(g) && share > 0.95)) {
    change_factor(constraint, 1);
  } else if (g < 0.0 && share < 0.9) {
    change_factor(constraint, -1);
  }
}

/// Changes the factor by a quarter of the usual change, and by up to five times as much when many in a row
/// have the same direction.
void AugmentedLagrangian::change_factor(Constraint& constraint, int direction) const {
  if (direction * constraint.same_changes < 0) constraint.same_changes = 0;
  constraint.same_changes += direction;
  const double patience = 2.0 + static_cast<double>(constraints_.size());
  const double beyond = std::clamp(std::abs(constraint.same_changes) - patience, 0.0, patience);
  const double changes = quarter * (1.0 + 4.0 / patience * beyond);
  constraint.factor *= std::exp2(direction * changes / (factor_damping * dimension_));
}

std::vector<double> AugmentedLagrangian::multipliers() const {
  std::vector<double> all;
  for (const Constraint& constraint : constraints_) all.push_back(constraint.multiplier);
  return all;
}

std::vector<double> AugmentedLagrangian::factors() const {
  std::vector<double> all;
  for (const Constraint& constraint : constraints_) all.push_back(constraint.factor);
  return all;
}

void Constraints::start(int dimension) {
  lagrangian_ = AugmentedLagrangian(dimension, constraints_.size());
  excess_.clear();
}

void Constraints::keep(const Result& result) {
  if (!any()) return;
  std::vector<double>& excess = excess_[result.candidate];
  for (const Constraint& constraint : constraints_) excess.push_back(rodeo::excess(constraint, result));
}

bool Constraints::fulfilled(std::uint64_t candidate) const {
  return !any() || is_fulfilled(excess_.at(candidate));
}

double Constraints::ranked(std::uint64_t candidate, double fitness) const {
  return any() ? fitness + lagrangian_.penalty(excess_.at(candidate)) : fitness;
}

void Constraints::set_best(std::uint64_t candidate) {
  if (any()) best_ = excess_.at(candidate);
}

TableRow Constraints::follow(std::uint64_t generation, std::uint64_t first, std::span<const double> fitness) {
  std::vector<std::vector<double>> excess;
  double fulfilled = 0.0;
  for (std::uint64_t candidate = first; candidate < first + fitness.size(); ++candidate) {
    excess.push_back(std::move(excess_.extract(candidate).mapped()));
    if (is_fulfilled(excess.back())) ++fulfilled;
  }
  lagrangian_.update(fitness, excess);
  TableRow row{.table = 1, .row = generation};
  for (const std::vector<double>& numbers : {lagrangian_.multipliers(), lagrangian_.factors()}) {
    row.numbers.insert(row.numbers.end(), numbers.begin(), numbers.end());
  }
  row.numbers.push_back(fulfilled);
  row.numbers.push_back(static_cast<double>(first + fitness.size()));
  return row;
}

Table Constraints::table(std::uint64_t generations) const {
  std::vector<std::string> names;
  for (const Constraint& constraint : constraints_) names.push_back(text_of(constraint));
  const std::size_t count = names.size();
  return {.name = "constraints",
          .columns = {{.name = "multiplier", .width = count, .names = names},
                      {.name = "factor", .width = count, .names = names},
                      {.name = "fulfilled", .unit = "1", .type = NumberType::integer},
                      {.name = "evaluations", .unit = "1", .type = NumberType::natural}},
          .rows = generations};
}

std::string Constraints::conclusion() const {
  std::string text;
  for (std::size_t k = 0; k < best_.size(); ++k) {
    const Constraint& constraint = constraints_[k];
    const double value = constraint.bound + (constraint.at_most ? best_[k] : -best_[k]);
    text += "  " + constraint.name + " = " + format_real(value) + ", " + text_of(constraint) + "\n";
  }
  return text;
}

}  // namespace rodeo
