#include "constraints.hpp"

#include <algorithm>

#include "rodeo/input/number_text.hpp"
#include "rodeo/plan/objective.hpp"

namespace rodeo {

namespace {

std::string text_of(const Constraint& constraint) {
  return constraint.name + (constraint.at_most ? " <= " : " >= ") + format_real(constraint.bound);
}

bool is_fulfilled(std::span<const double> excess) {
  return std::ranges::all_of(excess, [](double value) { return value <= 0.0; });
}

}  // namespace

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
