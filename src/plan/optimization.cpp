#include "optimization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/math/random.hpp"

#include "generation_table.hpp"

namespace rodeo {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// `count` numbers of a stream, uniform in [0, 1).
std::vector<double> uniform_numbers(const RandomStream& stream, std::size_t count) {
  std::vector<double> numbers;
  while (numbers.size() < count) {
    double quadruple[4];
    stream.uniform(numbers.size() / 4, quadruple);
    numbers.insert(numbers.end(), quadruple, quadruple + 4);
  }
  numbers.resize(count);
  return numbers;
}

/// Standard normal numbers of a candidate.
VectorXd normal_numbers(const RandomStream& stream, Index count) {
  const std::vector<double> uniform = uniform_numbers(stream, static_cast<std::size_t>(count + count % 2));
  VectorXd normal(count);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const std::size_t pair = i - i % 2;
    normal[static_cast<Index>(i)] = normal_pair(uniform[pair], uniform[pair + 1])[i % 2];
  }
  return normal;
}

/// The mean and the median of those that are finite; NaN if none is.
struct Summary {
  double mean = std::nan("");
  double median = std::nan("");
};

Summary summary_of(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {};
  std::ranges::sort(values);
  double sum = 0.0;
  for (const double value : values) sum += value;
  const auto count = values.size();
  return {sum / static_cast<double>(count), 0.5 * (values[(count - 1) / 2] + values[count / 2])};
}

}  // namespace

std::unique_ptr<Optimization> Optimization::from_deck(const Deck& deck, std::uint64_t spare) {
  auto plan = std::make_unique<Optimization>();
  plan->search_parameters_ = deck.search_parameters();
  plan->settings_ = OptimizationSettings::from_deck(deck, plan->search_parameters_.size(), spare);
  plan->constraints_ = Constraints(plan->settings_.objective.constraints);
  plan->best_fitness_ = infinity;
  for (const SearchParameter& parameter : plan->search_parameters_) {
    plan->addresses_.push_back(parameter.address);
    plan->intervals_.emplace_back(parameter);
  }
  plan->take_start(deck);
  plan->start_first(plan->settings_.population);
  return plan;
}

void Optimization::take_start(const Deck& deck) {
  constexpr Key key = "optimize.distribution"_key;
  if (!deck.has_value(key)) return;
  const std::span<const double> numbers = deck.list(key);
  const std::size_t count = search_parameters_.size();
  const std::size_t triangle = count * (count + 1) / 2;
  if (numbers.size() != 1 + count + triangle && numbers.size() != 1 + 2 * count) {
    throw deck.error(key, "has " + std::to_string(numbers.size()) + " numbers; of " + std::to_string(count) +
                              " parameters it is sigma, " + std::to_string(count) + " for the mean and " +
                              std::to_string(triangle) + " for the covariance, or " + std::to_string(count) +
                              " for its diagonal");
  }
  if (!(numbers.front() > 0.0)) throw deck.error(key, "begins with sigma, which is above 0");
  const auto mean = numbers.subspan(1, count);
  const auto covariance = numbers.subspan(1 + count);
  start_ = {search_parameters_,
            numbers.front(),
            {mean.begin(), mean.end()},
            {covariance.begin(), covariance.end()}};
  deck.reading(key, [&] { make_full_covariance(static_cast<Index>(count), covariance); });
}

/// Starts from the deck, or from another search.
void Optimization::start_first(int population) {
  if (!start_) return start_search(deck_start(), settings_.sigma, population, unlimited);
  const auto mean = VectorXd::Map(start_->mean.data(), static_cast<Index>(start_->mean.size()));
  start_search(CmaEs(mean, start_->sigma, population, settings_.shape, plateaus(), start_->covariance,
                     settings_.learning),
               unlimited);
}

SearchDistribution Optimization::distribution_now() const {
  const CmaEs& es = search_->es;
  return {search_parameters_, es.sigma(), {es.mean().begin(), es.mean().end()}, es.covariance().entries()};
}

VectorXd Optimization::deck_start() const {
  VectorXd start(static_cast<Index>(search_parameters_.size()));
  for (std::size_t k = 0; k < search_parameters_.size(); ++k) {
    const SearchParameter& parameter = search_parameters_[k];
    start[static_cast<Index>(k)] = intervals_[k].point(parameter.start) / parameter.scale;
  }
  return start;
}

