#include "optimization_settings.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double largest_growth = 1e4;
constexpr double largest_condition = 1e14;
constexpr std::size_t longest_history = 20000;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The median of the newest three tenths is not below that of the oldest three tenths.
bool no_better(const std::deque<double>& history, std::size_t length) {
  const auto part = static_cast<std::ptrdiff_t>(0.3 * static_cast<double>(length));
  const auto start = history.end() - static_cast<std::ptrdiff_t>(length);
  return median_of({history.end() - part, history.end()}) >= median_of({start, start + part});
}

double generations_per_population(const CmaEs& search) {
  return 30.0 * static_cast<double>(search.mean().size()) / search.population();
}

/// Whether adding a tenth of a standard deviation along one axis, another each generation, changes nothing.
bool axis_without_effect(const CmaEs& search) {
  const Index k = search.generation() % search.mean().size();
  const VectorXd moved = search.mean() + 0.1 * search.sigma() * search.covariance().axis(k);
  return moved == search.mean();
}

bool coordinate_without_effect(const CmaEs& search, const VectorXd& deviations) {
  const VectorXd moved = search.mean() + 0.2 * search.sigma() * deviations;
  return (moved.array() == search.mean().array()).any();
}

/// More candidates than this is taken for a mistake in the deck.
constexpr double most_evaluations = 1e9;

/// Population that the deck gives; else the default, rounded up to a multiple of optimize.workers if given.
int population_of(const Deck& deck, int dimension) {
  const bool given = deck.has_value("optimize.population"_key);
  if (!deck.has_value("optimize.workers"_key)) {
    return given ? static_cast<int>(deck.integer("optimize.population"_key)) : default_population(dimension);
  }
  if (given) throw deck.error("optimize.workers"_key, "has no effect: optimize.population is given");
  const auto workers = static_cast<int>(deck.integer("optimize.workers"_key));
  return (default_population(dimension) + workers - 1) / workers * workers;
}

}  // namespace

StopCriteria::StopCriteria(const CmaEs& search, const StopTolerances& tolerances)
    : tolerances_(tolerances), first_sigma_(search.sigma()) {}

bool StopCriteria::within_tolerance(const CmaEs& search, std::span<const double> sorted,
                                    double tolerance) const {
  const auto length = static_cast<std::ptrdiff_t>(10.0 + std::ceil(generations_per_population(search)));
  if (std::ssize(best_) < length) return false;
  const auto [least, greatest] = std::minmax_element(best_.end() - length, best_.end());
  const double low = sorted.empty() ? *least : std::min(*least, sorted.front());
  const double high = sorted.empty() ? *greatest : std::max(*greatest, sorted.back());
  return high - low < tolerance;
}

bool StopCriteria::stagnates(const CmaEs& search) const {
  const auto least = static_cast<std::size_t>(120.0 + generations_per_population(search));
  const auto fifth = static_cast<std::size_t>(0.2 * search.generation());
  const std::size_t length = std::min(std::max(least, fifth), longest_history);
  return best_.size() >= length && no_better(best_, length) && no_better(median_, length);
}

StopReason StopCriteria::after(const CmaEs& search, std::span<const double> fitness) {
  std::vector<double> sorted;
  for (const double value : fitness) {
    if (!std::isnan(value)) sorted.push_back(value);
  }
  std::ranges::sort(sorted);
  best_.push_back(sorted.front());
  median_.push_back(sorted[sorted.size() / 2]);
  if (best_.size() > longest_history) {
    best_.pop_front();
    median_.pop_front();
  }

  const VectorXd deviations = search.covariance().variances().cwiseSqrt();
  const VectorXd eigenvalues = search.covariance().eigenvalues();
  const double shortest = eigenvalues[0];
  const double longest = eigenvalues[eigenvalues.size() - 1];
  const double largest_deviation = std::max(deviations.maxCoeff(), search.path().cwiseAbs().maxCoeff());
  if (within_tolerance(search, sorted, tolerances_.fitness)) return StopReason::tolfun;
  if (within_tolerance(search, {}, 0.1 * tolerances_.fitness)) return StopReason::tolfunhist;
  if (search.sigma() * largest_deviation < tolerances_.x * first_sigma_) return StopReason::tolx;
  if (search.sigma() * std::sqrt(longest) > largest_growth * first_sigma_) return StopReason::tolxup;
  if (longest > largest_condition * shortest) return StopReason::condition;
  if (axis_without_effect(search)) return StopReason::noeffectaxis;
  if (coordinate_without_effect(search, deviations)) return StopReason::noeffectcoord;
  if (stagnates(search)) return StopReason::stagnation;
  return StopReason::none;
}

OptimizationSettings OptimizationSettings::from_deck(const Deck& deck, std::size_t dimension,
                                                     std::uint64_t spare) {
  OptimizationSettings settings;
  if (!deck.has_value("study.objective"_key)) {
    throw deck.missing_error("study.objective"_key, "study.kind = optimize needs it");
  }
  settings.objective = objectives_of(deck).front();
  named_observable(deck, "study.objective"_key, settings.objective.name);  // throws if it is none
  if (!settings.objective.constraints.empty() && deck.has_value("fidelity.level"_key)) {
    throw deck.error(
        "optimize.constraint"_key,
        "is for searches without fidelity.level: what a level's search has learnt of constraints "
        "does not hold on the next one");
  }
  settings.seed = deck.seed();
  settings.population = population_of(deck, static_cast<int>(dimension));
  deck.fill<SearchSpec>(settings);
  deck.fill(settings.tolerances);

  const double generations = deck.number("optimize.generations"_key);
  const bool given = deck.has_value("optimize.evaluations"_key);
  // Smallest and largest population over all levels of a ladder.
  int smallest = settings.population;
  int largest = settings.population;
  if (deck.has_value("fidelity.population"_key)) {
    const auto later = static_cast<int>(deck.integer("fidelity.population"_key));
    smallest = std::min(smallest, later);
    largest = std::max(largest, later);
  }
  const double evaluations =
      given ? deck.number("optimize.evaluations"_key) - static_cast<double>(spare) : generations * largest;
  const Key limit = given ? "optimize.evaluations"_key : "optimize.generations"_key;
  if (evaluations > most_evaluations) {
    throw deck.error(limit, "makes " + format_real(evaluations) + " candidates of " +
                                std::to_string(settings.population) +
                                " a generation; at most 1e9 are allowed");
  }
  if (evaluations < settings.population) {
    throw deck.error(limit,
                     "is less than one generation of " + std::to_string(settings.population) + " candidates" +
                         (spare > 0 ? " and the " + std::to_string(spare) + " that go up the levels" : ""));
  }
  settings.evaluations = static_cast<std::uint64_t>(evaluations);
  settings.generations =
      static_cast<std::uint64_t>(std::min(generations, std::floor(evaluations / smallest)));

  settings.asynchronous = deck.choice("optimize.mode"_key) == "asynchronous";
  if (settings.asynchronous && deck.has_value("optimize.ahead"_key)) {
    settings.ahead = static_cast<int>(deck.integer("optimize.ahead"_key));
    if (*settings.ahead > settings.population) {
      throw deck.error("optimize.ahead"_key,
                       "is more than the population of " + std::to_string(settings.population));
    }
  }
  if (deck.has_value("optimize.target"_key)) {
    const double target = deck.number("optimize.target"_key);
    settings.target = settings.objective.largest ? -target : target;
  }
  return settings;
}

}  // namespace rodeo