/// Plateaus of all parameters; none if no parameter has any.
std::vector<Plateaus> Optimization::plateaus() const {
  if (std::ranges::none_of(intervals_, &SearchInterval::has_plateaus)) return {};
  std::vector<Plateaus> plateaus(intervals_.size());
  for (std::size_t k = 0; k < intervals_.size(); ++k) {
    if (!intervals_[k].has_plateaus()) continue;
    plateaus[k] = [interval = intervals_[k], scale = search_parameters_[k].scale](double coordinate) {
      const Plateau plateau = interval.plateau(scale * coordinate);
      return Plateau{plateau.below / scale, plateau.above / scale};
    };
  }
  return plateaus;
}

void Optimization::start_search(const VectorXd& mean, double sigma, int population, std::uint64_t most) {
  start_search(CmaEs(mean, sigma, population, settings_.shape, plateaus(), {}, settings_.learning), most);
}

void Optimization::start_search(CmaEs start, std::uint64_t most) {
  const int population = start.population();
  constraints_.start(static_cast<int>(start.mean().size()));
  search_.emplace(std::move(start), settings_.tolerances);
  search_->first = next_candidate_;
  search_->next_told = next_candidate_;
  search_->most = most;
  if (settings_.asynchronous) {
    search_->ahead = static_cast<std::uint64_t>(settings_.ahead.value_or((population + 7) / 8));
  }
  sample();
}

/// Samples the generation that is told next, without candidates that were sampled ahead.
void Optimization::sample() {
  const Search& search = *search_;
  sample_until(search.next_told + static_cast<std::uint64_t>(search.es.population()), search.es);
}

/// Samples the first candidates of the generation after that, unless it cannot be completed.
void Optimization::sample_ahead() {
  const Search& search = *search_;
  const auto population = static_cast<std::uint64_t>(search.es.population());
  const std::uint64_t next = search.next_told + population;
  const bool another_follows = next + population <= settings_.evaluations &&
                               generation_ + 2 <= settings_.generations &&
                               (search.most == unlimited || next - search.first < search.most);
  if (!another_follows || next_candidate_ >= next + search.ahead) return;
  std::vector<VectorXd> positions;
  std::vector<double> fitness;
  for (std::uint64_t candidate = search.next_told; candidate < next - search.ahead; ++candidate) {
    positions.push_back(sampled_.at(candidate).position);
    fitness.push_back(constraints_.ranked(candidate, fitness_.at(candidate)));
  }
  sample_until(next + search.ahead, search.es.after_some(positions, fitness));
}

void Optimization::sample_until(std::uint64_t end, const CmaEs& es) {
  for (; next_candidate_ < end; ++next_candidate_) {
    asked_.push_back(next_candidate_);
    if (const auto twin = twin_of(next_candidate_)) {
      sampled_.emplace(next_candidate_, sampled_.at(*twin));
      continue;
    }
    const RandomStream stream{member_seed(settings_.seed, next_candidate_, 0), RandomUse::search};
    const VectorXd normal = normal_numbers(stream, es.mean().size());
    VectorXd position = es.sample(normal);
    VectorXd evaluated = es.evaluated(position);
    sampled_.emplace(next_candidate_, Sampled{std::move(position), std::move(evaluated)});
  }
}

/// The candidate of the same generation that this one repeats, for the noise to be seen.
std::optional<std::uint64_t> Optimization::twin_of(std::uint64_t candidate) const {
  if (settings_.learning == Learning::fixed) return std::nullopt;
  const int population = search_->es.population();
  const auto count = static_cast<std::uint64_t>(population);
  const std::uint64_t place = candidate - search_->first;
  const auto twins = static_cast<std::uint64_t>(NoiseShare::twins(population, place / count));
  return place % count < count - twins ? std::nullopt : std::optional(candidate - (count - twins));
}

std::vector<std::uint64_t> Optimization::ask() { return std::exchange(asked_, {}); }

std::vector<double> Optimization::values(const VectorXd& position) const {
  std::vector<double> result;
  for (std::size_t k = 0; k < intervals_.size(); ++k) {
    result.push_back(intervals_[k].value(search_parameters_[k].scale * position[static_cast<Index>(k)]));
  }
  return result;
}

std::vector<double> Optimization::point(std::uint64_t candidate) const {
  return values(sampled_.at(candidate).evaluated);
}

std::vector<std::vector<double>> Optimization::probes() const {
  std::vector<double> start;
  for (const SearchParameter& parameter : search_parameters_) start.push_back(parameter.start);
  std::vector<std::vector<double>> points = {start};
  for (std::size_t k = 0; k < start.size(); ++k) {
    const SearchParameter& parameter = search_parameters_[k];
    const std::vector<double> bounds = {parameter.lower, parameter.upper};
    for (const double value : parameter.values.empty() ? bounds : parameter.values) {
      if (std::isinf(value)) continue;
      points.push_back(start);
      points.back()[k] = value;
    }
  }
  return points;
}

bool Optimization::agrees(std::uint64_t candidate, std::span<const double> point) const {
  const auto found = sampled_.find(candidate);
  return found != sampled_.end() && is_near(values(found->second.evaluated), point);
}

bool Optimization::is_near(std::span<const double> own, std::span<const double> point) const {
  // A machine that rounds otherwise samples almost the same points; another study or method, other ones.
  const VectorXd deviations = search_->es.sigma() * search_->es.covariance().variances().cwiseSqrt();
  for (std::size_t k = 0; k < own.size(); ++k) {
    const double deviation =
        intervals_[k].deviation(own[k], search_parameters_[k].scale * deviations[static_cast<Index>(k)]);
    if (!(std::abs(own[k] - point[k]) <= 1e-3 * deviation + 1e-13 * std::abs(own[k]))) return false;
  }
  return true;
}

void Optimization::tell(std::span<const Result> results) {
  for (const Result& result : results) {
    if (done_ || result.candidate < search_->first) {
      sampled_.erase(result.candidate);  // begun ahead of a generation that never came
      continue;
    }
    fitness_[result.candidate] = fitness(result);
    constraints_.keep(result);
  }
  while (!done_) {
    const auto population = static_cast<std::uint64_t>(search_->es.population());
    if (search_->ahead > 0 && have_ended(population - search_->ahead)) sample_ahead();
    if (!have_ended(population)) break;
    tell_generation();
  }
}

/// Whether the first `count` candidates of the generation that is told next have ended.
bool Optimization::have_ended(std::uint64_t count) const {
  const auto end = fitness_.lower_bound(search_->next_told + count);
  return static_cast<std::uint64_t>(std::distance(fitness_.begin(), end)) == count;
}

void Optimization::tell_generation() {
  Search& search = *search_;
  const auto population = static_cast<std::uint64_t>(search.es.population());
  std::vector<VectorXd> positions;
  std::vector<double> fitness;
  std::vector<double> ranked;  // fitness with constraints
  GenerationRow row = std::exchange(latest_, {});
  row.generation = generation_++;
  row.restart = static_cast<std::int64_t>(restarts_);
  row.population = search.es.population();
  row.failed = 0;
  row.generation_best = std::nan("");
  double generation_best = infinity;
  for (std::uint64_t candidate = search.next_told; candidate < search.next_told + population; ++candidate) {
    Sampled sampled = std::move(sampled_.extract(candidate).mapped());
    positions.push_back(std::move(sampled.position));
    fitness.push_back(fitness_.extract(candidate).mapped());
    ranked.push_back(constraints_.ranked(candidate, fitness.back()));
    if (std::isnan(ranked.back())) ++row.failed;
    if (!constraints_.fulfilled(candidate)) continue;
    if (fitness.back() < generation_best) {
      generation_best = fitness.back();
      row.generation_best = objective(generation_best);
    }
    if (fitness.back() < best_fitness_) {
      best_fitness_ = fitness.back();
      best_point_ = values(sampled.evaluated);
      row.best_candidate = static_cast<std::int64_t>(candidate);
      constraints_.set_best(candidate);
    }
  }
  const Summary summary = summary_of(fitness);
  row.best = row.best_candidate < 0 ? std::nan("") : objective(best_fitness_);
  row.generation_mean = objective(summary.mean);
  row.generation_median = objective(summary.median);

  const int delayed = search.next_told > search.first ? static_cast<int>(search.ahead) : 0;
  search.es.update(positions, ranked, delayed);
  if (constraints_.any()) rows_.push_back(constraints_.follow(row.generation, search.next_told, fitness));
  search.next_told += population;

  const VectorXd eigenvalues = search.es.covariance().eigenvalues();
  const VectorXd variances = search.es.covariance().variances();
  row.evaluations = search.next_told;
  row.sigma = search.es.sigma();
  row.axis_ratio = std::sqrt(eigenvalues[eigenvalues.size() - 1] / eigenvalues[0]);
  row.mean_vector = values(search.es.mean());
  row.eigenvalues.assign(eigenvalues.begin(), eigenvalues.end());
  row.deviation.clear();
  for (std::size_t k = 0; k < search_parameters_.size(); ++k) {
    const auto j = static_cast<Index>(k);
    const double deviation =
        search_parameters_[k].scale * row.sigma * search.es.stretch()[j] * std::sqrt(variances[j]);
    row.deviation.push_back(intervals_[k].deviation(row.mean_vector[k], deviation));
  }
  row.stop = stop_reason(ranked);
  if (row.stop == StopReason::none) {
    sample();
  } else {
    const bool for_good = row.stop == StopReason::target || row.stop == StopReason::generations ||
                          row.stop == StopReason::evaluations;
    done_ = for_good || !restart();
  }
  row.last = done_;
  latest_ = row;
  rows_.push_back(to_table_row(row));
}

StopReason Optimization::stop_reason(std::span<const double> fitness) {
  Search& search = *search_;
  const auto population = static_cast<std::uint64_t>(search.es.population());
  if (settings_.target && best_fitness_ <= *settings_.target) return StopReason::target;
  if (std::ranges::all_of(fitness, [](double value) { return std::isnan(value); })) {
    return StopReason::all_failed;
  }
  const StopReason reason = search.criteria.after(search.es, fitness);
  // Where multipliers grow, what is ranked by becomes worse while the search comes nearer to its end; where
  // there is noise, the mean comes nearer while objectives vary at random.
  const bool counts =
      reason != StopReason::stagnation || (!constraints_.any() && settings_.learning == Learning::fixed);
  if (reason != StopReason::none && counts) return reason;
  if (search.most != unlimited && search.next_told - search.first >= search.most) return StopReason::share;
  if (generation_ >= settings_.generations) return StopReason::generations;
  if (search.next_told + population > settings_.evaluations) return StopReason::evaluations;
  return StopReason::none;
}

/// Starts the next search where restarts are asked for and one more generation is allowed; the rest of a
/// stopped search is forgotten.
bool Optimization::restart() {
  if (settings_.restarts == Restarts::none || generation_ >= settings_.generations) return false;
  const std::uint64_t used = search_->next_told - search_->first;
  if (restarts_ > 0) (search_->large ? large_used_ : small_used_) += used;
  if (search_->large) last_large_used_ = used;
  ++restarts_;
  const RandomStream stream{member_seed(settings_.seed, restarts_, 0), RandomUse::restart};
  const std::vector<double> uniform = uniform_numbers(stream, 2 + search_parameters_.size());

  const bool large = settings_.restarts == Restarts::ipop || large_used_ <= small_used_;
  double population = settings_.population;
  double sigma = settings_.sigma;
  std::uint64_t most = unlimited;
  if (large) ++large_restarts_;
  const double growth = std::exp2(static_cast<double>(large_restarts_));
  if (large) {
    population *= growth;
  } else {
    population = std::floor(population * std::pow(0.5 * growth, uniform[0] * uniform[0]));
    sigma *= std::pow(10.0, -2.0 * uniform[1]);
    most = last_large_used_ / 2;
  }
  if (static_cast<double>(next_candidate_) + population > static_cast<double>(settings_.evaluations)) {
    return false;
  }
  forget();
  start_search(random_start(std::span(uniform).subspan(2)), sigma, static_cast<int>(population), most);
  search_->large = large;
  return true;
}

/// Drops the rest of a search that has stopped.
void Optimization::forget() {
  for (const auto& [candidate, ignored] : fitness_) sampled_.erase(candidate);
  fitness_.clear();
}

bool Optimization::has_room_for(int population) const {
  return generation_ < settings_.generations &&
         next_candidate_ + static_cast<std::uint64_t>(population) <= settings_.evaluations;
}

void Optimization::set_tolerance(double tolerance) {
  settings_.tolerances.fitness = tolerance;
  search_->criteria = StopCriteria(search_->es, settings_.tolerances);
}

void Optimization::go_on(double deviation, int population) {
  forget();
  best_fitness_ = infinity;
  latest_.best_candidate = -1;
  done_ = false;
  start_search(search_->es.raised(deviation, population), unlimited);
}

void Optimization::start_anew(int population) {
  forget();
  best_fitness_ = infinity;
  latest_.best_candidate = -1;
  done_ = false;
  start_first(population);
}

/// Start uniform between the bounds; where one is missing, within a first standard deviation of the deck's.
VectorXd Optimization::random_start(std::span<const double> uniform) const {
  VectorXd start(static_cast<Index>(uniform.size()));
  for (std::size_t k = 0; k < uniform.size(); ++k) {
    const double value = intervals_[k].random_value(uniform[k], settings_.sigma);
    start[static_cast<Index>(k)] = intervals_[k].point(value) / search_parameters_[k].scale;
  }
  return start;
}

std::vector<std::string> Optimization::variation() const {
  std::vector<std::string> names;
  std::vector<std::string> ranges;
  for (const SearchParameter& parameter : search_parameters_) {
    std::string& values = ranges.emplace_back();
    for (const double value : parameter.values) {
      if (!values.empty()) values.append("|");
      values.append(value_text(parameter.address, value));
    }
    if (values.empty()) {
      values.append(format_real(parameter.lower)).append(" to ").append(format_real(parameter.upper));
      if (parameter.whole) values.append(", whole numbers");
      if (parameter.logarithmic) values.append(", logarithmic");
    }
    names.push_back(parameter.address.name());
  }
  // Entries of a list that vary alike share a text.
  std::vector<std::string> texts;
  for (std::size_t first = 0; first < names.size();) {
    std::size_t alike = first + 1;
    while (alike < names.size() && ranges[alike] == ranges[first]) ++alike;
    const NameRun run = runs_of(std::span(names).subspan(first, alike - first)).front();
    texts.push_back(run.name + " " + ranges[first]);
    first += run.count;
  }
  return texts;
}

std::vector<Table> Optimization::tables() const {
  std::vector<Table> tables = {generation_table(addresses_, settings_.generations, settings_.objective.unit)};
  if (constraints_.any()) tables.push_back(constraints_.table(settings_.generations));
  return tables;
}

std::vector<TableRow> Optimization::take_rows() { return std::exchange(rows_, {}); }

std::string Optimization::size_note() const {
  return "in " + std::to_string(settings_.generations) + " generations at most";
}

std::string Optimization::progress() const {
  if (generation_ == 0) return "generation 0/" + std::to_string(settings_.generations);
  return formatted("generation %lu/%lu  best %.6g  sigma %.3g", generation_, settings_.generations,
                   latest_.best, latest_.sigma);
}

std::string Optimization::conclusion() const {
  if (!done_) return {};
  std::string text = "stopped by " + std::string(to_string(latest_.stop)) + " after " +
                     std::to_string(generation_) + " generations and " + std::to_string(latest_.evaluations) +
                     " evaluations\n";
  if (best_point_.empty()) {
    return text + "no candidate has a finite " + settings_.objective.name +
           (constraints_.any() ? " and fulfils all constraints" : "") + "\n";
  }
  text += "best " + settings_.objective.name + ": " + format_real(latest_.best) + " (candidate " +
          std::to_string(latest_.best_candidate) +
          (settings_.objective.scenarios > 1 ? ", " + settings_.objective.reduction() : "") + ")\n";
  text += point_lines(addresses_, best_point_) + constraints_.conclusion();
  if (settings_.learning == Learning::adapted) {
    text += "mean of the last generation, which noise moves less than the best candidate:\n" +
            point_lines(addresses_, latest_.mean_vector);
  }
  if (latest_.stop == StopReason::stagnation)
    text += "if the objective is noisy, try optimize.learning = adapted\n";
  const double newest = latest_.generation_best;
  constexpr double near = 0.01;
  if (!constraints_.any() || std::abs(newest - latest_.best) <= near * std::abs(latest_.best)) return text;
  return text + "the search did not come to rest at it: its last generation has " +
         (std::isnan(newest) ? "no candidate that fulfils all constraints"
                             : "nothing better than " + format_real(newest)) +
         "; more generations, or another seed, may find a better one\n";
}

}  // namespace rodeo
